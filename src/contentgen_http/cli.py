"""The command line: serve, worker, migrate, settings, write, mcp, and the groups of commands."""

from __future__ import annotations

import sys
from typing import Annotated, Final

import typer

from contentgen_http.commands.console import (
    DataDir,
    fail_clearly,
    group,
    loading,
    print_table,
    settings_in_force,
    settings_of,
)
from contentgen_http.commands.deferred import deferred_group
from contentgen_http.commands.evaluate import evaluate
from contentgen_http.commands.mcp import mcp
from contentgen_http.commands.verify import verify
from contentgen_http.commands.write import write

GROUPS: Final = {
    "tenants": "Tenants and their plans.",
    "keys": "API keys of a tenant.",
    "team": "The people of a tenant.",
    "niches": "What tenants wish of niches.",
    "agents": "System agents: those that everybody may use.",
    "articles": "Articles of a tenant: what is like them, their approval, and who may read them.",
    "kb": "The knowledge base.",
    "documents": "Private documents of a tenant.",
    "models": "Models of meaning, for searches.",
    "trends": "What several sources speak of now.",
    "links": "Links from a tenant's articles to others of its articles.",
    "updates": "Updates of articles whose sources changed.",
    "sources": "Sources that a tenant's knowledge base follows.",
    "queries": "What people search for, and what to do about it.",
    "voices": "How a tenant's articles are to read.",
    "webhooks": "Webhooks, and what became of their messages.",
    "evidence": "Evidence files: what an article rests on, signed.",
    "secrets": "The keys that secrets are encrypted with.",
}
"""Groups of commands, whose modules are imported when one of theirs is asked for."""

app = group("Grounded content generation.")
for _name, _help in GROUPS.items():
    app.add_typer(group(_help, cls=deferred_group(_name)), name=_name)
app.command()(write)
app.command()(verify)
app.command("eval")(evaluate)
app.command()(mcp)


def _show_version(asked: bool) -> None:
    if asked:
        from contentgen_grounded.version import VERSION

        typer.echo(VERSION)
        raise typer.Exit


@app.callback()
def program(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Grounded content generation."""


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
    data_dir: DataDir = None,
    demo: Annotated[bool, typer.Option("--demo", help="Make a demo tenant with a small sample KB.")] = False,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="Processes that answer requests; else one for two cores.", show_default=False),
    ] = None,
    job_workers: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=64,
            help="Processes that do jobs, 0: those that answer requests do them; else one for each core.",
            show_default=False,
        ),
    ] = None,
    no_jobs: Annotated[
        bool,
        typer.Option(
            "--no-jobs",
            help="Answer requests alone: nothing is written, published, mailed, synced or scheduled from here, as "
            "beside the live service on a restored copy.",
        ),
    ] = False,
) -> None:
    """Start the service, with all it needs."""
    with loading("server"):
        from contentgen_http.processes.serving import serve as run

    run(
        settings_in_force(host=host, port=port, data_dir=data_dir),
        demo=demo,
        workers=workers,
        job_workers=job_workers,
        no_jobs=no_jobs,
    )


@app.command()
def worker(
    processes: Annotated[int, typer.Option(min=1, max=64, help="Processes that do jobs.")] = 1,
    concurrency: Annotated[
        int | None,
        typer.Option(
            min=1, max=1000, help="Jobs each of them does at a time; else CONTENTGEN_GENERATIONS.", show_default=False
        ),
    ] = None,
    metrics_port: Annotated[
        int | None, typer.Option(help="Port that answers /metrics and /health; 0: a free one.", show_default=False)
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Do the jobs of a service, on its database: beside `serve`, or on other machines."""
    with loading("server"):
        from contentgen_http.processes.worker import work

    work(settings_in_force(generations=concurrency, metrics_port=metrics_port, data_dir=data_dir), processes=processes)


@app.command()
def migrate(data_dir: DataDir = None) -> None:
    """Bring the database up to this version."""
    with loading("server"):
        from contentgen_grounded.bootstrap.database import database

    with database(settings_of(data_dir)) as db:
        applied = db.migrate()
    typer.echo(f"applied: {', '.join(applied)}" if applied else "up to date")


@app.command()
def openapi() -> None:
    """Print the OpenAPI document of this version, which clients are generated from."""
    with loading("server"):
        from contentgen_http.app import description

    typer.echo(description().decode())


@app.command()
def settings() -> None:
    """List every setting: environment variable, the value in force and where it comes from, meaning."""
    from contentgen_grounded.bootstrap.embedding import taken_by_auto
    from contentgen_grounded.settings import describe_unknown, unknown_variables
    from contentgen_grounded.settings_in_force import in_force

    taken = {("CONTENTGEN_EMBEDDINGS", "auto"): f"auto: {taken_by_auto()}"}
    rows = [
        (found.variable, taken.get((found.variable, found.value), found.value), found.source, found.description)
        for found in in_force()
    ]
    print_table(("variable", "value", "from", "meaning"), rows, width=None if sys.stdout.isatty() else 180)
    for variable, nearest in unknown_variables().items():
        typer.echo(describe_unknown(variable, nearest), err=True)


def main() -> None:
    """The program `contentgen`."""
    fail_clearly(app)
