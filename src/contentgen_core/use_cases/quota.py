"""Counting against a plan's quotas, in a transaction."""

from __future__ import annotations

from datetime import date, datetime

from contentgen_core.model.tenant import Caller, Quota
from contentgen_core.policies.tenancy.quotas import check_included, limit_of, quota_error, window_of
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.ports.unit_of_work import Transaction


async def check_left(tx: Transaction, caller: Caller, quota: Quota, now: datetime) -> None:
    """Refuse early what could not be consumed later. Raises PlanForbids, QuotaExceeded, DailyQuotaExceeded."""
    check_included(caller.plan, quota)
    limit = limit_of(caller.plan, quota)
    if limit is not None:
        used = await tx[Quotas].used(caller.tenant_id, quota, counted_window(quota, now))
        if used >= limit:
            raise quota_error(caller.plan, quota, used, now)


async def consume(tx: Transaction, caller: Caller, quota: Quota, now: datetime, amount: int = 1) -> None:
    """Consume `amount`, exactly under any concurrency. Raises PlanForbids, QuotaExceeded, DailyQuotaExceeded; then
    nothing is counted."""
    check_included(caller.plan, quota)
    limit = limit_of(caller.plan, quota)
    window = counted_window(quota, now)
    if not await tx[Quotas].consume(caller.tenant_id, quota, window, limit, amount):
        used = limit or 0 if amount == 1 else await tx[Quotas].used(caller.tenant_id, quota, window)
        raise quota_error(caller.plan, quota, used, now)


def counted_window(quota: Quota, now: datetime) -> date:
    """The present window of a quota that counts uses (a standing quota, which counts what exists, has none)."""
    window = window_of(quota, now)
    assert window is not None, f"{quota} has no window"
    return window
