"""`contentgen webhooks …`"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from contentgen_core.model.ids import TenantId, WebhookEndpointId, WebhookMessageId
from contentgen_core.model.webhook import DeliveryState
from contentgen_http.commands.console import DataDir, Tenant, group, with_services

if TYPE_CHECKING:
    from contentgen_core.model.webhook import WebhookDelivery
    from contentgen_http.services import Services

PAGE = 100

webhooks_app = group()


@webhooks_app.command("list")
def webhooks_list(tenant: Tenant, data_dir: DataDir = None) -> None:
    """List webhooks."""

    async def run(services: Services) -> None:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        for endpoint in await services.webhooks.endpoints.list(caller):
            state = "enabled" if endpoint.enabled else f"disabled: {endpoint.disabled_because or 'by hand'}"
            failing = f"  failing since {endpoint.failing_since:%Y-%m-%d %H:%M}" if endpoint.failing_since else ""
            typer.echo(f"{endpoint.id}  {endpoint.name}  {endpoint.url}  {state}{failing}")

    with_services(data_dir, run)


@webhooks_app.command("deliveries")
def webhooks_deliveries(
    webhook_id: str,
    tenant: Tenant,
    state: Annotated[DeliveryState | None, typer.Option(help="Only those in this state.")] = None,
    data_dir: DataDir = None,
) -> None:
    """List the deliveries of a webhook with their last attempt, newest event first."""

    async def run(services: Services) -> None:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        before: WebhookMessageId | None = None
        list_page = services.webhooks.endpoints.deliveries
        while found := await list_page(caller, WebhookEndpointId(webhook_id), state, before, PAGE):
            for delivery in found:
                typer.echo(_line(delivery))
            before = found[-1].message.id

    with_services(data_dir, run)


@webhooks_app.command("replay")
def webhooks_replay(
    webhook_id: str,
    tenant: Tenant,
    all_: Annotated[bool, typer.Option("--all", help="Also what was delivered.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Send what failed again, up to a thousand messages of the last 30 days; a running service sends them."""
    from contentgen_core.use_cases.webhooks.manage_webhooks import ReplayCommand

    async def run(services: Services) -> int:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        command = ReplayCommand(caller, WebhookEndpointId(webhook_id), failed_only=not all_)
        return await services.webhooks.endpoints.replay(command)

    typer.echo(f"{with_services(data_dir, run)} messages are sent again")


def _line(delivery: WebhookDelivery) -> str:
    event, last = delivery.message.event, delivery.attempts[-1] if delivery.attempts else None
    came = "" if last is None else f"  {last.status or last.error}"
    return (
        f"{delivery.message.id}  {event.at:%Y-%m-%d %H:%M:%S}  {event.type.value}  {delivery.state.value}"
        f"  {len(delivery.attempts)} attempts{came}"
    )
