"""Articles, and the checkpoints of their generation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final, Protocol

from attrs import frozen

from contentgen_core.model.approval import ApprovalState
from contentgen_core.model.article import Article, ArticleStatus, ProviderWait, Usage
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.article_summary import ArticleSummary
from contentgen_core.model.drafting import SectionDraft
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.model.job import Job
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.writing import StageRecord


class SortBy(StrEnum):
    CREATED_AT = "createdAt"
    UPDATED_AT = "updatedAt"
    PUBLISHED_AT = "publishedAt"


@frozen
class ArticleQuery:
    """A query for articles. `statuses`: any of these; empty: all. `search`: every word of it begins a word of the title
    or the content; a search without a word matches all. `approval`: of the present text; never NONE. Articles without
    the date sorted by come last in either order; equal dates are ordered by id, in the same direction."""

    tenant_id: TenantId
    page: int = 1
    limit: int = 20
    niche_key: str | None = None
    statuses: frozenset[ArticleStatus] = frozenset()
    search: str | None = None
    approval: ApprovalState | None = None
    language: Language | None = None
    sort_by: SortBy = SortBy.CREATED_AT
    descending: bool = True


@frozen
class Page:
    """A page of articles, without plan, sources, grounding and usage. `total`: over all pages."""

    articles: tuple[Article, ...]
    total: int


@frozen
class SummaryPage:
    """The same page of a query, as far as a list shows the articles."""

    articles: tuple[ArticleSummary, ...]
    total: int


EXAMINED_AT_ONCE: Final = 1_000


@frozen
class ArticleTitle:
    id: ArticleId
    title: str
    status: ArticleStatus
    created_at: datetime


@frozen
class ChangedArticles:
    """Articles with sources that changed, newest first. `before`: where to go on, None at the end."""

    articles: tuple[ArticleTitle, ...]
    before: ArticleId | None


@frozen
class CitingArticle:
    """An article with one of its sources. `quotes`: the words of the passage that its text rests on."""

    article: ArticleTitle
    source: SourceRef
    quotes: tuple[str, ...]


@frozen
class ArticleOutcome:
    """What has become of an article. `percent_done`: of its generation; `usage`: None before a model was asked."""

    id: ArticleId
    title: str
    status: ArticleStatus
    percent_done: int
    words: int
    usage: Usage | None


class Articles(Protocol):
    """The articles of tenants."""

    async def add(self, article: Article) -> None:
        """Raises TopicAlreadyGenerating."""
        ...

    async def get(self, tenant_id: TenantId, article_id: ArticleId) -> Article:
        """Raises NotFound."""
        ...

    async def listed(self, tenant_id: TenantId, article_id: ArticleId) -> Article:
        """As `page` gives it. Raises NotFound."""
        ...

    async def save(self, article: Article) -> Article:
        """Store a changed article that was read at `article.revision`; returns it with the next revision. Raises
        ConcurrentChange, NotFound, TopicAlreadyGenerating, DuplicateFreeArticle."""
        ...

    async def set_progress(self, tenant_id: TenantId, article_id: ArticleId, progress: int) -> None:
        """Increase a generating article's progress (never lower it). Does not change the revision."""
        ...

    async def set_waiting(self, tenant_id: TenantId, article_id: ArticleId, waiting: ProviderWait | None) -> None:
        """Set what a generating article waits for. Does not change the revision."""
        ...

    async def delete(self, tenant_id: TenantId, article_id: ArticleId) -> None:
        """Delete it with everything that belongs to it. Raises NotFound."""
        ...

    async def free_public_slug(self, wanted: str, article_id: ArticleId) -> str:
        """`wanted`, with a number appended where another public article of any tenant has it. Reserved until the
        transaction ends."""
        ...

    async def page(self, query: ArticleQuery) -> Page:
        """The page of a query, and the total over all pages."""

    async def summaries(self, query: ArticleQuery) -> SummaryPage:
        """The same page for whoever only shows it, with half the work."""
        ...

    async def with_changed_sources(
        self,
        tenant_id: TenantId,
        before: ArticleId | None,
        limit: int,
        examined: int = EXAMINED_AT_ONCE,
        *,
        niche_key: str | None = None,
    ) -> ChangedArticles:
        """Of the newest `examined` written articles, or of those that are older than `before`, the first `limit`
        that cite a document that was removed, or revised after they were created and after they were marked as
        fresh, or that has the weaker side of a conflict of their niche that is so since they were marked as fresh,
        newest first. `niche_key`: only articles of this niche. Raises NotFound for `before`."""
        ...

    async def sources_changed(self, tenant_id: TenantId, article_ids: Sequence[ArticleId]) -> set[ArticleId]:
        """Those of these articles that `with_changed_sources` would give."""
        ...

    async def translations_of(self, tenant_id: TenantId, article_id: ArticleId, limit: int) -> list[Article]:
        """The articles that are translations of this one, the newest first, as `page` gives them."""
        ...

    async def citing(
        self, tenant_id: TenantId, niche_key: str, sources: Sequence[SourceRef], examined: int = EXAMINED_AT_ONCE
    ) -> list[CitingArticle]:
        """Those of the newest `examined` written articles of a niche that cite one of these passages, newest first,
        each with those of its sources that are among them, by number."""
        ...

    async def mark_fresh(self, tenant_id: TenantId, article_id: ArticleId, at: datetime) -> None:
        """Remember that all its sentences were what their sources said then, as long as its content stays as it is.
        Does not change the revision."""
        ...

    async def count_by_status(self, tenant_id: TenantId, niche_key: str) -> dict[ArticleStatus, int]:
        """How many articles of a niche are in each state; states without any are left out."""
        ...

    async def is_generating(self, tenant_id: TenantId, topic_key: str) -> bool:
        """Whether an article on this topic is being generated."""
        ...

    async def statuses(self, tenant_id: TenantId, article_ids: Sequence[ArticleId]) -> dict[ArticleId, ArticleStatus]:
        """The statuses of those articles that exist."""
        ...

    async def outcomes(self, tenant_id: TenantId, article_ids: Sequence[ArticleId]) -> dict[ArticleId, ArticleOutcome]:
        """What has become of those articles that exist."""
        ...

    async def recent_topics(self, tenant_id: TenantId, niche_key: str, limit: int) -> list[str]:
        """Topics of the newest articles, newest first."""
        ...


