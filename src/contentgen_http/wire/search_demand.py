"""The demand of a niche and its queues, on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import search_demand as model
from contentgen_core.model.niche import Niche
from contentgen_core.model.search_demand import (
    MAX_ACCOUNT,
    MAX_BRAND_WORD,
    MAX_BRAND_WORDS,
    MAX_DISMISSED_DAYS,
    MAX_SITE,
    CurveSource,
    SearchQueue,
)
from contentgen_core.use_cases.search_queries.manage_search_demand import MAX_ENTRIES, NicheDemand, QueuePage
from contentgen_core.use_cases.search_queries.next_step import NextStep, next_step
from contentgen_http.wire.article_coverage import ArticleCoverage
from contentgen_http.wire.base import Answer, AnswerOf, Body, Id, Query, utc
from contentgen_http.wire.search_queries import Period, SearchReport

QUEUES: Final = (
    "write (asked for and covered, and nothing of yours answers it), enrich (asked for, and not covered), refresh "
    "(what answers it loses, or is stale) or merge (several pages share it)."
)


class CurvePoint(Answer, kw_only=True):
    """A point of the curve of clicks."""

    position: Annotated[float, Meta(description="Position in the results, from 1.")]
    share: Annotated[float, Meta(description="The share of impressions that is clicked there, in 0..1.")]


class DemandReport(AnswerOf[model.MapReport], kw_only=True):
    """What looking at the queries found."""

    started_at: Annotated[datetime, Meta(description="When it began.")]
    finished_at: Annotated[datetime, Meta(description="When it ended.")]
    period: Annotated[Period | UnsetType, Meta(description="Whose queries were looked at.")] = UNSET
    before: Annotated[Period | UnsetType, Meta(description="The period that it was compared with.")] = UNSET
    queries: Annotated[int, Meta(description="Queries of the period.")]
    looked_at: Annotated[int, Meta(description="Groups of queries that ask for the same; the 500 most shown at most.")]
    branded: Annotated[int, Meta(description="Queries left out for a word of the brand.")]
    queues: Annotated[dict[SearchQueue, int], Meta(description="Entries in each queue.")]
    curve_source: Annotated[
        CurveSource,
        Meta(description="own (the niche's own figures) or published (SISTRIX, 2020), where these are too few."),
    ]
    curve: Annotated[list[CurvePoint], Meta(description="The curve that expected clicks come from.")]
    error: Annotated[str | UnsetType, Meta(description="Why it ended early.")] = UNSET

    @classmethod
    def of(cls, report: model.MapReport) -> DemandReport:
        return cls.copy_from(
            report, curve=[CurvePoint(position=position, share=share) for position, share in report.curve]
        )


class SearchConsole(AnswerOf[model.SearchConsole], kw_only=True):
    """A property of Search Console that figures come from by themselves."""

    site: Annotated[str, Meta(description="The property.", examples=["sc-domain:example.org"])]
    client_email: Annotated[str, Meta(description="The service account, which is one of the property's users.")]
    connected_at: Annotated[datetime, Meta(description="When it was connected.")]
    fetched_at: Annotated[datetime | UnsetType, Meta(description="When its figures were read last.")] = UNSET
    error: Annotated[
        str | UnsetType, Meta(description="Why they could not be read since: access was revoked, for example.")
    ] = UNSET


class SearchConsoleConnection(Body, kw_only=True):
    """A property, and the service account that reads it."""

    site: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=MAX_SITE,
            description="As the console names it: sc-domain:example.org, or an address.",
            examples=["sc-domain:example.org"],
        ),
    ]
    service_account: Annotated[
        str,
        Meta(min_length=1, max_length=MAX_ACCOUNT, description="The service account's key file, as a text of JSON."),
    ]


class SearchDemand(AnswerOf[NicheDemand], kw_only=True):
    """What people look for in a niche."""

    niche_key: Annotated[str, Meta(description="The niche.")]
    brand_words: Annotated[list[str], Meta(description="Queries with one of these are left out.")]
    reports: Annotated[list[SearchReport], Meta(description="What was imported, the newest period first.")]
    running: Annotated[bool, Meta(description="Whether the queries are looked at now.")]
    next_at: Annotated[datetime | UnsetType, Meta(description="When they are looked at next.")] = UNSET
    last: Annotated[DemandReport | UnsetType, Meta(description="What the last look found.")] = UNSET
    console: Annotated[
        SearchConsole | UnsetType, Meta(description="Where figures come from by themselves; absent where nowhere.")
    ] = UNSET

    @classmethod
    def of(cls, found: NicheDemand) -> SearchDemand:
        demand = found.demand
        return cls(
            niche_key=found.niche.niche_key,
            brand_words=[] if demand is None else list(demand.brand_words),
            reports=[SearchReport.of(report) for report in found.reports],
            running=demand is not None and demand.job_id is not None,
            next_at=UNSET if demand is None else utc(demand.next_at),
            last=UNSET if demand is None or demand.last is None else DemandReport.of(demand.last),
            console=UNSET if demand is None or demand.console is None else SearchConsole.of(demand.console),
        )


class SearchDemandSettings(Body, kw_only=True):
    """What is left out of a niche's demand."""

    brand_words: Annotated[
        Annotated[list[Annotated[str, Meta(max_length=MAX_BRAND_WORD)]], Meta(max_length=MAX_BRAND_WORDS)],
        Meta(description="Words, or words in a row, of your brand: all of them, in place of the former ones."),
    ]


