"""Announcements that keys, roles or plans changed, so that what is known of them may be cached for longer."""

from __future__ import annotations

from typing import Protocol

from contentgen_core.model.ids import TenantId


class IdentityListener(Protocol):
    """Called on the event loop; must not block."""

    def changed(self, tenant_id: TenantId) -> None:
        """Something about a tenant's keys, people or plan was committed."""
        ...

    def resync(self) -> None:
        """Changes are announced from now on; earlier ones may have been missed, so drop what is cached."""
        ...

    def heartbeat(self) -> None:
        """Everything committed up to a moment ago has been announced."""
        ...


class IdentityChanges(Protocol):
    async def subscribe(self, listener: IdentityListener) -> None:
        """Announce to `listener` until cancelled. While the source is silent, `heartbeat` is not called."""
        ...
