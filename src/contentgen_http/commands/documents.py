"""`contentgen documents …`"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contentgen_core.errors import ContentgenError
from contentgen_core.model.document import MAX_BYTES
from contentgen_core.model.ids import TenantId
from contentgen_http.commands.console import DataDir, Tenant, group, warn, with_services

if TYPE_CHECKING:
    from contentgen_core.model.document import PrivateDocument
    from contentgen_core.model.tenant import Caller
    from contentgen_http.services import Services

documents_app = group()

LOOK_EVERY_SECONDS = 0.2


@documents_app.command("add")
def documents_add(
    files: Annotated[
        list[Path],
        typer.Argument(help=f"Texts, pages, office documents, tables, e-books; {MAX_BYTES // 2**20} MB each."),
    ],
    tenant: Tenant,
    title: Annotated[str | None, typer.Option(help="A title, for a single file; else the one in it.")] = None,
    data_dir: DataDir = None,
) -> None:
    """Add files to a tenant's private documents, and wait until they are searchable."""
    failed: list[str] = []

    async def run(services: Services) -> None:
        from contentgen_core.model.document import DocumentStatus
        from contentgen_core.model.job import JobKind
        from contentgen_http.jobs.runner import running_jobs

        caller = await services.people.tenants.owner_of(TenantId(tenant))
        async with running_jobs(services, JobKind.PROCESS_DOCUMENT):
            for file in files:
                try:
                    document = await _add(services, caller, file, title if len(files) == 1 else None)
                except (ContentgenError, OSError) as error:
                    failed.append(f"{file}: {error}")
                    continue
                if document.status is DocumentStatus.FAILED:
                    failed.append(f"{file}: {document.error}")
                    continue
                typer.echo(f"{document.id}  {document.title}  {document.passages} passages")

    with_services(data_dir, run)
    for line in failed:
        warn("not added:", line)
    if failed:
        raise typer.Exit(1)


async def _add(services: Services, caller: Caller, file: Path, title: str | None) -> PrivateDocument:
    """Add a file and wait; return the document, ready or failed."""
    import asyncio

    from contentgen_core.model.document import DocumentStatus

    content = await asyncio.to_thread(file.read_bytes)
    document = await services.knowledge.add_document.upload(caller, file.name, content, title)
    while document.status is DocumentStatus.PROCESSING:
        await asyncio.sleep(LOOK_EVERY_SECONDS)
        document = await services.knowledge.documents.one(caller, document.id)
    return document
