"""`contentgen agents …`"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from contentgen_core.model.ids import AgentId
from contentgen_http.commands.console import WHOLE, AsJson, DataDir, group, print_rows, print_values, with_services

if TYPE_CHECKING:
    from contentgen_http.services import Services

agents_app = group()


@agents_app.command("create-system")
def agents_create_system(
    niche: Annotated[str, typer.Option(help="Key of a preconfigured niche.")],
    country: Annotated[str, typer.Option(help="ISO 3166-1 alpha-2 code.")],
    name: Annotated[str | None, typer.Option(help="Its name; else that of its niche with the country.")] = None,
    json_: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Make an agent that every tenant with its niche activated may use, outside their quotas."""

    async def run(services: Services) -> None:
        agent = await services.agents.system_agents.create(niche, country, name)
        print_values({"id": agent.id, "agentKey": str(agent.key), "name": agent.name}, json_)

    with_services(data_dir, run)


@agents_app.command("list-system")
def agents_list_system(json_: AsJson = False, data_dir: DataDir = None) -> None:
    """Show the system agents."""

    async def run(services: Services) -> None:
        agents = await services.agents.system_agents.list()
        rows = [{"id": agent.id, "agentKey": str(agent.key), "name": agent.name} for agent in agents]
        print_rows(rows, ("id", "key", "name"), json_, {"id": WHOLE})

    with_services(data_dir, run)


@agents_app.command("delete-system")
def agents_delete_system(agent_id: str, data_dir: DataDir = None) -> None:
    """Delete a system agent for all tenants; articles written with it stay."""

    async def run(services: Services) -> None:
        await services.agents.system_agents.delete(AgentId(agent_id))

    with_services(data_dir, run)
    typer.echo("deleted")
