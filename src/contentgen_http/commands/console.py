"""What the commands share: options, the console, the services they run on, and how a failure is told."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from contentgen.settings import Settings, load
from contentgen_core.errors import ContentgenError, UnreadableFile
from contentgen_core.ports.documents import DocumentReader, SourceText
from contentgen_core.use_cases.knowledge.import_sources import ImportReport
from contentgen_http.services import Services

T = TypeVar("T")

DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="Folder of the data; also CONTENTGEN_DATA_DIR.", show_default=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Tenant = Annotated[str, typer.Option("--tenant", help="Id of the tenant.")]

console = Console(stderr=True)


def fail_clearly(run: Callable[[], None]) -> None:
    """Errors that a person can act on are one line, not a traceback."""
    try:
        run()
    except ContentgenError as error:
        console.print("[red]contentgen:[/] ", end="")
        console.print(error.detail, markup=False, highlight=False, soft_wrap=True)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def with_services(data_dir: Path | None, run: Callable[[Services], Awaitable[T]]) -> T:
    """Run against the data directory or database of the settings, beside a running server or without one."""
    from contentgen.bootstrap.database import database
    from contentgen_http.opening import open_services
    from contentgen_http.telemetry.logs import configure_logging

    configure_logging("warning")  # standard output is the command's answer

    chosen: Settings = load(data_dir=data_dir)

    async def inside(conninfo: str) -> T:
        async with open_services(chosen, conninfo) as services:
            await services.upkeep.catalogue()
            return await run(services)

    with database(chosen) as db:
        db.migrate()
        return asyncio.run(inside(db.conninfo))


def readable_sources(reader: DocumentReader, paths: list[Path], unread: list[str]) -> Iterator[SourceText]:
    """The sources below some paths; files that cannot be read are noted and passed over, a path without any is not."""
    for path in paths:
        for file in reader.discover(path):
            try:
                yield from reader.read(file)
            except UnreadableFile as error:
                unread.append(error.detail)


def import_counts(report: ImportReport) -> str:
    return (
        f"{report.added} added, {report.updated} updated, {report.unchanged} unchanged, {report.passages} new passages"
    )


def progress_bar() -> Progress:
    return Progress(
        SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), console=console
    )


def print_values(values: Mapping[str, object], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(values))
    else:
        for name, value in values.items():
            typer.echo(f"{name}: {value}")
