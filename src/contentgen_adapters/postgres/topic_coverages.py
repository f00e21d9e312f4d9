"""The topic coverage of each area."""

from __future__ import annotations

from attrs import evolve

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.session import Row, Session
from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotFound
from contentgen_core.model.area import Area
from contentgen_core.model.ids import TenantId, TopicCoverageId
from contentgen_core.model.topic_coverage import TopicCoverage


class PostgresTopicCoverages:
    def __init__(self, session: Session) -> None:
        self._session = session

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
            "SELECT record::text, revision FROM topic_coverages WHERE tenant_id = %s AND area = %s",
            (findable(tenant_id), findable(str(area))),
        )
        return _coverage(rows[0]) if rows else None

    async def get(self, tenant_id: TenantId, coverage_id: TopicCoverageId) -> TopicCoverage:
        rows = await self._session.read(
            "SELECT record::text, revision FROM topic_coverages WHERE id = %s AND tenant_id = %s",
            (findable(coverage_id), findable(tenant_id)),
        )
        if not rows:
            raise NotFound("topic coverage", coverage_id)
        return _coverage(rows[0])

    async def save(self, coverage: TopicCoverage) -> TopicCoverage:
        changed = await self._session.change(
            "UPDATE topic_coverages SET record = %s, revision = revision + 1"
            " WHERE id = %s AND tenant_id = %s AND revision = %s",
            (
                dumps(coverage, TopicCoverage),
                findable(coverage.id),
                findable(coverage.tenant_id),
                coverage.revision,
            ),
        )
        if not changed:
            await self.get(coverage.tenant_id, coverage.id)
            raise ConcurrentChange("The topic coverage was changed meanwhile. Read it again.")
        return evolve(coverage, revision=coverage.revision + 1)


def _coverage(row: Row) -> TopicCoverage:
    record, revision = row
    coverage: TopicCoverage = loads(record, TopicCoverage)
    return evolve(coverage, revision=revision)
