"""`contentgen niches …`"""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Column, Table

from contentgen_http.commands.console import AsJson, DataDir, with_services
from contentgen_http.services import Services

niches_app = typer.Typer(help="What tenants wish of niches.", no_args_is_help=True)


@niches_app.callback()
def _group() -> None:
    """Keeps `requests` a command of its own: Typer would make the only one of a group the group itself."""


@niches_app.command("requests")
def niches_requests(
    limit: Annotated[int, typer.Option(help="Requests at most.", min=1, max=10_000)] = 1_000,
    json_: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Show the niches that tenants asked for, newest first."""

    async def run(services: Services) -> None:
        rows = [
            {
                "id": request.id,
                "tenantId": request.tenant_id,
                "name": request.name,
                "description": request.description,
                "createdAt": request.created_at.isoformat(),
            }
            for request in await services.agents.niche_requests.list(limit)
        ]
        if json_:
            typer.echo(json.dumps(rows))
            return
        shown = Table("id", Column("tenant", no_wrap=True, min_width=36), "name", "description", "created")
        for row in rows:
            shown.add_row(*(value or "" for value in row.values()))
        Console().print(shown)

    with_services(data_dir, run)
