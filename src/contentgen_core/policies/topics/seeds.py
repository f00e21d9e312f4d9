"""Which topics an area has, whether each is covered, how hot it is, and when to look again."""

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
from contentgen_core.policies.topics.likeness import alike, significant_words
from contentgen_core.policies.topics.validation import topic_key

ASSESSED_FOR: Final = ArticleLength.STANDARD
"""The length of article that a covered topic has enough sources for."""
COVERED: Final = frozenset({CoverageLevel.GOOD, CoverageLevel.EXCELLENT})
MAX_TOPIC_LENGTH: Final = 500
# Of the heat: how far the coverage score goes; the rest is how much is said on the topic.
SCORE_SHARE: Final = 0.6
# How long a failed computation is left alone before reading starts another.
RETRY_FAILED_AFTER: Final = timedelta(minutes=15)


@frozen
class Seed:
    """Where a topic of an area may come from gives these. `language`: the one to read its words in."""

    topic: str
    language: Language


def heat(coverage: Coverage) -> float:
    """How much the knowledge base holds on a topic, in 0..100: 0.6 of the coverage score, and 40 × log(1 + p) /
    log(1 + 20) for p passages on the topic, of which retrieval gives 20 at most for a standard article. Neither a
    higher score nor one more passage ever lowers it."""
    most = LENGTHS[ASSESSED_FOR].passages
    said = math.log1p(min(coverage.evidence.passages, most)) / math.log1p(most)
    return round(SCORE_SHARE * coverage.score + (1 - SCORE_SHARE) * 100 * said, 1)


def is_covered(level: CoverageLevel) -> bool:
    """Whether a standard article could be generated without a block."""
    return level in COVERED


def distinct_topics(seeds: Iterable[Seed], analysis: TextAnalysis, limit: int = MAX_TOPICS) -> tuple[str, ...]:
    """The first `limit` topics among the seeds, in their order: white space folded, without those that are the same as
    an earlier one but for case, word forms, title words or one word in many."""
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
        if any(alike(significant, other) for other in words):
            continue
        keys.add(key)
        words.append(significant)
        topics.append(topic)
    return tuple(topics)


def refresh_due(coverage: TopicCoverage | None, freshness: timedelta, now: datetime) -> bool:
    """Whether reading is to start a run: never computed, older than the plan's freshness, or failed a while ago."""
    if coverage is None or coverage.status is ComputationStatus.IDLE:
        return True
    if coverage.status is ComputationStatus.COMPUTING:
        return False
    if coverage.status is ComputationStatus.FAILED:
        return coverage.ended_at is None or now - coverage.ended_at >= min(RETRY_FAILED_AFTER, freshness)
    return coverage.computed_at is None or now - coverage.computed_at >= freshness
