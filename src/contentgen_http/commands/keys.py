"""`contentgen keys …`"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from contentgen_core.model.ids import ApiKeyId, TenantId
from contentgen_http.commands.console import (
    WHOLE,
    AsJson,
    DataDir,
    Tenant,
    group,
    loading,
    print_rows,
    print_values,
    settings_of,
    with_services,
)

if TYPE_CHECKING:
    from contentgen_http.services import Services

keys_app = group()


@keys_app.command("create")
def keys_create(
    tenant: Tenant,
    name: Annotated[str, typer.Option(help="What the key is for.")] = "Command line",
    json_: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Make an API key for the tenant's owner; it is shown this once."""

    async def run(services: Services) -> None:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        made = await services.people.keys.create(caller, name)
        print_values({"id": made.key.id, "name": made.key.name, "key": made.secret}, json_)

    with_services(data_dir, run)


@keys_app.command("list")
def keys_list(tenant: Tenant, json_: AsJson = False, data_dir: DataDir = None) -> None:
    """Show a tenant's keys, without their secrets."""

    async def run(services: Services) -> None:
        keys = await services.people.keys.list(await services.people.tenants.owner_of(TenantId(tenant)))
        rows = [
            {
                "id": key.id,
                "name": key.name,
                "ends": f"…{key.hint}",
                "createdAt": key.created_at,
                "lastUsedAt": key.last_used_at,
                "revoked": key.revoked_at is not None,
            }
            for key in keys
        ]
        # Never shortened: revoking needs the whole id.
        print_rows(rows, ("id", "name", "ends", "created", "last used", "revoked"), json_, {"id": WHOLE})

    with_services(data_dir, run)


@keys_app.command("revoke")
def keys_revoke(key_id: str, tenant: Tenant, data_dir: DataDir = None) -> None:
    """Stop a key, everywhere within a second."""

    async def run(services: Services) -> None:
        await services.people.keys.revoke(await services.people.tenants.owner_of(TenantId(tenant)), ApiKeyId(key_id))

    with_services(data_dir, run)
    typer.echo("revoked")


@keys_app.command("accept-secret")
def keys_accept_secret(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False, data_dir: DataDir = None
) -> None:
    """Make this environment's secret (CONTENTGEN_SECRET_KEY) the service's; keys made with another stop working."""
    import asyncio

    with loading("server"):
        from contentgen_grounded.bootstrap.database import database
        from contentgen_grounded.bootstrap.keys import accept_secret

    if not yes:
        typer.confirm("API keys and open invitations made with another secret stop working. Go on?", abort=True)
    chosen = settings_of(data_dir)
    with database(chosen) as db:
        db.migrate()
        asyncio.run(accept_secret(chosen, db.conninfo))
    typer.echo(
        "accepted; restart what still runs with the former secret, and make new keys with `contentgen keys create`"
    )
