"""The evaluation of a niche: six criteria, each with a score of 0 to 100, its evidence and a next action.

Pure and deterministic; docs/decisions/0013 explains each formula. Scores are monotone: a covered topic, a younger
document, a new host among the sources, a published article or a better receipt never lowers one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Final
from urllib.parse import urlsplit

from attrs import frozen

from contentgen_core.model.governance import (
    Criterion,
    DocumentFacts,
    Finding,
    Grade,
    Pace,
    PublishedFacts,
)
from contentgen_core.model.knowledge import Origin
from contentgen_core.model.topic_coverage import TopicCoverage
from contentgen_core.policies.text.plurals import pluralize
from contentgen_core.policies.topics.similarity import are_similar

WEIGHTS: Final[dict[Criterion, float]] = {
    Criterion.COVERAGE: 25,
    Criterion.FRESHNESS: 15,
    Criterion.DIVERSITY: 15,
    Criterion.CADENCE: 15,
    Criterion.ORIGINALITY: 10,
    Criterion.GROUNDING: 20,
}
"""Out of 100. An editor's weights: the sources of articles count more than how often one appears."""

GRADES: Final = ((85.0, Grade.A), (70.0, Grade.B), (55.0, Grade.C), (40.0, Grade.D))
"""The lowest score of each grade; below the last one it is E."""

HALF_LIFE: Final = timedelta(days=365)
"""The time in which a document loses half of its weight."""
RECENT_AGE: Final = timedelta(days=90)
OLD_AGE: Final = timedelta(days=730)
# The weight of the last 30 days in the cadence; the last 90 days have the rest.
LAST_MONTH_WEIGHT: Final = 0.6
# The highest monthly aim: three articles a week in one niche, whatever a plan includes.
MAX_PER_MONTH: Final = 12.0
MAX_NAMED: Final = 3
# From this score on no action is advised.
NO_ADVICE_FROM: Final = 95.0
NO_HOST: Final = ""
KEEP_ON: Final = "Nothing to do: keep it up."


def grade_of(score: float) -> Grade:
    """The grade of a score in 0..100."""
    return next((grade for least, grade in GRADES if score >= least), Grade.E)


def coverage(found: TopicCoverage | None) -> Finding:
    """The share of the area's topics that the knowledge base covers, as last computed. `found`: None before the first
    computation."""
    if found is None or found.computed_at is None or not found.topics:
        evidence = "The topics of this niche have not been computed yet."
        if found is not None and found.computed_at is not None:
            evidence = "No topic of this niche is known: it has no keyword, no article and no source."
        action = "Have its topics computed with POST /seo/topic-coverage; add sources first if there are none."
        return _unmeasured_finding(Criterion.COVERAGE, evidence, action)
    totals, day = found.totals, found.computed_at.astimezone(UTC).date().isoformat()
    cold = [topic.name for topic in found.topics if not topic.covered]
    action = f"Enrich the knowledge base on {_list_names(cold)}." if cold else KEEP_ON
    return _finding(
        Criterion.COVERAGE,
        totals.percent,
        f"{totals.covered} of {totals.topics} topics were covered on {day}.",
        {"topics": totals.topics, "covered": totals.covered, "uncovered": totals.uncovered},
        action,
    )


