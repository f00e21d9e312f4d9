"""`contentgen tenants …`"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import PlanName
from contentgen_http.commands.console import AsJson, DataDir, group, print_values, with_services

if TYPE_CHECKING:
    from contentgen_http.services import Services

tenants_app = group("Tenants and their plans.")


@tenants_app.command("create")
def tenants_create(
    name: Annotated[str, typer.Option(help="Its name.")],
    plan: Annotated[PlanName, typer.Option(help="Its plan.")],
    platform_admin: Annotated[bool, typer.Option("--platform-admin", help="Its owner runs the platform.")] = False,
    json_: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Make a tenant with an owner and a first API key, which is shown this once."""

    async def run(services: Services) -> None:
        made = await services.people.tenants.create(name, plan, platform_admin=platform_admin)
        out = {"tenantId": made.tenant.id, "userId": made.owner.id, "apiKey": made.key.secret}
        print_values(out, json_)

    with_services(data_dir, run)


@tenants_app.command("set-plan")
def tenants_set_plan(tenant_id: str, plan: PlanName, data_dir: DataDir = None) -> None:
    """Change a tenant's plan, from its next request on."""

    async def run(services: Services) -> None:
        await services.people.tenants.set_plan(TenantId(tenant_id), plan)

    with_services(data_dir, run)
    typer.echo(f"{tenant_id} is on {plan} now")
