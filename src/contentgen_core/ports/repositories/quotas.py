"""The counts of tenants' quotas."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Protocol

from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import Quota


class Quotas(Protocol):
    """Counts by window (the first day of the month, or the day)."""

    async def consume(
        self, tenant_id: TenantId, quota: Quota, window: date, limit: int | None, amount: int = 1
    ) -> bool:
        """Increase the count by `amount` (at least 1) unless that would exceed the limit: exact under any concurrency,
        all or nothing. False: nothing was counted."""
        ...

    async def refund(self, tenant_id: TenantId, quota: Quota, window: date, amount: int = 1) -> None:
        """Decrease the count by `amount`; it never falls below 0."""
        ...

    async def used(self, tenant_id: TenantId, quota: Quota, window: date) -> int: ...

    async def used_of(self, tenant_id: TenantId, windows: Mapping[Quota, date]) -> dict[Quota, int]:
        """The counts of several quotas."""
        ...
