"""What tenants used of their plans."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Protocol

from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import Quota


class Quotas(Protocol):
    """Counts of what was used, by window (first day of the month, or the day)."""

    async def consume(
        self, tenant_id: TenantId, quota: Quota, window: date, limit: int | None, amount: int = 1
    ) -> bool:
        """Count `amount` (at least 1) more unless that would pass the limit: exact under any concurrency, all of it or
        nothing. False: nothing counted."""
        ...

    async def give_back(self, tenant_id: TenantId, quota: Quota, window: date, amount: int = 1) -> None:
        """Take so much off the count, which never falls below 0."""
        ...

    async def used(self, tenant_id: TenantId, quota: Quota, window: date) -> int: ...

    async def used_of(self, tenant_id: TenantId, windows: Mapping[Quota, date]) -> dict[Quota, int]:
        """The same for several quotas at once."""
        ...
