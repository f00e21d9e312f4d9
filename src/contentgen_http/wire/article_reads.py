"""The list of articles, the state of a generation and the lengths on offer, on the wire."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import article as model
from contentgen_core.model.approval import ApprovalState
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.tenant import Caller
from contentgen_core.model.vocabulary import ArticleLength
from contentgen_core.ports.repositories.articles import ArticleQuery, SortBy, SummaryPage
from contentgen_core.use_cases.articles.queries import available_lengths
from contentgen_http.wire.articles import Article, from_model, from_summary
from contentgen_http.wire.base import Answer, Query

MAX_PAGE: Final = 1_000_000

ApprovalFilter = Literal["inReview", "approved", "changesRequested"]
StatusFilter = Literal["draft", "generating", "published", "scheduled", "failed"]

# The list has no word for generated: for a reader of it, what was generated and not yet published is a draft.
STATUSES: Final[dict[str, frozenset[ArticleStatus]]] = {
    "draft": frozenset({ArticleStatus.DRAFT, ArticleStatus.GENERATED}),
    "generating": frozenset({ArticleStatus.GENERATING}),
    "published": frozenset({ArticleStatus.PUBLISHED}),
    "scheduled": frozenset({ArticleStatus.SCHEDULED}),
    "failed": frozenset({ArticleStatus.FAILED}),
}

GenerationState = Literal["draft", "generating", "published", "failed"]
_STATES: Final[dict[ArticleStatus, GenerationState]] = {
    ArticleStatus.DRAFT: "draft",
    ArticleStatus.GENERATING: "generating",
    ArticleStatus.GENERATED: "draft",
    ArticleStatus.SCHEDULED: "draft",
    ArticleStatus.PUBLISHED: "published",
    ArticleStatus.FAILED: "failed",
}


class ArticleListQuery(Query, kw_only=True):
    page: Annotated[int, Meta(ge=1, le=MAX_PAGE, description="The page, from 1.")] = 1
    limit: Annotated[int, Meta(ge=1, le=100, description="Articles a page.")] = 20
    niche_key: Annotated[
        Annotated[str, Meta(max_length=100)] | UnsetType, Meta(description="Only articles of this niche.")
    ] = UNSET
    status: Annotated[
        StatusFilter | UnsetType, Meta(description="Only articles in this status; draft includes generated ones.")
    ] = UNSET
    search: Annotated[
        Annotated[str, Meta(max_length=200)] | UnsetType,
        Meta(description="Only articles whose title or content has words beginning with these."),
    ] = UNSET
    approval: Annotated[
        ApprovalFilter | UnsetType, Meta(description="Only articles whose present text is in this state of approval.")
    ] = UNSET
    sort_by: Annotated[SortBy, Meta(description="The date to sort by.")] = SortBy.CREATED_AT
    sort_order: Annotated[Literal["asc", "desc"], Meta(description="Oldest or newest first.")] = "desc"

    def to_query(self, caller: Caller) -> ArticleQuery:
        return ArticleQuery(
            tenant_id=caller.tenant_id,
            page=self.page,
            limit=self.limit,
            niche_key=self.niche_key or None,
            statuses=frozenset() if self.status is UNSET else STATUSES[self.status],
            search=None if self.search is UNSET else self.search.strip() or None,
            approval=None if self.approval is UNSET else ApprovalState(self.approval),
            sort_by=self.sort_by,
            descending=self.sort_order == "desc",
        )


class ArticleList(Answer, kw_only=True):
    """One page of the tenant's articles."""

    articles: Annotated[list[Article], Meta(description="The articles of this page.")]
    total: Annotated[int, Meta(description="Articles that match, on all pages.")]
    page: Annotated[int, Meta(description="This page.")]
    limit: Annotated[int, Meta(description="Articles a page.")]
    total_pages: Annotated[int, Meta(description="Pages there are; 0 when nothing matches.")]

    @classmethod
    def of(cls, page: SummaryPage, query: ArticleQuery) -> ArticleList:
        return cls(
            articles=[from_summary(article) for article in page.articles],
            total=page.total,
            page=query.page,
            limit=query.limit,
            total_pages=-(-page.total // query.limit),
        )


class GenerationStatus(Answer, kw_only=True):
    """How far a generation is. Poll it until progress is 100 or status is failed."""

    status: Annotated[
        GenerationState,
        Meta(description="generated and scheduled articles count as draft here, with progress 100."),
    ]
    progress: Annotated[int, Meta(description="Percent done, 0-100; a failed generation keeps its last.")]
    article: Annotated[Article, Meta(description="The article as it is now.")]
    message: Annotated[str | UnsetType, Meta(description="What it waits for, in words, if it waits.")] = UNSET

    @classmethod
    def of(cls, article: model.Article, waiting: int) -> GenerationStatus:
        """`waiting`: how many of its parts wait for the answers of a batch."""
        message: str | UnsetType = UNSET
        if article.waiting is not None:
            message = f"{article.waiting.reason}. It goes on by itself once that is back."
        elif waiting:
            parts = "1 part waits" if waiting == 1 else f"{waiting} parts wait"
            message = f"{parts} for the answers of a batch, which come within a day."
        return cls(
            status=_STATES[article.status],
            progress=article.percent_done,
            article=from_model(article),
            message=message,
        )


class LengthOption(Answer, kw_only=True):
    """An article length."""

    id: Annotated[ArticleLength, Meta(description="Its name in requests.")]
    available: Annotated[bool, Meta(description="Whether your plan includes it.")]
    min_words: Annotated[int, Meta(description="Fewest words aimed at.", examples=[600])]
    max_words: Annotated[int, Meta(description="Most words aimed at.", examples=[1200])]


class LengthOptions(Answer, kw_only=True):
    """Every article length, shortest first."""

    lengths: Annotated[list[LengthOption], Meta(description="The lengths.")]

    @classmethod
    def for_caller(cls, caller: Caller) -> LengthOptions:
        return cls(
            lengths=[
                LengthOption.copy_from(bounds, id=length, available=allowed)
                for length, (bounds, allowed) in available_lengths(caller).items()
            ]
        )
