"""The topic coverage of each area, with the checkpoints of the run under way."""

from __future__ import annotations

from typing import Protocol

from contentgen_core.model.area import Area
from contentgen_core.model.ids import TenantId, TopicCoverageId
from contentgen_core.model.topic_coverage import TopicCoverage


class TopicCoverages(Protocol):
    async def add(self, coverage: TopicCoverage) -> None:
        """Raises AlreadyExists when the tenant has one for this area; waits for a transaction that is adding one."""
        ...

    async def find(self, tenant_id: TenantId, area: Area) -> TopicCoverage | None: ...

    async def get(self, tenant_id: TenantId, coverage_id: TopicCoverageId) -> TopicCoverage:
        """Raises NotFound."""
        ...

    async def save(self, coverage: TopicCoverage) -> TopicCoverage:
        """Store a changed one that was read at `coverage.revision`; returns it with the next revision. Raises
        ConcurrentChange, NotFound."""
        ...
