"""The job MAP_QUERIES: what a niche's queries are answered by, whether they are covered, and which queue they are in.

Coverage is stored batch by batch, with the state of the knowledge base, so that an attempt after a crash resumes there
and the next look assesses only what is new while the knowledge base stays as it is."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from attrs import evolve, frozen

from contentgen_core.concurrency import run_concurrently
from contentgen_core.errors import NotFound
from contentgen_core.model.coverage import ArticleCoverage
from contentgen_core.model.ids import SearchDemandId, SearchEntryId
from contentgen_core.model.job import Job
from contentgen_core.model.search_demand import (
    Figures,
    MapReport,
    QueryDemand,
    SearchDemand,
    SearchEntry,
    SearchQueue,
    ShownPage,
)
from contentgen_core.model.search_report import SearchFigures
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import LENGTHS, Language
from contentgen_core.policies.coverage.of_article import article_coverage
from contentgen_core.policies.searches.asked import Chosen, by_query, chosen_reports, pages_of
from contentgen_core.policies.searches.click_curve import PUBLISHED, ClickCurve, fit_curve
from contentgen_core.policies.searches.grouping import Group, group_queries, is_branded, most_asked, sum_figures
from contentgen_core.policies.searches.pages import page_key
from contentgen_core.policies.searches.queues import Compared, decide
from contentgen_core.policies.topics.seeds import ASSESSED_FOR
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.overview import Overview
from contentgen_core.ports.repositories.search_demands import SearchDemands
from contentgen_core.ports.repositories.search_reports import SearchReports
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.context import WritingContext, context_of_niche
from contentgen_core.use_cases.jobs import AttemptRunner, JobFailed, subject_of
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_core.use_cases.search_queries.answers import FindAnswers, Known
from contentgen_core.use_cases.search_queries.console import ReadSearchConsole
from contentgen_core.use_cases.topic_meaning import MAX_COMPARED, TopicMeaning
from contentgen_core.use_cases.use_case import use_case

ROWS: Final = 25_000
"""Of a report, the most shown ones: as many as a search engine gives at once."""
LOOKED_AT: Final = 500
"""Groups of queries, the most shown ones: each takes a search of the knowledge base."""
BATCH: Final = 20
AT_ONCE: Final = 4
CUT_AFTER: Final = 1_000
"""Rows after which exports end: a query that is not in one of so many may have been asked for all the same. In others,
nobody asked for it."""
MOST_VARIANTS: Final = 20
MOST_WORDINGS: Final = 3
MOST_PAGES: Final = 10


@frozen
class _Asked:
    """The queries to map: groups with their figures, the curve of clicks, and how many queries there were."""

    groups: Sequence[Group]
    now: Mapping[str, Figures]
    before: Mapping[str, Figures] | None
    pages: Mapping[str, Sequence[SearchFigures]]
    curve: ClickCurve
    queries: int
    branded: int


_NOTHING: Final = _Asked((), {}, None, {}, PUBLISHED, 0, 0)


@use_case
class MapQueries:
    """`retrieve`: without a cross-encoder, which changes no level and would be called hundreds of times."""

    runner: AttemptRunner
    retrieve: Retrieve
    answers: FindAnswers
    console: ReadSearchConsole
    analysis: TextAnalysis
    meaning: TopicMeaning

    async def __call__(self, job: Job) -> None:
        """Look at the queries of a claimed job's niche, or bring the job back into the queue."""
        await self.runner.run(job, self._work, self._fail)

    async def _work(self, job: Job) -> None:
        started_at = self.runner.clock.now()
        await self._read_console(job)
        async with self.runner.fenced(job) as tx:
            demand = await self._demand(tx, job)
            context = await self._context(tx, demand)
            chosen = chosen_reports(await tx[SearchReports].of_niche(job.tenant_id, demand.niche_key))
            state = (await tx[Overview].figures(context.view, started_at)).state
        asked = _NOTHING if chosen is None else await self._read_queries(job, demand, chosen, context.default_language)
        coverages = await self._coverages(
            job, demand, context, state, [query for group in asked.groups for query in _wordings_to_assess(group)]
        )
        known = await self.answers.known(job.tenant_id, demand.niche_key)
        entries = await self._entries(demand, asked, coverages, known, chosen)
        report = _report(started_at, chosen, asked, entries, state)
        async with self.runner.fenced(job) as tx:
            await self._demand(tx, job)
            dismissed = await tx[SearchDemands].dismissed(demand.id, started_at)
            kept = [evolve(entry, dismissed_until=_dismissed_until(entry, dismissed)) for entry in entries]
            await tx[SearchDemands].replace_entries(demand.id, kept, state)
            await self._end(tx, job, report)
            await tx[Jobs].finish(job)

    async def _read_console(self, job: Job) -> None:
        """First the newest figures, where a property of Search Console is connected; without them, those of before."""
        async with self.runner.fenced(job) as tx:
            demand = await self._demand(tx, job)
        if self.console.due(demand):
            console, found = await self.console.figures(demand)
            async with self.runner.fenced(job) as tx:
                await self.console.store(tx, await self._demand(tx, job), console, found)

    async def _read_queries(self, job: Job, demand: SearchDemand, chosen: Chosen, language: Language) -> _Asked:
        async with self.runner.fenced(job) as tx:
            rows = await tx[SearchReports].figures(job.tenant_id, chosen.now.id, ROWS)
            before, pages = [
                None if report is None else await tx[SearchReports].figures(job.tenant_id, report.id, ROWS)
                for report in (chosen.before, chosen.pages)
            ]
        asked = await asyncio.to_thread(self._group, demand, rows, before, pages or (), language)
        return evolve(asked, groups=await self._same_meaning(asked.groups))

    def _group(
        self,
        demand: SearchDemand,
        rows: Sequence[SearchFigures],
        former: Sequence[SearchFigures] | None,
        paged: Sequence[SearchFigures],
        language: Language,
    ) -> _Asked:
        everything, brand = by_query(rows), demand.brand_words
        now = {query: own for query, own in everything.items() if not is_branded(query, brand)}
        before = None if former is None else by_query(former)
        gone = {} if len(rows) % CUT_AFTER == 0 else before or {}
        weights = {query: own for query, own in gone.items() if not is_branded(query, brand)} | now
        groups = group_queries(most_asked(weights), language, self.analysis)
        sums = {group: sum_figures([weights[query] for query in group.queries]) for group in groups}
        groups.sort(key=lambda group: (-(sums[group].impressions or 0), -sums[group].clicks))
        placed = [(f.position, f.impressions or 0, f.clicks) for f in now.values() if f.position is not None]
        return _Asked(
            groups=groups[:LOOKED_AT],
            now=now,
            before=before,
            pages=pages_of(paged),
            curve=fit_curve(placed),
            queries=len(everything),
            branded=len(everything) - len(now),
        )

    async def _same_meaning(self, groups: Sequence[Group]) -> list[Group]:
        """Join the groups that ask for the same in other words, where the embedder models meaning."""
        joined: dict[str, Group] = {}
        for group in groups:
            same = await self.meaning.same(group.query, list(joined)[:MAX_COMPARED]) if self.meaning.known else None
            if same is None:
                joined[group.query] = group
            else:
                joined[same] = joined[same].joined(group)
        return list(joined.values())

    async def _coverages(
        self, job: Job, demand: SearchDemand, context: WritingContext, state: str, queries: Sequence[str]
    ) -> Mapping[str, ArticleCoverage]:
        async with self.runner.fenced(job) as tx:
            known = await tx[SearchDemands].coverages(demand.id, state)
        slots = asyncio.Semaphore(AT_ONCE)

        async def assess(query: str) -> ArticleCoverage:
            async with slots:
                found = await self.retrieve(context.view, query, LENGTHS[ASSESSED_FOR].passages)
            return article_coverage(await asyncio.to_thread(found.coverage, ASSESSED_FOR))

        left = [query for query in queries if query not in known]
        for start in range(0, len(left), BATCH):
            batch = left[start : start + BATCH]
            assessed = dict(zip(batch, await run_concurrently(assess(query) for query in batch), strict=True))
            known |= assessed
            async with self.runner.fenced(job) as tx:
                await tx[SearchDemands].save_coverages(demand.id, state, assessed)
        return known

    async def _entries(
        self,
        demand: SearchDemand,
        asked: _Asked,
        coverages: Mapping[str, ArticleCoverage],
        known: Known,
        chosen: Chosen | None,
    ) -> list[SearchEntry]:
        if chosen is None:
            return []
        days = [0 if period is None else period.days for period in chosen.periods]
        compared = Compared(days[0], days[1] or days[0], asked.curve)
        entries: list[SearchEntry] = []
        for group in asked.groups:
            pages = _pages(group, asked, known)
            articles, begun = await self.answers.of(group.queries[:MOST_VARIANTS], pages, known)
            query = max(_wordings_to_assess(group), key=lambda wording: coverages[wording].score)
            found = QueryDemand(
                query=query,
                variants=tuple(other for other in group.queries if other != query)[:MOST_VARIANTS],
                now=sum_figures([asked.now[one] for one in group.queries if one in asked.now]),
                before=_figures_before(group, asked),
                pages=pages[:MOST_PAGES],
                coverage=coverages[query],
                articles=articles,
                begun=begun,
            )
            decision = decide(found, compared)
            if decision is not None:
                id = SearchEntryId(hashlib.sha256(f"{demand.id}\n{query}".encode()).hexdigest()[:32])
                now = self.runner.clock.now()
                entries.append(SearchEntry(id, demand.tenant_id, demand.id, demand.niche_key, found, decision, now))
        return entries

    async def _context(self, tx: Transaction, demand: SearchDemand) -> WritingContext:
        try:
            return await context_of_niche(tx, demand.tenant_id, demand.niche_key)
        except NotFound as error:
            raise JobFailed(f"{error.detail} It was there when its queries were imported.") from error

    async def _demand(self, tx: Transaction, job: Job) -> SearchDemand:
        return await subject_of(job, tx[SearchDemands].get(job.tenant_id, SearchDemandId(job.subject_id)))

    async def _fail(self, tx: Transaction, job: Job, reason: str) -> None:
        now = self.runner.clock.now()
        demand = await self._demand(tx, job)
        former = demand.last or MapReport(now, now)
        await self._end(tx, job, evolve(former, started_at=now, finished_at=now, error=reason))

    async def _end(self, tx: Transaction, job: Job, report: MapReport) -> None:
        demand = await self._demand(tx, job)
        done = evolve(report, finished_at=self.runner.clock.now())
        await tx[SearchDemands].save(evolve(demand, job_id=None, last=done))


