"""How well a niche is looked after: what is known of it, and what is made of that."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum

from attrs import frozen

from contentgen_core.model.area import Area
from contentgen_core.model.knowledge import Origin
from contentgen_core.model.vocabulary import Language


class Criterion(StrEnum):
    """What is judged; docs/decisions/0013 has the formulas."""

    COVERAGE = "coverage"
    FRESHNESS = "freshness"
    DIVERSITY = "diversity"
    CADENCE = "cadence"
    ORIGINALITY = "originality"
    GROUNDING = "grounding"


class Grade(StrEnum):
    A = "A"
    B = "B"
    C = "C"
    D = "D"
    E = "E"


@frozen
class DocumentFacts:
    """What a document of the knowledge base says of its age and where it comes from."""

    origin: Origin
    created_at: datetime
    url: str | None = None
    fetched_at: datetime | None = None
    published: date | None = None


@frozen
class ArticleFacts:
    title: str
    topic: str
    language: Language


@frozen
class PublishedFacts:
    """A published article. `recall`, `precision`: those of its receipt, in 0..1; None without one: a person has changed
    the text since, or wrote it. `sources`: how many it cites."""

    sources: int
    recall: float | None = None
    precision: float | None = None


@frozen
class Pace:
    """Published articles in the last 30 and in the last 90 days, and how many a month are aimed at (above 0)."""

    last_30_days: int
    last_90_days: int
    aim: float


@frozen
class Finding:
    """One criterion judged. `score` in 0..100. `measured`: False where there is nothing to judge yet; such a criterion
    does not count. `figures`: what the score rests on, by name."""

    criterion: Criterion
    score: float
    grade: Grade
    evidence: str
    figures: Mapping[str, float]
    next_action: str
    measured: bool = True


@frozen
class Evaluation:
    """`findings` in the order of Criterion. `next_action`: that of the finding by which most can be gained."""

    area: Area
    evaluated_at: datetime
    score: float
    grade: Grade
    findings: tuple[Finding, ...]
    next_action: str
