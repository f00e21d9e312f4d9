"""Search demand of a niche: queries, the articles that answer them, and the queues they are in."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import field, frozen

from contentgen_core.model.coverage import ArticleCoverage
from contentgen_core.model.ids import ArticleId, JobId, NicheId, SearchDemandId, SearchEntryId, TenantId
from contentgen_core.model.search_report import Period

MAX_BRAND_WORDS: Final = 50
MAX_BRAND_WORD: Final = 100
MAX_DISMISSED_DAYS: Final = 365
MAX_SITE: Final = 500
MAX_ACCOUNT: Final = 10_000
"""Characters of a property's name, and of a service account's key file."""


class SearchQueue(StrEnum):
    """write: asked for and covered, and nothing answers it; enrich: asked for, and not covered; refresh: what answers
    it loses, or is stale; merge: several pages share it, and none of them is the one."""

    WRITE = "write"
    ENRICH = "enrich"
    REFRESH = "refresh"
    MERGE = "merge"


@frozen
class Figures:
    """The figures of a query in a period. `impressions`, `position`: None where the source does not say."""

    clicks: int
    impressions: int | None = None
    position: float | None = None


@frozen
class ShownPage:
    """A page that was shown for a query. `address`: as the source writes it; `article_id`: of the article that was
    published there, if it is one."""

    address: str
    figures: Figures
    article_id: ArticleId | None = None


@frozen
class AnsweringArticle:
    """An article that answers a query: it is published on a page that was shown for it, or is on this topic. `stale`:
    whether it cites a document that changed since it was written."""

    id: ArticleId
    title: str
    by_page: bool
    stale: bool = False


@frozen
class QueryDemand:
    """A query with all that was found on it. `query`: of those that ask for the same the one that is covered best, the
    others are in `variants`; `now`, `before`: figures of them all in the period, and in the one before
    it, None without one; `pages`: that were shown for it in the period, the most shown first; `coverage`: of the query
    as a topic; `begun`: whether an article on it is being written."""

    query: str
    variants: tuple[str, ...]
    now: Figures
    before: Figures | None
    pages: tuple[ShownPage, ...]
    coverage: ArticleCoverage
    articles: tuple[AnsweringArticle, ...] = ()
    begun: bool = False


@frozen
class Decision:
    """The recommended action for a query. `gain`: the expected additional clicks a month; they come from
    `expected_ctr`, the share of impressions that are clicked at `expected_position`; both None where the gain does not
    rest on them. `reason`: in a sentence."""

    queue: SearchQueue
    gain: float
    reason: str
    expected_position: float | None = None
    expected_ctr: float | None = None


@frozen
class SearchEntry:
    """A query in its queue. `dismissed_until`: a person wants to see it no sooner."""

    id: SearchEntryId
    tenant_id: TenantId
    demand_id: SearchDemandId
    niche_key: str
    demand: QueryDemand
    decision: Decision
    created_at: datetime
    dismissed_until: datetime | None = None


class CurveSource(StrEnum):
    """own: fitted to the niche's own figures; published: of a study, where these are too few."""

    OWN = "own"
    PUBLISHED = "published"


@frozen
class MapReport:
    """The result of mapping a niche's queries. `period`, `before`: which were compared; `queries`: that people searched
    for in the period; `looked_at`: groups of these, those with most impressions; `branded`: queries left out for a word
    of the brand; `queues`: entries in each; `curve`: the source of the expected clicks, with its points (position,
    share). `state`: of the knowledge base. `error`: why it ended early."""

    started_at: datetime
    finished_at: datetime
    period: Period | None = None
    before: Period | None = None
    queries: int = 0
    looked_at: int = 0
    branded: int = 0
    queues: tuple[tuple[SearchQueue, int], ...] = ()
    curve_source: CurveSource = CurveSource.PUBLISHED
    curve: tuple[tuple[float, float], ...] = ()
    state: str | None = None
    error: str | None = None


@frozen
class SearchConsole:
    """A property of Google's Search Console that a niche's figures come from. `site`: as the console names it
    (`sc-domain:example.org`, or an address); `client_email`: of the service account, whose key is `sealed`; `fetched`:
    the periods that were read last, at `fetched_at`; `error`: why reading failed since; what was read stays."""

    site: str
    client_email: str
    sealed: str = field(repr=False)
    connected_at: datetime
    fetched: tuple[Period, ...] = ()
    fetched_at: datetime | None = None
    error: str | None = None


@frozen
class SearchDemand:
    """The demand of a niche. `brand_words`: queries with one of these are left out; `next_at`: when it is looked at
    next; `job_id`: of the look under way; `console`: where figures come from by themselves."""

    id: SearchDemandId
    tenant_id: TenantId
    niche_id: NicheId
    niche_key: str
    created_at: datetime
    updated_at: datetime
    next_at: datetime
    brand_words: tuple[str, ...] = ()
    job_id: JobId | None = None
    last: MapReport | None = None
    console: SearchConsole | None = None
    revision: int = 1
