"""Notifications of changed keys, roles or plans, by which cached identities are invalidated."""

from __future__ import annotations

from typing import Protocol

from contentgen_core.model.ids import TenantId


class IdentityListener(Protocol):
    """Called on the event loop; must not block."""

    def changed(self, tenant_id: TenantId) -> None:
        """Handle a committed change of the tenant's keys, users or plan."""
        ...

    def resync(self) -> None:
        """Notifications begin now; earlier ones may have been missed, so drop what is cached."""
        ...

    def heartbeat(self) -> None:
        """Everything committed up to a moment ago was notified."""
        ...


class IdentityChanges(Protocol):
    async def subscribe(self, listener: IdentityListener) -> None:
        """Notify `listener` until cancelled. While the source is silent, `heartbeat` is not called."""
        ...