class QueryFigures(AnswerOf[model.Figures], kw_only=True):
    """The figures of a query in a period."""

    clicks: Annotated[int, Meta(description="Clicks, or visits.")]
    impressions: Annotated[int | UnsetType, Meta(description="How often it was shown; where known.")] = UNSET
    position: Annotated[float | UnsetType, Meta(description="Its average position, from 1; where known.")] = UNSET


class ShownPage(AnswerOf[model.ShownPage], kw_only=True):
    """A page that was shown for the query."""

    address: Annotated[str, Meta(description="Its address, or its path.")]
    figures: Annotated[QueryFigures, Meta(description="Of this page for the query.")]
    article_id: Annotated[str | UnsetType, Meta(description="The article that is published there.")] = UNSET


class AnsweringArticle(AnswerOf[model.AnsweringArticle], kw_only=True):
    """An article that answers the query."""

    id: Annotated[str, Meta(description="Id of the article.")]
    title: Annotated[str, Meta(description="Its title.")]
    by_page: Annotated[bool, Meta(description="true: its page was shown for the query; false: it is on this topic.")]
    stale: Annotated[bool, Meta(description="Whether it cites a document that changed since it was written.")]


class QueueStep(AnswerOf[NextStep], kw_only=True):
    """The request that does it."""

    method: Annotated[str, Meta(description="Its method.", examples=["POST"])]
    path: Annotated[str, Meta(description="Its path.", examples=["/writer/generate-plan"])]
    body: Annotated[dict[str, Any], Meta(description="Its body.")]

    @classmethod
    def of(cls, step: NextStep) -> QueueStep:
        return cls.copy_from(step, method="POST")


class QueueEntry(Answer, kw_only=True):
    """A query, what is to be done about it, and why."""

    id: Annotated[str, Meta(description="Id of the entry.")]
    queue: Annotated[SearchQueue, Meta(description=QUEUES)]
    query: Annotated[str, Meta(description="The query; of those that ask for the same one that is covered best.")]
    variants: Annotated[list[str], Meta(description="The others, 20 at most.")]
    expected_gain: Annotated[
        float,
        Meta(
            description="Clicks a month more than now: expectedCtr × impressions - clicks, for 30 days; for a refresh "
            "whose impressions are not known, the clicks that were lost."
        ),
    ]
    expected_position: Annotated[
        float | UnsetType,
        Meta(
            description="The position that this takes: of a new article 5, or the present one if it is better; of a "
            "refreshed one the better of the two periods; of merged pages that of the best."
        ),
    ] = UNSET
    expected_ctr: Annotated[
        float | UnsetType, Meta(description="The share of impressions that is clicked there, by the curve.")
    ] = UNSET
    reason: Annotated[str, Meta(description="Why it is in this queue.")]
    now: Annotated[QueryFigures, Meta(description="All its queries in the period.")]
    before: Annotated[QueryFigures | UnsetType, Meta(description="In the period before; absent without one.")] = UNSET
    pages: Annotated[list[ShownPage], Meta(description="That were shown for it, the most shown first, ten at most.")]
    coverage: Annotated[ArticleCoverage, Meta(description="How well the knowledge base covers it as a topic.")]
    articles: Annotated[list[AnsweringArticle], Meta(description="That answer it, five at most.")]
    next: Annotated[
        QueueStep | UnsetType,
        Meta(description="The request that does it. Absent for a merge, which is a decision of yours."),
    ] = UNSET
    dismissed_until: Annotated[datetime | UnsetType, Meta(description="Until when it is not listed.")] = UNSET

    @classmethod
    def of(cls, entry: model.SearchEntry, niche: Niche | None) -> QueueEntry:
        demand, decision = entry.demand, entry.decision
        step = None if niche is None else next_step(entry, niche)
        return cls.copy_from(
            demand,
            id=entry.id,
            queue=decision.queue,
            expected_gain=decision.gain,
            expected_position=decision.expected_position,
            expected_ctr=decision.expected_ctr,
            reason=decision.reason,
            next=step,
            dismissed_until=entry.dismissed_until,
        )


class QueueList(Answer, kw_only=True):
    """Entries of a niche's queues, those with most gain first."""

    entries: Annotated[list[QueueEntry], Meta(description="Of this page.")]
    total: Annotated[int, Meta(description="On all pages.")]
    page: Annotated[int, Meta(description="The page.")]
    limit: Annotated[int, Meta(description="Entries a page.")]
    running: Annotated[bool, Meta(description="Whether the queries are being looked at: ask again for the outcome.")]

    @classmethod
    def of(cls, queue: QueuePage, page: int, limit: int) -> QueueList:
        return cls(
            entries=[QueueEntry.of(entry, queue.niche) for entry in queue.found.entries],
            total=queue.found.total,
            page=page,
            limit=limit,
            running=queue.running,
        )


class QueueQuery(Query, kw_only=True):
    """Which entries."""

    niche_key: Annotated[Id, Meta(description="The niche, by its key or id.", examples=["home-energy"])]
    queue: Annotated[SearchQueue | UnsetType, Meta(description="Only this queue.")] = UNSET
    dismissed: Annotated[bool, Meta(description="Those that were dismissed, instead of the others.")] = False
    page: Annotated[int, Meta(ge=1, le=100_000, description="Page, from 1.")] = 1
    limit: Annotated[int, Meta(ge=1, le=MAX_ENTRIES, description="Entries a page.")] = 20


class Dismissal(Body, kw_only=True):
    """For how long an entry is not to be listed."""

    days: Annotated[
        Annotated[int, Meta(ge=0, le=MAX_DISMISSED_DAYS)], Meta(description="0: list it again at once.", examples=[30])
    ]
