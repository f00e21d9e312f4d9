"""`contentgen tenants …`"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import PlanName
from contentgen_http.commands.console import WHOLE, AsJson, DataDir, group, print_rows, print_values, with_services

if TYPE_CHECKING:
    from contentgen_core.model.tenant import Tenant
    from contentgen_core.use_cases.budgets.manage_budgets import BudgetsOf
    from contentgen_core.use_cases.tenants.queries import TenantOverview
    from contentgen_http.services import Services

tenants_app = group()


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


@tenants_app.command("budget")
def tenants_budget(
    tenant_id: str,
    tokens: Annotated[int | None, typer.Option(help="Set it: so many tokens a month.")] = None,
    amount: Annotated[float | None, typer.Option(help="Set it: so much a month, with --currency.")] = None,
    currency: Annotated[str | None, typer.Option(help="That of CONTENTGEN_MODEL_CURRENCY.")] = None,
    agent: Annotated[
        str | None, typer.Option(help="For one of its agents, by its key; else for all it writes.")
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Remove it.")] = False,
    json_: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Show a tenant's budgets of models and what is left of them this month; set or remove one."""
    from contentgen_http.wire.base import optional
    from contentgen_http.wire.budgets import BudgetList, BudgetPatch

    body = BudgetPatch(tokens=optional(tokens), amount=optional(amount), currency=optional(currency))

    async def run(services: Services) -> BudgetsOf:
        budgets, tenant = services.people.budgets, TenantId(tenant_id)
        if not clear and (tokens, amount, currency) == (None, None, None):
            return await budgets.of_tenant(tenant)
        limit = None if clear else body.to_limit()
        if agent is None:
            return await budgets.administer(tenant, limit)
        return await budgets.set_of_agent(await services.people.tenants.owner_of(tenant), agent, limit)

    found = BudgetList.of(with_services(data_dir, run))
    rows = [
        {
            "of": budget.agent_key or "all",
            "unit": budget.currency or "tokens",
            "limit": budget.limit,
            "spent": budget.spent,
            "reserved": budget.reserved,
            "left": budget.left,
        }
        for budget in found.budgets
    ]
    print_rows(rows, ("of", "unit", "limit", "spent", "reserved", "left"), json_)


@tenants_app.command("list")
def tenants_list(json_: AsJson = False, data_dir: DataDir = None) -> None:
    """Show all tenants, the oldest first."""

    async def run(services: Services) -> None:
        rows = [_row(tenant) for tenant in await services.people.tenants.every()]
        print_rows(rows, ("id", "name", "plan", "created", "suspended"), json_, {"id": WHOLE})

    with_services(data_dir, run)


@tenants_app.command("show")
def tenants_show(tenant_id: str, json_: AsJson = False, data_dir: DataDir = None) -> None:
    """Show a tenant with its owners and what it uses of its plan."""

    async def run(services: Services) -> TenantOverview:
        return await services.people.tenant.overview(TenantId(tenant_id))

    found = with_services(data_dir, run)
    used = {quota.value: {"used": state.used, "limit": state.limit} for quota, state in found.quotas.items()}
    owners = [{"id": user.id, "name": user.name, "email": user.email} for user in found.owners]
    values = {**_row(found.tenant), "timeZone": found.tenant.time_zone, "members": found.members, "owners": owners}
    if json_:
        print_values({**values, "quotas": used}, json_)
        return
    values["owners"] = ", ".join(f"{owner['name']} ({owner['id']})" for owner in owners)
    print_values(values, json_)
    rows = [{"quota": name, **state} for name, state in used.items()]
    print_rows(rows, ("quota", "used", "limit"), json_)


@tenants_app.command("suspend")
def tenants_suspend(tenant_id: str, data_dir: DataDir = None) -> None:
    """Refuse a tenant's keys within a second (403), and start none of its schedules; `resume` ends it.

    What is under way ends. Its public articles stay public, and what it has published stays where it is.
    """

    async def run(services: Services) -> None:
        await services.people.tenants.suspend(TenantId(tenant_id))

    with_services(data_dir, run)
    typer.echo("suspended")


@tenants_app.command("resume")
def tenants_resume(tenant_id: str, data_dir: DataDir = None) -> None:
    """End a tenant's suspension, with its keys as they were."""

    async def run(services: Services) -> None:
        await services.people.tenants.resume(TenantId(tenant_id))

    with_services(data_dir, run)
    typer.echo("resumed")


@tenants_app.command("delete")
def tenants_delete(
    tenant_id: str,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Delete a tenant for good: its people, keys, articles, documents with their originals, niches and integrations.

    What it has published elsewhere stays there. After a failure, run it again.
    """
    if not yes:
        typer.confirm(f"Everything that tenant {tenant_id} has is deleted for good. Go on?", abort=True)

    async def run(services: Services) -> None:
        await services.people.delete_tenant(TenantId(tenant_id))

    with_services(data_dir, run)
    typer.echo("deleted")


def _row(tenant: Tenant) -> dict[str, object]:
    return {
        "id": tenant.id,
        "name": tenant.name,
        "plan": tenant.plan,
        "createdAt": tenant.created_at,
        "suspendedAt": tenant.suspended_at,
    }
