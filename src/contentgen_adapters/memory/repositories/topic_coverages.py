"""The topic coverage of each area."""

from __future__ import annotations

from contentgen_adapters.memory.common_tables import TOPIC_COVERAGES, TOPIC_COVERAGES_OF
from contentgen_adapters.memory.records import Records
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.errors import AlreadyExists
from contentgen_core.model.area import Area
from contentgen_core.model.ids import TenantId, TopicCoverageId
from contentgen_core.model.topic_coverage import TopicCoverage
from contentgen_core.ports.repositories.topic_coverages import TopicCoverages


@repository(TopicCoverages)
class MemoryTopicCoverages:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session[TOPIC_COVERAGES], "topic coverage")

    async def add(self, coverage: TopicCoverage) -> None:
        await self._session.writing()
        place = (coverage.tenant_id, coverage.area)
        if self._session[TOPIC_COVERAGES_OF].get(place) is not None:
            raise AlreadyExists("There is a topic coverage of this area already.")
        self._session[TOPIC_COVERAGES_OF].put(place, coverage.id)
        self._session[TOPIC_COVERAGES].put(coverage.id, coverage)

    async def find(self, tenant_id: TenantId, area: Area) -> TopicCoverage | None:
        coverage_id = self._session[TOPIC_COVERAGES_OF].get((tenant_id, area))
        return None if coverage_id is None else self._session[TOPIC_COVERAGES].get(coverage_id)

    async def get(self, tenant_id: TenantId, coverage_id: TopicCoverageId) -> TopicCoverage:
        return await self._records.get(tenant_id, coverage_id)

    async def save(self, coverage: TopicCoverage) -> TopicCoverage:
        return await self._records.save(coverage)
