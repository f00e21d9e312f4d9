"""The topic coverage of each area."""

from __future__ import annotations

from attrs import evolve

from contentgen_adapters.memory.session import Session
from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotFound
from contentgen_core.model.area import Area
from contentgen_core.model.ids import TenantId, TopicCoverageId
from contentgen_core.model.topic_coverage import TopicCoverage


class MemoryTopicCoverages:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, coverage: TopicCoverage) -> None:
        await self._session.writing()
        place = (coverage.tenant_id, coverage.area)
        if self._session.topic_coverages_of.get(place) is not None:
            raise AlreadyExists("There is a topic coverage of this area already.")
        self._session.topic_coverages_of.put(place, coverage.id)
        self._session.topic_coverages.put(coverage.id, coverage)

    async def find(self, tenant_id: TenantId, area: Area) -> TopicCoverage | None:
        coverage_id = self._session.topic_coverages_of.get((tenant_id, area))
        return None if coverage_id is None else self._session.topic_coverages.get(coverage_id)

    async def get(self, tenant_id: TenantId, coverage_id: TopicCoverageId) -> TopicCoverage:
        coverage = self._session.topic_coverages.get(coverage_id)
        if coverage is None or coverage.tenant_id != tenant_id:
            raise NotFound("topic coverage", coverage_id)
        return coverage

    async def save(self, coverage: TopicCoverage) -> TopicCoverage:
        await self._session.writing()
        stored = await self.get(coverage.tenant_id, coverage.id)
        if stored.revision != coverage.revision:
            raise ConcurrentChange("The topic coverage was changed meanwhile. Read it again and repeat your change.")
        saved = evolve(coverage, revision=coverage.revision + 1)
        self._session.topic_coverages.put(saved.id, saved)
        return saved