class Generations(Protocol):
    """The checkpoints of generations: results that a later attempt does not compute again."""

    async def save_sources(self, article_id: ArticleId, sources: Sequence[RankedPassage]) -> None:
        """Store the result of retrieval, replacing a former one, as copies of the passages."""
        ...

    async def sources(self, article_id: ArticleId) -> tuple[RankedPassage, ...] | None:
        """None before retrieval."""
        ...

    async def save_draft(
        self, held: Job, article_id: ArticleId, position: int, draft: SectionDraft, stage: StageRecord, progress: int
    ) -> bool:
        """Store one written section, replacing a former one at this position, with the stage that ended, as `record`,
        and how far the article is, as `Articles.set_progress`; nothing unless the worker certainly holds the job, as
        after `Jobs.fence`. Whether it does. First in a transaction it is one by itself: it stays stored whatever
        follows.

        `progress`: in percent. Raises NotFound."""
        ...

    async def drafts(self, article_id: ArticleId) -> dict[int, SectionDraft]:
        """The stored sections by position."""

    async def clear_drafts(self, article_id: ArticleId) -> None: ...

    async def record(self, article_id: ArticleId, stage: StageRecord) -> None:
        """Keep that a stage came to its end, as long as the article is kept."""
        ...

    async def stages(self, article_id: ArticleId) -> tuple[StageRecord, ...]:
        """What was kept, in the order of the beginnings; at most MAX_STAGES, the latest."""
        ...
