"""Cost of writing: the stages of an article, and the figures of many articles together."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Final, Self

from attrs import frozen

from contentgen_core.model.article import Article, ArticleStatus, Usage
from contentgen_core.model.ids import TenantId
from contentgen_core.model.prices import Cost

MAX_STAGES: Final = 200
"""Of an article, that are read: more than three attempts with the most sections have."""
MAX_STAGE_HEADING: Final = 300


class Stage(StrEnum):
    """sources: passages are searched; plan: a model plans; section: one is written and checked, and rewritten where
    sentences were not supported; check: the whole is checked and put together."""

    SOURCES = "sources"
    PLAN = "plan"
    SECTION = "section"
    CHECK = "check"


@frozen
class StageRecord:
    """A stage of an article's writing that came to its end. `attempt`: of the job, from 1; 0 for a plan that a person
    asked for. `usage`: None where no model was asked; `heading`: of the section."""

    stage: Stage
    started_at: datetime
    seconds: float
    attempt: int
    usage: Usage | None = None
    heading: str | None = None


@frozen
class WritingFigures:
    """Articles whose writing ended. `words`: of those written; `coverage`: the sum of the scores (0..100) of `covered`
    of them, whose topic was assessed; `sentences`, of which `supported` are, by their receipts; `cached_tokens`: of
    `input_tokens`, that vendors had kept; `costs`: one a currency; `unpriced`: articles with tokens whose price is not
    known."""

    written: int = 0
    failed: int = 0
    words: int = 0
    covered: int = 0
    coverage: float = 0.0
    sentences: int = 0
    supported: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    unpriced: int = 0
    cached_tokens: int = 0
    costs: tuple[Cost, ...] = ()

    def plus(self, other: WritingFigures) -> WritingFigures:
        """Return the sum of both."""
        costs: dict[str, int] = {}
        for cost in (*self.costs, *other.costs):
            costs[cost.currency] = costs.get(cost.currency, 0) + cost.micros
        return WritingFigures(
            self.written + other.written,
            self.failed + other.failed,
            self.words + other.words,
            self.covered + other.covered,
            self.coverage + other.coverage,
            self.sentences + other.sentences,
            self.supported + other.supported,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.unpriced + other.unpriced,
            self.cached_tokens + other.cached_tokens,
            tuple(Cost(micros, currency) for currency, micros in sorted(costs.items())),
        )

    @property
    def mean_coverage(self) -> float | None:
        """The mean score of the topics, 0..100; None where none was assessed."""
        return self.coverage / self.covered if self.covered else None

    @property
    def support(self) -> float | None:
        """The share of sentences that are supported, 0..1; None without sentences."""
        return self.supported / self.sentences if self.sentences else None

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


class FiguresBy(StrEnum):
    """The key by which figures are summed."""

    MONTH = "month"
    AGENT = "agent"
    MODEL = "model"
    TENANT = "tenant"


@frozen
class EndedWriting:
    """The figures that a finished article adds. `month`: its first day (UTC); `agent_key`, `model`: "" without one."""

    tenant_id: TenantId
    month: date
    agent_key: str
    model: str
    figures: WritingFigures

    @classmethod
    def of(cls, article: Article, at: datetime) -> Self:
        """Return the figures of an article. `article`: as it is now, written or failed."""
        written, usage = article.status is ArticleStatus.GENERATED, article.usage
        used = usage is not None and bool(usage.input_tokens or usage.output_tokens)
        totals = article.grounding.totals if written and article.grounding is not None else None
        cost = usage.cost if usage is not None and used else None
        return cls(
            article.tenant_id,
            at.date().replace(day=1),
            "" if article.agent_key is None else str(article.agent_key),
            "" if usage is None else usage.model,
            WritingFigures(
                written=int(written),
                failed=int(not written),
                words=article.word_count if written else 0,
                covered=int(written and article.coverage is not None),
                coverage=article.coverage.score if written and article.coverage is not None else 0.0,
                sentences=totals.sentences if totals else 0,
                supported=round(totals.citation_recall * totals.sentences) if totals else 0,
                input_tokens=usage.input_tokens if usage is not None else 0,
                output_tokens=usage.output_tokens if usage is not None else 0,
                unpriced=int(used and cost is None),
                cached_tokens=usage.cached_tokens if usage is not None else 0,
                costs=(cost,) if cost is not None and cost.micros else (),
            ),
        )
