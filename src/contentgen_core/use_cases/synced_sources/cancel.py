"""Cancels the syncs of a tenant that was suspended."""

from __future__ import annotations

from datetime import datetime

from attrs import evolve

from contentgen_core.model.ids import TenantId
from contentgen_core.model.job import JobKind
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.synced_sources import SyncedSources
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.synced_sources.manage_sources import MOST_SOURCES


async def cancel_syncs(tx: Transaction, tenant_id: TenantId, now: datetime) -> None:
    """Cancel the syncs that are under way or wait. They are due again at once, where they had got to, as soon as syncs
    of the tenant are started again. Raises ConcurrentChange."""
    most = max(MOST_SOURCES.values())
    for source in await tx[SyncedSources].of_tenant(tenant_id, most):
        if source.job_id is not None:
            await tx[Jobs].cancel_subject(tenant_id, source.id, JobKind.SYNC_SOURCE)
            # Read again: until it was cancelled, the sync may have changed it.
            current = await tx[SyncedSources].get(tenant_id, source.id)
            await tx[SyncedSources].save(evolve(current, job_id=None, next_sync_at=now))
