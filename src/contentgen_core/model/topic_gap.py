"""Gaps: topics that were requested, named or asked about, and are not covered, or not written on."""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen

from contentgen_core.model.coverage import ArticleCoverage


class GapKind(StrEnum):
    """uncovered: a topic of the niche, a plan or a failed article that the knowledge base does not cover; named: an
    entity that several documents name and none is about; unanswered: a question that sources ask and none answers;
    unwritten: a topic that the knowledge base covers, no title or heading says and no article has."""

    UNCOVERED = "uncovered"
    NAMED = "named"
    UNANSWERED = "unanswered"
    UNWRITTEN = "unwritten"


@frozen
class TopicGap:
    """A gap. `coverage`: that of the topic now, for a standard article: of an entity by its name alone, of a question
    without the passage that asks it. `documents`: those that name the topic, as far as they were counted, else 0."""

    topic: str
    kind: GapKind
    coverage: ArticleCoverage
    documents: int = 0
