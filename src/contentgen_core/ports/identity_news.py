"""Being told that keys, roles or plans changed, so that what is known of them may be believed for longer."""

from __future__ import annotations

from typing import Protocol

from contentgen_core.model.ids import TenantId


class IdentityListener(Protocol):
    """Called on the event loop; must not block."""

    def changed(self, tenant_id: TenantId) -> None:
        """Something about a tenant's keys, people or plan was committed."""
        ...

    def missed(self) -> None:
        """From now on changes are told; what changed before may have gone unheard."""
        ...

    def certain(self) -> None:
        """All that was committed up to a moment ago has been told."""
        ...


class IdentityNews(Protocol):
    async def tell(self, listener: IdentityListener) -> None:
        """Tell until cancelled. While nothing is heard from the source, `certain` is not called."""
        ...
