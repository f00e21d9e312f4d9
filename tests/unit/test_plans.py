"""The table of plans, number by number (product decisions, "Plans")."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import Final

import pytest

from contentgen_core.model.tenant import PlanName, Quota
from contentgen_core.model.vocabulary import ArticleLength
from contentgen_core.policies.tenancy.plans import PLANS

DECIDED: Final = """
                        free  starter  pro  business
requests                 100      200  500      2000
articles                   3       20  100       500
agents                     1        3   10        50
coverageChecks             0        5   10         -
enrichments                0        0   10        50
translationCredits         0       30  150       500
documents                  3       20  200      2000
integrations               1        3   14         -
teamMembers                1        3   10        50
lengths                    2        3    4         4
mermaid                    0        0    1         1
custom_niches              0        0    1         1
premium_web_search         0        0    0         1
bypasses_coverage          0        0    0         1
freshness_hours          168       72   24         6
"""

_HEAD, *_ROWS = (line.split() for line in DECIDED.strip().splitlines())
TABLE: Final = {
    (PlanName(plan), row[0]): None if cell == "-" else int(cell)
    for row in _ROWS
    for plan, cell in zip(_HEAD, row[1:], strict=True)
}


@pytest.mark.parametrize("plan", PlanName)
def test_each_number_of_a_plan_is_as_decided(plan: PlanName) -> None:
    terms = PLANS[plan]
    in_code = {
        "requests": terms.requests_per_minute,
        **{str(quota): terms.limits[quota] for quota in Quota},
        "lengths": len(terms.lengths),
        "mermaid": terms.mermaid,
        "custom_niches": terms.custom_niches,
        "premium_web_search": terms.premium_web_search,
        "bypasses_coverage": terms.bypasses_coverage,
        "freshness_hours": terms.topic_coverage_freshness // timedelta(hours=1),
    }
    assert in_code == {name: number for (of, name), number in TABLE.items() if of is plan}


@pytest.mark.parametrize("plan", PlanName)
def test_a_plan_has_the_shortest_lengths_first(plan: PlanName) -> None:
    lengths = PLANS[plan].lengths
    assert lengths == set(list(ArticleLength)[: len(lengths)])


def test_a_higher_plan_never_offers_less() -> None:
    ascending = [PLANS[plan] for plan in PlanName]
    for lower, higher in pairwise(ascending):
        assert higher.requests_per_minute > lower.requests_per_minute
        assert higher.lengths >= lower.lengths
        assert higher.topic_coverage_freshness < lower.topic_coverage_freshness
        for quota in Quota:
            below, above = lower.limits[quota], higher.limits[quota]
            assert above is None or (below is not None and above >= below)
