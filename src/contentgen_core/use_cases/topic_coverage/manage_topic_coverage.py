"""GET and POST /seo/topic-coverage: read the topic coverage of an area, and start its computation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import evolve

from contentgen_core.errors import AlreadyExists, ConcurrentChange
from contentgen_core.model.area import Area
from contentgen_core.model.ids import JobId, TenantId, TopicCoverageId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.model.topic_coverage import ComputationStatus, TopicCoverage
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.policies.tenancy.plans import PLANS
from contentgen_core.policies.topics.seeds import refresh_due
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.topic_coverages import TopicCoverages
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.context import area_of, context_of_agent_or_niche
from contentgen_core.use_cases.use_case import use_case

# An attempt is lost only when a run started or ended meanwhile, which cannot go on for ever.
ATTEMPTS: Final = 5


@use_case
class ManageTopicCoverage:
    """`agent_key` or `niche_key` name the area; if both are given, they have to match. All methods raise InvalidInput
    and NotFound."""

    unit_of_work: UnitOfWork
    clock: Clock
    ids: Ids

    async def read(self, caller: Caller, agent_key: str | None, niche_key: str | None) -> TopicCoverage:
        """The present state. Starts a run if the plan's freshness requires one, and then returns the former topics.

        An area that was never computed is returned as idle, with the `started_at` of the run that this call started."""
        area = await self._area(caller, agent_key, niche_key)
        async with self.unit_of_work() as tx:
            found = await tx[TopicCoverages].find(caller.tenant_id, area)
        if not self._is_due(caller, found):
            assert found is not None
            return found
        started = await self._start(caller.tenant_id, area, lambda coverage: self._is_due(caller, coverage))
        return started if found is not None else _idle(started)

    async def recompute(self, caller: Caller, agent_key: str | None, niche_key: str | None) -> TopicCoverage:
        """Start a run, or return the one under way. Raises NotPermitted."""
        require_role(caller, Role.EDITOR)
        area = await self._area(caller, agent_key, niche_key)
        return await self._start(caller.tenant_id, area, lambda coverage: True)

    async def _area(self, caller: Caller, agent_key: str | None, niche_key: str | None) -> Area:
        async with self.unit_of_work() as tx:
            return area_of(await context_of_agent_or_niche(tx, caller.tenant_id, agent_key, niche_key))

    def _is_due(self, caller: Caller, coverage: TopicCoverage | None) -> bool:
        return refresh_due(coverage, PLANS[caller.plan].topic_coverage_freshness, self.clock.now())

    async def _start(self, tenant_id: TenantId, area: Area, wanted: Callable[[TopicCoverage], bool]) -> TopicCoverage:
        """Return the run under way; else start one if, in the same transaction, it is still wanted."""
        for _ in range(ATTEMPTS):
            try:
                async with self.unit_of_work() as tx:
                    found = await tx[TopicCoverages].find(tenant_id, area)
                    if found is not None and (found.status is ComputationStatus.COMPUTING or not wanted(found)):
                        return found
                    now, job_id = self.clock.now(), JobId(self.ids.new())
                    known = found or TopicCoverage(TopicCoverageId(self.ids.new()), tenant_id, area)
                    started = known.started(now, job_id)
                    if found is None:
                        await tx[TopicCoverages].add(started)
                    else:
                        started = await tx[TopicCoverages].save(started)
                    job = Job(job_id, JobKind.COMPUTE_TOPIC_COVERAGE, tenant_id, started.id, run_at=now)
                    await tx[Jobs].enqueue(job)
                return started
            except (AlreadyExists, ConcurrentChange):
                continue
        raise ConcurrentChange("The topic coverage keeps changing. Try again in a moment.")


def _idle(started: TopicCoverage) -> TopicCoverage:
    """The coverage before the run was started; unchanged if another run has ended meanwhile."""
    if started.status is ComputationStatus.COMPUTING and not started.topics:
        return evolve(started, status=ComputationStatus.IDLE)
    return started
