"""/console/knowledge/topics: which topics of a niche its knowledge base covers, as a map and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final

from litestar import Response, get, post

from contentgen_core.model.topic_coverage import ComputationStatus, TopicCoverage, TopicState
from contentgen_http.console.pages.knowledge.shared import KnowledgePage, address
from contentgen_http.console.rendering import to
from contentgen_http.console.visit import Visit

TOPICS: Final = "/console/knowledge/topics"
MUCH: Final = 75.0
"""Heat from which there is more on a covered topic than an article needs."""
SOME: Final = 30.0
"""Heat from which there is something to build on for one that is not covered."""


class TopicLevel(StrEnum):
    """From the most to the least that the knowledge base holds."""

    RICH = "rich"
    COVERED = "covered"
    THIN = "thin"
    MISSING = "missing"


def level_of(topic: TopicState) -> TopicLevel:
    if topic.covered:
        return TopicLevel.RICH if topic.heat >= MUCH else TopicLevel.COVERED
    return TopicLevel.THIN if topic.heat >= SOME else TopicLevel.MISSING


class TopicPages(KnowledgePage):
    @get("/knowledge/topics")
    async def topics(self, request: Visit) -> Response[str]:
        """Topics that are older than the plan's freshness are computed anew in the background."""
        niches = await self.niches(request)
        keys = [niche.niche_key for niche in niches]
        asked = request.query_params.get("niche", "")
        niche = asked if asked in keys else next(iter(keys), "")
        coverage = await self._coverage(request, niche) if niche else None
        return self.show(
            request,
            "knowledge/topics.html",
            niches=niches,
            niche=niche,
            coverage=coverage,
            levels=_levels(coverage.topics) if coverage else {},
            **_progress(coverage),
        )

    @get("/knowledge/topics/part")
    async def part(self, request: Visit) -> Response[str]:
        """How far the computation is."""
        niche = request.query_params.get("niche", "")
        coverage = await self._coverage(request, niche)
        return self.show(
            request,
            "knowledge/topics_part.html",
            coverage=coverage,
            niche=niche,
            polled=True,
            **_progress(coverage),
        )

    @post("/knowledge/topics")
    async def compute(self, request: Visit) -> Response[Any]:
        form = await self.form(request)
        niche = form.text("niche")
        await self.services.knowledge.topic_coverages.recompute(request.user.caller, None, niche)
        return to(address(TOPICS, niche=niche), "note-topics-computed")

    async def _coverage(self, request: Visit, niche: str) -> TopicCoverage:
        return await self.services.knowledge.topic_coverages.read(request.user.caller, None, niche)


def _levels(topics: Sequence[TopicState]) -> dict[TopicLevel, list[TopicState]]:
    """The topics of each level, hottest first; levels without any are left out."""
    found: dict[TopicLevel, list[TopicState]] = {level: [] for level in TopicLevel}
    for topic in topics:
        found[level_of(topic)].append(topic)
    return {level: own for level, own in found.items() if own}


def _progress(coverage: TopicCoverage | None) -> dict[str, Any]:
    under_way = coverage is not None and coverage.status in (ComputationStatus.IDLE, ComputationStatus.COMPUTING)
    share = len(coverage.assessed) / len(coverage.candidates) if coverage and coverage.candidates else 0.0
    return {"under_way": under_way, "share": share}
