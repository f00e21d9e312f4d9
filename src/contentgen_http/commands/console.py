"""The shared parts of the commands: options, output, opening the services, and error messages.

Commands import what they use inside their functions, so that `contentgen --help` and shell completion load none of it.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import typer
from typer.core import TyperGroup

from contentgen_core.errors import ContentgenError, UnreadableFile
from contentgen_grounded.extras import from_extra

if TYPE_CHECKING:
    from rich.progress import Progress

    from contentgen_core.ports.documents import DocumentReader, SourceText
    from contentgen_core.use_cases.knowledge.import_sources import ImportReport
    from contentgen_grounded.settings import Settings
    from contentgen_http.services import Services

T = TypeVar("T")

DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="Folder of the data; also CONTENTGEN_DATA_DIR.", show_default=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Tenant = Annotated[str, typer.Option("--tenant", help="Id of the tenant.")]

Columns = Mapping[str, Mapping[str, Any]]
"""Options of Rich's `Column`, by the column's heading."""

WHOLE: Final[Mapping[str, Any]] = {"no_wrap": True, "min_width": 36}
"""Options of a column of ids: never shortened, since users copy them."""


def group(help: str | None = None, cls: type[TyperGroup] = TyperGroup) -> typer.Typer:
    """A group of commands. Without Rich's help, which takes longer to import than the rest of `--help`."""
    return typer.Typer(help=help, cls=cls, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)


@contextmanager
def loading(extra: str) -> Iterator[None]:
    """Wrap a command's imports of what an extra brings. The garbage collector is off: it would take a tenth of the time
    to search modules, which never become garbage. Raises MissingExtra.
    """
    gc.disable()
    try:
        with from_extra(extra):
            yield
    finally:
        gc.freeze()
        gc.enable()


def fail_clearly(run: Callable[[], None]) -> None:
    """Runs a command; errors that the user can act on are printed as one line, without a traceback."""
    try:
        run()
    except ContentgenError as error:
        warn("contentgen:", error.detail, typer.colors.RED)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def warn(label: str, text: str, color: str = typer.colors.YELLOW) -> None:
    """Prints one line to standard error, with a coloured label."""
    typer.echo(f"{typer.style(label, fg=color)} {text}", err=True)


def settings_in_force(**given: object) -> Settings:
    """Return the settings of the environment, and warn of unknown variables. `given`: options that take precedence over
    it. Raises BadSetting.
    """
    from contentgen_grounded.settings import describe_unknown, load, unknown_variables

    chosen = load(None, **given)
    for variable, nearest in unknown_variables().items():
        warn("ignored:", describe_unknown(variable, nearest))
    return chosen


def settings_of(data_dir: Path | None) -> Settings:
    """The settings of a command on the service's data. Raises BadSetting, also where it would make or start a second
    private database beside the one that runs.

    `data_dir`: as given to the command.
    """
    from contentgen_grounded.settings import PREFIX

    chosen = settings_in_force(data_dir=data_dir)
    if data_dir is None and not os.environ.get(f"{PREFIX}DATA_DIR"):
        with loading("server"):
            from contentgen_grounded.bootstrap.database import refuse_a_second_database
        refuse_a_second_database(chosen)
    return chosen


def with_services(data_dir: Path | None, run: Callable[[Services], Awaitable[T]]) -> T:
    """Run a function on the services of the settings, whether a server is running or not.

    `data_dir`: replaces that of the settings.
    """
    import asyncio

    with loading("server"):
        from contentgen_grounded.bootstrap.database import database
        from contentgen_http.services.open_services import open_services
    from contentgen_http.telemetry.logs import configure_logging

    configure_logging("warning")  # standard output is the command's answer

    chosen = settings_of(data_dir)

    async def inside(conninfo: str) -> T:
        async with open_services(chosen, conninfo) as services:
            await services.upkeep.catalogue()
            return await run(services)

    with database(chosen) as db:
        db.migrate()
        return asyncio.run(inside(db.conninfo))


def readable_sources(reader: DocumentReader, paths: list[Path], unread: list[str]) -> Iterator[SourceText]:
    """The sources in files and folders. Unreadable files are skipped, and their errors appended to `unread`; a path
    without any readable file raises."""
    for path in paths:
        for file in reader.discover(path):
            try:
                yield from reader.read(file)
            except UnreadableFile as error:
                unread.append(error.detail)


def import_counts(report: ImportReport) -> str:
    counts = (
        f"{report.added} added, {report.updated} updated, {report.unchanged} unchanged, {report.passages} new passages"
    )
    return f"{counts}, {report.without_text} without text" if report.without_text else counts


def progress_bar() -> Progress:
    """A progress bar on standard error."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
    )


def print_values(values: Mapping[str, object], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(values, default=datetime.isoformat))
    else:
        for name, value in values.items():
            typer.echo(f"{name}: {_cell(value)}")


def print_rows(
    rows: Sequence[Mapping[str, object]], headings: Sequence[str], as_json: bool, columns: Columns | None = None
) -> None:
    """Prints rows as JSON, or as a table with headings in place of the rows' keys."""
    if as_json:
        typer.echo(json.dumps(rows, default=datetime.isoformat))
    else:
        print_table(headings, (row.values() for row in rows), columns)


def print_table(
    headings: Sequence[str],
    rows: Iterable[Iterable[object]],
    columns: Columns | None = None,
    *,
    title: str | None = None,
    width: int | None = None,
) -> None:
    """Print a table to standard output; None is an empty cell, and moments are in UTC to the minute. What does not fit
    goes on in the next line: nothing is shortened, since users copy it. `width`: in characters; else that of the
    terminal.
    """
    from rich.console import Console
    from rich.table import Column, Table

    shown = Table(
        *(Column(name, **{"overflow": "fold", **(columns or {}).get(name, {})}) for name in headings), title=title
    )
    for row in rows:
        shown.add_row(*map(_cell, row))
    # A name or a text in square brackets or between colons is no markup.
    Console(width=width, markup=False, emoji=False).print(shown)


def _cell(value: object) -> str:
    if isinstance(value, datetime):
        return f"{value.astimezone(UTC):%Y-%m-%d %H:%M}"
    return "" if value is None else str(value)
