"""Coverage of a topic by the knowledge base. The specification has two vocabularies of levels, which REQUEST_LEVELS
maps."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.errors import ContentgenError
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.model.vocabulary import ArticleLength


class CoverageLevel(StrEnum):
    """The levels as a check answers them."""

    INSUFFICIENT = "insufficient"
    LOW = "low"
    GOOD = "good"
    EXCELLENT = "excellent"


class PlanQuality(StrEnum):
    EXCELLENT = "excellent"
    GOOD = "good"
    FAIR = "fair"
    POOR = "poor"


REQUEST_LEVELS: Final[dict[str, CoverageLevel]] = {
    "high": CoverageLevel.EXCELLENT,
    "medium": CoverageLevel.GOOD,
    "low": CoverageLevel.LOW,
    "insufficient": CoverageLevel.INSUFFICIENT,
    # clients may pass the level of a check on unchanged
    "excellent": CoverageLevel.EXCELLENT,
    "good": CoverageLevel.GOOD,
}

PLAN_QUALITY: Final[dict[CoverageLevel, PlanQuality]] = {
    CoverageLevel.EXCELLENT: PlanQuality.EXCELLENT,
    CoverageLevel.GOOD: PlanQuality.GOOD,
    CoverageLevel.LOW: PlanQuality.FAIR,
    CoverageLevel.INSUFFICIENT: PlanQuality.POOR,
}


PROVISIONAL: Final = "Documents are still being read: this answer may change. Ask again in a few minutes."


@frozen
class TermFinding:
    """The places of one of the topic's words. `titles`: those of the best documents that have it, at most three."""

    word: str
    passages: int = 0
    documents: int = 0
    in_headings: bool = False
    titles: tuple[str, ...] = ()


@frozen
class CoverageEvidence:
    """The evidence of a coverage score. Shares are in 0..1.

    Scored; more of it (of `missing`: less) never lowers the score. saturation: the best passage's BM25 over its upper
    bound for this topic; information: that of the best passage's terms in nats, how unlikely they are to occur together
    by chance; missing: the subject's words that no passage has, in the language that has most of them; breadth, depth:
    the independent documents and passages on the topic, those partly on it counted in part; nearness: of the passage
    nearest in meaning, 0 as near as sentences on different things, 1 as a paraphrase, None where no meaning was
    compared; prominence: how much nearer that is than usual in this knowledge base. subject_words: how
    many words of the topic name its subject, enough for a long one if it is a question; it sets how the others count.

    Shown. term_share: the share of the topic's information in the best three documents together; documents, passages:
    those on the topic; sites: the different hosts of their addresses; newest, oldest: the years in which these
    documents were fetched, None where no date is known; diversity: how little the documents on the topic repeat each
    other's words; agreement: the overlap of the ranking by words with the index's own; terms: the topic's words; found:
    where each was found; missing_terms: those that no passage has; unsourced: of the things that the topic
    lists by name, those that no passage is on; on_topic: the passages on the topic."""

    saturation: float = 0.0
    information: float = 0.0
    missing: int = 0
    breadth: float = 0.0
    depth: float = 0.0
    nearness: float | None = None
    prominence: float = 0.0
    subject_words: int = 0
    term_share: float = 0.0
    documents: int = 0
    passages: int = 0
    sites: int = 0
    newest: int | None = None
    oldest: int | None = None
    diversity: float = 0.0
    agreement: float = 0.0
    terms: tuple[str, ...] = ()
    missing_terms: tuple[str, ...] = ()
    found: tuple[TermFinding, ...] = ()
    unsourced: tuple[str, ...] = ()
    on_topic: frozenset[SourceRef] = frozenset()


@frozen
class ArticleCoverage:
    """The coverage of an article's topic when its sources were chosen. `score` is in 0..100. `missing`: of the
    things that the topic lists by name, those that no source was on, then the subject's words that no source had, the
    first few. `provisional`: as in `Coverage`."""

    level: CoverageLevel
    score: float
    missing: tuple[str, ...] = ()
    provisional: bool = False


@frozen
class WordForecast:
    """The number of words that an article's sources suffice for. `target`: those of its length; `sections`: of each
    section of a plan, without its heading; empty without a plan."""

    length: ArticleLength
    target: int
    words: int
    sections: tuple[int, ...] = ()

    @property
    def share(self) -> float:
        """The share of the target that the sources suffice for, at most 1."""
        return min(1.0, self.words / self.target)


@frozen
class Coverage:
    """The coverage of a topic. `score` is in 0..100. `ranked`: the passages found, best first, near-duplicates removed;
    `off_topic`: those of them that are about something else, judged with their documents. `provisional`: whether it
    may change without a change of the knowledge base, since not all of its passages have a vector yet, or the embedder
    failed."""

    level: CoverageLevel
    score: float
    evidence: CoverageEvidence
    ranked: tuple[RankedPassage, ...] = ()
    off_topic: frozenset[SourceRef] = frozenset()
    provisional: bool = False

    @property
    def best_passages(self) -> tuple[RankedPassage, ...]:
        """The best passage of each document, best first."""
        best: dict[DocumentId, RankedPassage] = {}
        for ranked in self.ranked:
            best.setdefault(ranked.passage.document.id, ranked)
        return tuple(best.values())

    @property
    def sources_found(self) -> int:
        """The number of documents that the passages are from."""
        return len(self.best_passages)


class CoverageTooLow(ContentgenError):
    """The knowledge base does not hold enough on the topic. `coverage`: as a check would return it."""

    code = "coverage_too_low"

    def __init__(self, message: str, coverage: Coverage) -> None:
        super().__init__(f"{message} {PROVISIONAL}" if coverage.provisional else message)
        self.coverage = coverage
