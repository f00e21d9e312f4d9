"""`contentgen team …`"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import Role
from contentgen_http.commands.console import (
    WHOLE,
    AsJson,
    DataDir,
    Tenant,
    group,
    print_rows,
    print_values,
    with_services,
)

if TYPE_CHECKING:
    from contentgen_http.services import Services

team_app = group()


@team_app.command("list")
def team_list(tenant: Tenant, json_: AsJson = False, data_dir: DataDir = None) -> None:
    """Show members and open invitations."""

    async def run(services: Services) -> None:
        team = await services.people.team.list(await services.people.tenants.owner_of(TenantId(tenant)))
        rows: list[dict[str, str | None]] = [
            {"id": m.user.id, "status": "active", "role": m.user.role, "name": m.user.name, "email": m.user.email}
            for m in team.members
        ]
        rows += [
            {"id": i.id, "status": "invited", "role": i.role, "name": None, "email": i.email} for i in team.invitations
        ]
        print_rows(rows, ("id", "status", "role", "name", "email"), json_, {"id": WHOLE})

    with_services(data_dir, run)


@team_app.command("invite")
def team_invite(
    email: str,
    tenant: Tenant,
    role: Annotated[Role, typer.Option(help="What the person will be.")] = Role.EDITOR,
    json_: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Invite a person on behalf of the tenant's owner, and print the link."""
    from contentgen_core.use_cases.team.send import PATH
    from contentgen_grounded.settings import load

    chosen = load(data_dir=data_dir)

    async def run(services: Services) -> None:
        invited = await services.people.invite(await services.people.tenants.owner_of(TenantId(tenant)), email, role)
        base = services.options.public_url or f"http://{chosen.host}:{chosen.port}"
        values = {
            "id": invited.invitation.id,
            "email": invited.invitation.email,
            "inviteUrl": f"{base}{PATH}{invited.token}",
        }
        print_values(values, json_)

    with_services(data_dir, run)


@team_app.command("remove")
def team_remove(member_id: str, tenant: Tenant, data_dir: DataDir = None) -> None:
    """Remove a member with all keys, everywhere within a second; or cancel an invitation."""

    async def run(services: Services) -> None:
        await services.people.team.remove(await services.people.tenants.owner_of(TenantId(tenant)), member_id)

    with_services(data_dir, run)
    typer.echo("removed")
