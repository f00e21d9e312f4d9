"""The evaluation of a niche: the facts it is computed from, and its result."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum

from attrs import frozen

from contentgen_core.model.area import Area
from contentgen_core.model.knowledge import Origin
from contentgen_core.model.vocabulary import Language


class Criterion(StrEnum):
    """The criteria; docs/decisions/0013 has the formulas."""

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
    """The age and the origin of a document of the knowledge base. `published`: the date it states."""

    origin: Origin
    created_at: datetime
    url: str | None = None
    fetched_at: datetime | None = None
    published: date | None = None


@frozen
class ArticleFacts:
    """An article's texts, for originality."""

    title: str
    topic: str
    language: Language


@frozen
class PublishedFacts:
    """A published article. `recall`, `precision`: of the citations, from its receipt, in 0..1; None without a receipt:
    a person wrote or changed the text. `sources`: how many it cites."""

    sources: int
    recall: float | None = None
    precision: float | None = None


@frozen
class Pace:
    """The articles published in the last 30 and in the last 90 days, and the aim per month (above 0)."""

    last_30_days: int
    last_90_days: int
    aim: float


@frozen
class Finding:
    """The result of one criterion. `score` in 0..100. `measured`: False where there is nothing to judge yet; such a
    criterion does not count. `figures`: the inputs of the score, by name."""

    criterion: Criterion
    score: float
    grade: Grade
    evidence: str
    figures: Mapping[str, float]
    next_action: str
    measured: bool = True


@frozen
class Evaluation:
    """The result of all criteria. `findings` in the order of Criterion. `next_action`: that of the finding with most
    points to gain."""

    area: Area
    evaluated_at: datetime
    score: float
    grade: Grade
    findings: tuple[Finding, ...]
    next_action: str
