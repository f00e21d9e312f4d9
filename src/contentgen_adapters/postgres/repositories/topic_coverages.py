"""The topic coverage of each area."""

from __future__ import annotations

from contentgen_adapters.postgres.converter import dumps
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.records import RECORD, RecordTable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.errors import AlreadyExists
from contentgen_core.model.area import Area
from contentgen_core.model.ids import TenantId, TopicCoverageId
from contentgen_core.model.topic_coverage import TopicCoverage
from contentgen_core.ports.repositories.topic_coverages import TopicCoverages


@repository(TopicCoverages)
class PostgresTopicCoverages:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = RecordTable(session, "topic_coverages", TopicCoverage, "topic coverage")

    async def add(self, coverage: TopicCoverage) -> None:
        added = await self._session.change(
            "INSERT INTO topic_coverages (id, tenant_id, area, record, revision) VALUES (%s, %s, %s, %s, %s)"
            " ON CONFLICT ON CONSTRAINT topic_coverages_of_area DO NOTHING",
            (
                coverage.id,
                coverage.tenant_id,
                str(coverage.area),
                dumps(coverage, TopicCoverage),
                coverage.revision,
            ),
        )
        if not added:
            raise AlreadyExists("There is a topic coverage of this area already.")

    async def find(self, tenant_id: TenantId, area: Area) -> TopicCoverage | None:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM topic_coverages WHERE tenant_id = %s AND area = %s",  # noqa: S608 - our own constant
            (findable(tenant_id), findable(str(area))),
        )
        return self._records.read(rows[0]) if rows else None

    async def get(self, tenant_id: TenantId, coverage_id: TopicCoverageId) -> TopicCoverage:
        return await self._records.get(tenant_id, coverage_id)

    async def save(self, coverage: TopicCoverage) -> TopicCoverage:
        return await self._records.save(coverage)
