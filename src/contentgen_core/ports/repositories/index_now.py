"""Sites whose changed pages are told to search engines, and the pages that are to be told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from contentgen_core.model.ids import IndexNowSiteId, TenantId
from contentgen_core.model.index_now import IndexNowSite, NotedAddress


class IndexNowSites(Protocol):
    """A tenant sees its own sites only."""

    async def add(self, site: IndexNowSite) -> None:
        """Raises AlreadyExists where the tenant has one of this host, NotFound for an unknown tenant."""
        ...

    async def get(self, tenant_id: TenantId, site_id: IndexNowSiteId) -> IndexNowSite:
        """Raises NotFound."""
        ...

    async def of_tenant(self, tenant_id: TenantId) -> list[IndexNowSite]:
        """By host, MAX_SITES at most."""
        ...

    async def save(self, site: IndexNowSite) -> IndexNowSite:
        """Store a changed site that was read at `site.revision`; returns it with the next revision. Raises
        ConcurrentChange, NotFound."""
        ...

    async def delete(self, tenant_id: TenantId, site_id: IndexNowSiteId) -> None:
        """With the pages that are to be told. Raises NotFound."""
        ...

    async def has_key(self, host: str, key: str) -> bool:
        """Whether a site of this host has this key, whatever its tenant."""
        ...

    async def due(self, now: datetime, limit: int) -> list[IndexNowSite]:
        """Sites of any tenant that have pages to be told, whose time has come and that have no submission under way;
        the longest due first."""
        ...

    async def note(self, tenant_id: TenantId, addresses: Sequence[str], now: datetime) -> None:
        """These pages changed: each is to be told once, if the tenant has a site of its host. Others are ignored, and
        so are addresses of more than MAX_ADDRESS_BYTES."""
        ...

    async def noted(self, site_id: IndexNowSiteId, limit: int) -> list[NotedAddress]:
        """Pages that are to be told, the longest noted first."""
        ...

    async def told(self, site_id: IndexNowSiteId, addresses: Sequence[NotedAddress]) -> None:
        """Forget these; those that changed again since they were read stay."""
        ...