def freshness(documents: Sequence[DocumentFacts], now: datetime) -> Finding:
    """The mean of 2^(-age / 365 days) over the documents. A document's age counts from the date it states, else from
    when it was fetched, else from when it was added; a date after `now` counts as `now`."""
    if not documents:
        return _unmeasured_finding(Criterion.FRESHNESS, "The knowledge base is empty.", "Add sources on this niche.")
    ages = sorted(_age(document, now) for document in documents)
    score = 100 * sum(2 ** (-age / HALF_LIFE) for age in ages) / len(ages)
    recent, old = sum(age <= RECENT_AGE for age in ages), sum(age > OLD_AGE for age in ages)
    action = f"Replace or enrich what is old: {pluralize(old, 'source')} of more than two years." if old else (
        "Add recent sources: enrichment by web search brings what is new."
    )  # fmt: skip
    median = ages[(len(ages) - 1) // 2]
    return _finding(
        Criterion.FRESHNESS,
        score,
        f"Of {pluralize(len(ages), 'source')}, {recent} are of the last 90 days and {old} older than two years; half "
        f"are not older than {median.days} days.",
        {"documents": len(ages), "recent": recent, "old": old, "medianAgeDays": median.days},
        action,
    )


def diversity(documents: Sequence[DocumentFacts]) -> Finding:
    """(1 - H) × (1 - a). H is the Herfindahl index of the sources' hosts, the sum of their squared shares (1 - H is
    Simpson's index, the probability that two sources drawn at random have different hosts); a is the share of documents
    that a model wrote, which are no sources. Sources without an address count as of one host."""
    if not documents:
        return _unmeasured_finding(
            Criterion.DIVERSITY, "The knowledge base is empty.", "Add sources from different hosts."
        )
    hosts = Counter(_host(document.url) for document in documents if document.origin is not Origin.AI)
    sources = hosts.total()
    by_ai = 1 - sources / len(documents)
    index = sum((n / sources) ** 2 for n in hosts.values()) if sources else 1.0
    host, largest = min(hosts.items(), key=lambda item: (-item[1], item[0])) if hosts else (NO_HOST, 0)
    share = largest / sources if sources else 0.0
    action = f"Add sources from elsewhere: {share:.0%} come from {host or 'files without an address'}."
    if by_ai > share:
        action = f"Add sources written by people: {by_ai:.0%} of the knowledge base was written by a model."
    return _finding(
        Criterion.DIVERSITY,
        100 * (1 - index) * (1 - by_ai),
        f"{pluralize(sources, 'source')} from {pluralize(len(hosts), 'host')}; the largest has {share:.0%}. "
        f"{by_ai:.0%} of the knowledge base was written by a model.",
        {
            "hosts": len(hosts),
            "herfindahlIndex": round(index, 4),
            "largestShare": round(share, 4),
            "aiShare": round(by_ai, 4),
        },
        action,
    )


def monthly_aim(articles_per_month: int | None, niches: int, countries: int = 1) -> float:
    """The articles per month that an area should publish: the plan's allowance divided by the niches in use (and for an
    agent by the niche's countries), between 1 and 12.

    `articles_per_month`: the plan's allowance, None if unlimited."""
    if articles_per_month is None:
        return MAX_PER_MONTH
    return min(MAX_PER_MONTH, max(1.0, articles_per_month / max(1, niches) / max(1, countries)))


def scheduled_monthly_aim(written_a_month: float, articles_per_month: int | None) -> float:
    """The articles per month that an area should publish when a schedule sets it: those of the schedule, at most the
    plan's allowance. The editor's maximum does not apply.

    `written_a_month`: what the schedule writes; `articles_per_month`: the plan's allowance, None if unlimited."""
    return written_a_month if articles_per_month is None else min(written_a_month, float(articles_per_month))


def cadence(pace: Pace) -> Finding:
    """0.6 × the share of the aim reached in the last 30 days + 0.4 × that of the last 90, each at most 1."""
    month, quarter = min(1.0, pace.last_30_days / pace.aim), min(1.0, pace.last_90_days / 3 / pace.aim)
    missing = max(0, math.ceil(pace.aim - pace.last_30_days))
    action = f"Publish {pluralize(missing, 'more article')} a month, at steady intervals." if missing else KEEP_ON
    return _finding(
        Criterion.CADENCE,
        100 * (LAST_MONTH_WEIGHT * month + (1 - LAST_MONTH_WEIGHT) * quarter),
        f"{pluralize(pace.last_30_days, 'article')} published in the last 30 days and {pace.last_90_days} in the last "
        f"90; {pace.aim:.1f} a month are aimed at.",
        {"last30Days": pace.last_30_days, "last90Days": pace.last_90_days, "aimPerMonth": round(pace.aim, 1)},
        action,
    )


@frozen
class ArticleWords:
    """An article's title, with the significant words of title and topic."""

    title: str
    title_words: frozenset[str]
    topic_words: frozenset[str]

    def repeats(self, other: ArticleWords) -> bool:
        """Whether the titles or the topics of the two are similar."""
        return are_similar(self.title_words, other.title_words) or are_similar(self.topic_words, other.topic_words)


def originality(articles: Sequence[ArticleWords]) -> Finding:
    """The share of articles of which no older one has a similar title or topic. `articles`: oldest first."""
    if not articles:
        return _unmeasured_finding(Criterion.ORIGINALITY, "Nothing is written yet.", "Have a first article written.")
    repeated = [
        article.title for n, article in enumerate(articles) if any(article.repeats(older) for older in articles[:n])
    ]
    total = len(articles)
    score = 100 * (1 - len(repeated) / total)
    action = f"Merge, or give another angle to {_list_names(repeated)}." if repeated else KEEP_ON
    return _finding(
        Criterion.ORIGINALITY,
        score,
        f"{len(repeated)} of {pluralize(total, 'article')} repeat the title or topic of an older one.",
        {"articles": total, "repeated": len(repeated)},
        action,
    )


def judge_grounding(published: Sequence[PublishedFacts]) -> Finding:
    """Return the finding on grounding: the mean of 2rp / (r + p) over the published articles, r and p being citation
    recall and precision of the receipt; 0 for an article without sources. One with sources but without a receipt is not
    judged: a person changed its text."""
    unsourced = sum(not article.sources for article in published)
    checked = [
        (article.recall, article.precision)
        for article in published
        if article.sources and article.recall is not None and article.precision is not None
    ]
    judged = unsourced + len(checked)
    if not judged:
        evidence = "No published article has a receipt." if published else "Nothing is published yet."
        action = "Publish an article that was generated from sources."
        return _unmeasured_finding(Criterion.GROUNDING, evidence, action)
    recall = sum(r for r, _ in checked) / len(checked) if checked else 0.0
    precision = sum(p for _, p in checked) / len(checked) if checked else 0.0
    score = 100 * sum(2 * r * p / (r + p) for r, p in checked if r + p) / judged
    changed = len(published) - judged
    action = "Read the receipts of the weakest articles, and support or drop what their sources do not say."
    if unsourced:
        action = f"Give sources to the {pluralize(unsourced, 'article')} without any, or take them down."
    return _finding(
        Criterion.GROUNDING,
        score,
        f"Citation recall {recall:.0%} and precision {precision:.0%} over {pluralize(len(checked), 'checked article')}"
        f"; {unsourced} without sources, {changed} changed since they were checked.",
        {
            "published": len(published),
            "checked": len(checked),
            "citationRecall": round(recall, 4),
            "citationPrecision": round(precision, 4),
            "unsourcedShare": round(unsourced / len(published), 4),
        },
        action,
    )


def overall(findings: Sequence[Finding]) -> tuple[float, Grade, str]:
    """Score, grade and next action of the whole. The score is the mean of the measured criteria, weighted by WEIGHTS.
    The action is that of the criterion with most points to gain, weight × (100 - score); a criterion that could not be
    measured has all of its points to gain."""
    measured = [finding for finding in findings if finding.measured]
    weights = sum(WEIGHTS[finding.criterion] for finding in measured)
    total = sum(WEIGHTS[finding.criterion] * finding.score for finding in measured)
    score = round(total / weights, 1) if weights else 0.0
    most = max(findings, key=lambda finding: WEIGHTS[finding.criterion] * (100 - finding.score))
    return score, grade_of(score), most.next_action


def _finding(criterion: Criterion, score: float, evidence: str, figures: dict[str, float], action: str) -> Finding:
    rounded = round(min(100.0, max(0.0, score)), 1)
    advice = action if rounded < NO_ADVICE_FROM else KEEP_ON
    return Finding(criterion, rounded, grade_of(rounded), evidence, figures, advice)


def _unmeasured_finding(criterion: Criterion, evidence: str, action: str) -> Finding:
    return Finding(criterion, 0.0, Grade.E, evidence, {}, action, measured=False)


def _age(document: DocumentFacts, now: datetime) -> timedelta:
    dated = document.fetched_at or document.created_at
    if document.published is not None:
        dated = datetime.combine(document.published, time.min, UTC)
    return max(timedelta(0), now - dated)


def _host(url: str | None) -> str:
    if url is None:
        return NO_HOST
    try:
        host = urlsplit(url).hostname or NO_HOST
    except ValueError:  # brackets that hold no address
        return NO_HOST
    return host.removeprefix("www.")


def _list_names(names: Sequence[str]) -> str:
    named = ", ".join(f"“{name}”" for name in names[:MAX_NAMED])
    return named if len(names) <= MAX_NAMED else f"{named} and {len(names) - MAX_NAMED} more"
