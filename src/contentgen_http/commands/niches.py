"""`contentgen niches …`"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from contentgen_http.commands.console import WHOLE, AsJson, DataDir, group, print_rows, with_services

if TYPE_CHECKING:
    from contentgen_http.services import Services

niches_app = group()


@niches_app.callback()
def _group() -> None:
    """Makes `requests` a subcommand: Typer merges the only command of a group with the group."""


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
                "createdAt": request.created_at,
            }
            for request in await services.agents.niche_requests.list(limit)
        ]
        print_rows(rows, ("id", "tenant", "name", "description", "created"), json_, {"tenant": WHOLE})

    with_services(data_dir, run)
