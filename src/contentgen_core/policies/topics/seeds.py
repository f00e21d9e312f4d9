"""The topics of an area: which there are, whether each is covered, how hot it is, and when to compute them anew."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from attrs import frozen

from contentgen_core.model.coverage import Coverage, CoverageLevel
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.topic_coverage import MAX_TOPICS, ComputationStatus, TopicCoverage
from contentgen_core.model.vocabulary import LENGTHS, ArticleLength, Language
from contentgen_core.policies.topics.similarity import are_similar, significant_words
from contentgen_core.policies.topics.validation import topic_key

ASSESSED_FOR: Final = ArticleLength.STANDARD
"""The length of article for which a covered topic has enough sources."""
COVERED: Final = frozenset({CoverageLevel.GOOD, CoverageLevel.EXCELLENT})
MAX_TOPIC_LENGTH: Final = 500
# The weight of the coverage score in the heat; the number of passages has the rest.
SCORE_SHARE: Final = 0.6
# How long after a failed computation reading may start another.
RETRY_FAILED_AFTER: Final = timedelta(minutes=15)


@frozen
class Seed:
    """A topic of an area, from its keywords, articles or knowledge base. `language`: the one to analyse its words
    in."""

    topic: str
    language: Language


def heat(coverage: Coverage) -> float:
    """Return how much the knowledge base holds on a topic, in 0..100: 0.6 × coverage score + 40 × log(1 + p) / log(1 +
    20), p being the passages on the topic, of which retrieval returns 20 at most for a standard article. Monotone in
    both."""
    most = LENGTHS[ASSESSED_FOR].passages
    said = math.log1p(min(coverage.evidence.passages, most)) / math.log1p(most)
    return round(SCORE_SHARE * coverage.score + (1 - SCORE_SHARE) * 100 * said, 1)


def is_covered(level: CoverageLevel) -> bool:
    """Whether a standard article could be generated without being blocked."""
    return level in COVERED


def distinct_topics(seeds: Iterable[Seed], analysis: TextAnalysis, limit: int = MAX_TOPICS) -> tuple[str, ...]:
    """The first `limit` topics of the seeds, in order, white space folded, without any that is similar to an earlier
    one: but for case, word forms, words of titles or one word in many."""
    keys: set[str] = set()
    words: list[frozenset[str]] = []
    topics: list[str] = []
    for seed in seeds:
        topic = " ".join(seed.topic.split())
        key = topic_key(topic)
        if len(topics) == limit:
            break
        if key in keys or len(topic) > MAX_TOPIC_LENGTH or not any(c.isalnum() for c in topic):
            continue
        significant = significant_words(topic, seed.language, analysis)
        if any(are_similar(significant, other) for other in words):
            continue
        keys.add(key)
        words.append(significant)
        topics.append(topic)
    return tuple(topics)


def refresh_due(coverage: TopicCoverage | None, freshness: timedelta, now: datetime) -> bool:
    """Whether reading starts a computation: none was made, the last is older than the plan's `freshness`, or it failed
    a while ago."""
    if coverage is None or coverage.status is ComputationStatus.IDLE:
        return True
    if coverage.status is ComputationStatus.COMPUTING:
        return False
    if coverage.status is ComputationStatus.FAILED:
        return coverage.ended_at is None or now - coverage.ended_at >= min(RETRY_FAILED_AFTER, freshness)
    return coverage.computed_at is None or now - coverage.computed_at >= freshness
