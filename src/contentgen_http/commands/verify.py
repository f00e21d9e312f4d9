"""The command `contentgen verify`: check whether sources support a text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contentgen_core.errors import InvalidInput
from contentgen_core.model.vocabulary import Language
from contentgen_http.commands.console import (
    AsJson,
    DataDir,
    fail_clearly,
    loading,
    readable_sources,
    settings_in_force,
    warn,
    with_services,
)

if TYPE_CHECKING:
    from contentgen_core.ports.documents import DocumentReader
    from contentgen_core.use_cases.articles.verify_text import VerifiedText


def verify(
    file: Annotated[Path, typer.Argument(help="The text: a file of any type that `contentgen kb import` reads.")],
    source: Annotated[
        list[Path] | None, typer.Option(help="File or folder of sources; may be given several times.")
    ] = None,
    niche: Annotated[
        str | None, typer.Option(help="Instead of sources: the knowledge base of this niche or agent, by its key.")
    ] = None,
    document: Annotated[
        list[str] | None,
        typer.Option(help="Instead of sources: the id of a private document; may be given several times."),
    ] = None,
    tenant: Annotated[
        str | None, typer.Option(help="Id of the tenant whose niche or document it is.", show_default=False)
    ] = None,
    language: Annotated[Language | None, typer.Option(help="Language of the text; else as its words tell.")] = None,
    fail_under: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, help="Share of the sentences, 0 to 1: end with 1 if fewer are supported."),
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Say of each sentence of a text whether sources support it. With --source it needs no account and no server."""
    fail_clearly(lambda: _verify(file, source, niche, document, tenant, language, fail_under, as_json, data_dir))


def _verify(
    file: Path,
    sources: list[Path] | None,
    niche: str | None,
    documents: list[str] | None,
    tenant: str | None,
    language: Language | None,
    fail_under: float | None,
    as_json: bool,
    data_dir: Path | None,
) -> None:
    if sum(map(bool, (sources, niche, documents))) != 1:
        raise InvalidInput.of("source", "give exactly one of --source, --niche and --document")
    if sources:
        found = _against_files(file, sources, language)
    elif tenant is None:
        raise InvalidInput.of("tenant", "--niche and --document belong to a tenant: name it with --tenant")
    else:
        found = _against_knowledge(file, niche, documents, tenant, language, data_dir)
    _print(found, as_json)
    if fail_under is not None and _supported_share(found) < fail_under:
        warn("contentgen:", f"less than {fail_under * 100:g}% of the sentences are supported", typer.colors.RED)
        raise typer.Exit(1)


def _against_files(file: Path, paths: list[Path], language: Language | None) -> VerifiedText:
    import asyncio

    with loading("cli"):
        from contentgen_grounded import verify_text
        from contentgen_grounded.bootstrap.memory import in_memory_to_write
        from contentgen_http.telemetry.logs import configure_logging

    configure_logging("warning")  # standard output is the answer's
    unread: list[str] = []

    async def run() -> VerifiedText:
        async with in_memory_to_write(settings_in_force()) as services:
            reader = services.ports.documents
            text = await asyncio.to_thread(_text_of, reader, file)
            return await verify_text(services, text, readable_sources(reader, paths, unread), language=language)

    try:
        return asyncio.run(run())
    finally:
        for line in unread:
            warn("not read:", line)


def _against_knowledge(
    file: Path,
    niche: str | None,
    documents: list[str] | None,
    tenant: str,
    language: Language | None,
    data_dir: Path | None,
) -> VerifiedText:
    from contentgen_core.model.ids import DocumentId, TenantId
    from contentgen_core.use_cases.articles.verify_text import VerifyTextCommand
    from contentgen_http.services import Services

    async def run(services: Services) -> VerifiedText:
        import asyncio

        command = VerifyTextCommand(
            text=await asyncio.to_thread(_text_of, services.ports.documents, file),
            caller=await services.people.tenants.owner_of(TenantId(tenant)),
            document_ids=tuple(DocumentId(id) for id in documents) if documents else None,
            niche_key=niche,
            language=language,
        )
        return await services.writing.verify_text(command)

    return with_services(data_dir, run)


def _text_of(reader: DocumentReader, file: Path) -> str:
    """Raises UnreadableFile."""
    return "\n\n".join(source.text for found in reader.discover(file) for source in reader.read(found))


def _supported_share(found: VerifiedText) -> float:
    """Return the supported share of the sentences, unrounded: 9,999 of 10,000 are not all."""
    from contentgen_core.model.grounding import Verdict

    sentences = found.grounding.sentences
    return sum(sentence.verdict is Verdict.SUPPORTED for sentence in sentences) / len(sentences)


def _print(found: VerifiedText, as_json: bool) -> None:
    if as_json:
        import msgspec

        from contentgen_http.wire.verification import TextReceipt

        typer.echo(json.dumps(msgspec.to_builtins(TextReceipt.of(found)), ensure_ascii=False))
        return
    for sentence in found.grounding.sentences:
        cited = "".join(f" [{number}]" for number in sentence.citations)
        missing = f" (not found: {', '.join(sentence.missing_facts)})" if sentence.missing_facts else ""
        typer.echo(f"{sentence.verdict}: {sentence.text}{cited}{missing}")
    for number, passage in found.cited.items():
        document = passage.document
        typer.echo(f"[{number}] {document.title or document.id}" + (f", {document.url}" if document.url else ""))
    typer.echo(
        f"{found.grounding.level}: {found.grounding.totals.citation_recall:.0%} of "
        f"{found.grounding.totals.sentences} sentences supported",
        err=True,
    )