def _wordings_to_assess(group: Group) -> Sequence[str]:
    """Return the wordings whose coverage is assessed, to take the best: sources may be in the words of any of them."""
    return group.wordings[:MOST_WORDINGS]


def _pages(group: Group, asked: _Asked, known: Known) -> tuple[ShownPage, ...]:
    """The pages that were shown for a group's queries, each once, the most shown first."""
    rows: dict[str, list[SearchFigures]] = {}
    for query in group.queries:
        for row in asked.pages.get(query, ()):
            rows.setdefault(page_key(row.page), []).append(row)
    pages = [ShownPage(own[0].page, sum_figures(own), known.at(own[0].page)) for own in rows.values()]
    return tuple(sorted(pages, key=lambda page: (-(page.figures.impressions or 0), -page.figures.clicks, page.address)))


def _figures_before(group: Group, asked: _Asked) -> Figures | None:
    """Return the figures of the period before; None where there is none. A query that nobody asked for then had
    nothing."""
    if asked.before is None:
        return None
    return sum_figures([asked.before[query] for query in group.queries if query in asked.before])


def _dismissed_until(entry: SearchEntry, dismissed: Mapping[str, datetime]) -> datetime | None:
    """Return the time until which a query, or one of its variants, is dismissed."""
    own = [dismissed[query] for query in (entry.demand.query, *entry.demand.variants) if query in dismissed]
    return max(own, default=None)


def _report(
    started_at: datetime, chosen: Chosen | None, asked: _Asked, entries: Sequence[SearchEntry], state: str
) -> MapReport:
    period, before = (None, None) if chosen is None else chosen.periods
    counts = Counter(entry.decision.queue for entry in entries)
    return MapReport(
        started_at=started_at,
        finished_at=started_at,
        period=period,
        before=before,
        queries=asked.queries,
        looked_at=len(asked.groups),
        branded=asked.branded,
        queues=tuple((queue, counts[queue]) for queue in SearchQueue),
        curve_source=asked.curve.source,
        curve=asked.curve.points,
        state=state,
    )
