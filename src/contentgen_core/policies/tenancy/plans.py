"""The subscription plans: every number of them, in one table (product decisions, "Plans")."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from attrs import frozen

from contentgen_core.model.tenant import PlanName, Quota
from contentgen_core.model.vocabulary import ArticleLength


@frozen
class PlanTerms:
    """The limits and features of a plan. `limits`: None is unlimited, 0 is not included; per month: articles and
    translation credits; per day: coverage checks and enrichments; the others limit how many exist at a time."""

    requests_per_minute: int
    limits: dict[Quota, int | None]
    lengths: frozenset[ArticleLength]
    mermaid: bool
    custom_niches: bool
    premium_web_search: bool
    bypasses_coverage: bool
    topic_coverage_freshness: timedelta


def _limits(*values: int | None) -> dict[Quota, int | None]:
    return dict(zip(Quota, values, strict=True))


_S, _N, _L, _X = ArticleLength

PLANS: Final[dict[PlanName, PlanTerms]] = {
    PlanName.FREE: PlanTerms(
        requests_per_minute=100,
        limits=_limits(3, 1, 0, 0, 0, 3, 1, 1),
        lengths=frozenset({_S, _N}),
        mermaid=False,
        custom_niches=False,
        premium_web_search=False,
        bypasses_coverage=False,
        topic_coverage_freshness=timedelta(days=7),
    ),
    PlanName.STARTER: PlanTerms(
        requests_per_minute=200,
        limits=_limits(20, 3, 5, 0, 30, 20, 3, 3),
        lengths=frozenset({_S, _N, _L}),
        mermaid=False,
        custom_niches=False,
        premium_web_search=False,
        bypasses_coverage=False,
        topic_coverage_freshness=timedelta(hours=72),
    ),
    PlanName.PRO: PlanTerms(
        requests_per_minute=500,
        limits=_limits(100, 10, 10, 10, 150, 200, 14, 10),
        lengths=frozenset({_S, _N, _L, _X}),
        mermaid=True,
        custom_niches=True,
        premium_web_search=False,
        bypasses_coverage=False,
        topic_coverage_freshness=timedelta(hours=24),
    ),
    PlanName.BUSINESS: PlanTerms(
        requests_per_minute=2000,
        limits=_limits(500, 50, None, 50, 500, 2000, None, 50),
        lengths=frozenset({_S, _N, _L, _X}),
        mermaid=True,
        custom_niches=True,
        premium_web_search=True,
        bypasses_coverage=True,
        topic_coverage_freshness=timedelta(hours=6),
    ),
}
