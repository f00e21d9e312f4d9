"""The topics of a niche, and how well it is looked after."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, path_id, read_query
from contentgen_http.services import Services
from contentgen_http.wire.governance import Governance
from contentgen_http.wire.topic_coverage import AreaQuery, TopicCoverage, TopicCoverageQuery, TopicCoverageStarted

TAG: Final = "Strategy"


class SeoRoutes(Controller):
    services: Services

    @operation(
        "GET",
        "/seo/topic-coverage",
        tag=TAG,
        query=TopicCoverageQuery,
        answer=TopicCoverage,
        raises=(errors.NotFound, errors.ConcurrentChange),
    )
    async def get_topic_coverage(self, request: TenantRequest) -> TopicCoverage:
        """Read which topics are covered.

        The topics of a niche, or of an agent, each covered or not, with how much there is on it. What was never
        computed, or is older than your plan's freshness, is computed in the background: ask again while status is idle
        or computing. Until then the former topics are shown.
        """
        query = read_query(request, TopicCoverageQuery)
        coverage = await self.services.knowledge.topic_coverages.read(request.user, *query.keys)
        return TopicCoverage.of(coverage, query.filter)

    @operation(
        "POST",
        "/seo/topic-coverage",
        tag=TAG,
        query=AreaQuery,
        answer=TopicCoverageStarted,
        raises=(errors.NotPermitted, errors.NotFound, errors.ConcurrentChange),
    )
    async def recompute_topic_coverage(self, request: TenantRequest) -> TopicCoverageStarted:
        """Compute the topics anew.

        In the background; while a run is under way this is that one. Follow it with GET /seo/topic-coverage.
        """
        query = read_query(request, AreaQuery)
        return TopicCoverageStarted.of(
            await self.services.knowledge.topic_coverages.recompute(request.user, *query.keys)
        )

    @operation("GET", "/governance/{nicheKey:str}", tag=TAG, answer=Governance, raises=(errors.NotFound,), slow=True)
    async def get_governance(self, request: TenantRequest, nicheKey: FromPath[str]) -> Governance:
        """Evaluate how a niche is looked after.

        Of a niche that you use, or one of its agents: topics covered, age and diversity of the sources, cadence,
        repetitions among the articles, and how well what was published is grounded. Each with a grade, the evidence and
        what to do next.
        """
        return Governance.of(
            await self.services.knowledge.evaluate_governance(request.user, path_id("niche", nicheKey))
        )
