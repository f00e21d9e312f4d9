"""Refreshing the trends of the preconfigured niches: find pages, group them, score, store, and delete old ones."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import ConcurrentChange, ContentgenError, NotFound
from contentgen_core.model.niche import Niche
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.trend import Trend, TrendCandidate
from contentgen_core.policies.topics.trend_score import niche_pace
from contentgen_core.policies.topics.trends import KEPT, WINDOW, TrendGroups, group_pages, new_trend, refreshed_trend
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.trends import Trends
from contentgen_core.ports.repositories.work_leases import WorkLeases
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.trends import Findings, TrendFinder
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.niches.catalogue import PRECONFIGURED
from contentgen_core.use_cases.trends.texts import ReadTexts
from contentgen_core.use_cases.use_case import use_case

TRENDS_WORK: Final = "trends"
LEASE: Final = timedelta(minutes=10)
"""How long a niche may take: its feeds, its searches, its texts. After this, another process may take over."""
FINDING_SECONDS: Final = 180.0
MAX_TRENDS: Final = 300
"""Trends of a niche, the last seen first, that pages are compared with."""
MAX_NEW: Final = 50
"""Trends that one refresh may add to a niche; the best first."""
SWEPT: Final = 1_000


@frozen
class NicheRefresh:
    """The result of a refresh for a niche. `pages`: found; `single_publisher`: topics of one publisher alone, which
    make no trend; `joined`: pages that belong to known trends; `created`: new trends; `texts`: sources read in full.
    `faults`: see `ports.trends`."""

    niche_key: str
    pages: int
    single_publisher: int
    joined: int
    created: int
    trends: int
    texts: int
    faults: tuple[str, ...] = ()


@use_case
class RefreshTrends:
    """`every`: the interval at which one of all processes refreshes; None: only on request."""

    unit_of_work: UnitOfWork
    finders: tuple[TrendFinder, ...]
    read_texts: ReadTexts
    analysis: TextAnalysis
    renderer: ArticleRenderer
    clock: Clock
    every: timedelta | None = None

    async def if_due(self, worker: str) -> tuple[NicheRefresh, ...] | None:
        """Refresh all niches, called periodically by every process: unless another process does or it was done less
        than `every` ago; then None. After a failure the next refresh is due after `every` too. Raises Unavailable, and
        what finders raise other than faults."""
        if self.every is None or not await self._acquire_lease(worker):
            return None
        done: list[NicheRefresh] = []
        try:
            for niche in await self._niches():
                if not await self._acquire_lease(worker):
                    break  # it took longer than its lease, and another process continues
                done.append(await self._refresh(niche))
            await self._sweep()
        finally:
            with suppress(ContentgenError):
                async with self.unit_of_work() as tx:
                    await tx[WorkLeases].release_until(TRENDS_WORK, worker, self.clock.now() + self.every)
        return tuple(done)

    async def __call__(self, niche_key: str | None = None) -> tuple[NicheRefresh, ...]:
        """Refresh all preconfigured niches, or one, at once, even while another process does: nothing is duplicated.
        Raises NotFound for an unknown preconfigured niche."""
        niches = [niche for niche in await self._niches() if niche_key in (None, niche.niche_key)]
        if niche_key is not None and not niches:
            raise NotFound("preconfigured niche", niche_key)
        done = [await self._refresh(niche) for niche in niches]
        await self._sweep()
        return tuple(done)

    async def _refresh(self, niche: Niche) -> NicheRefresh:
        since = self.clock.now() - WINDOW
        found = await asyncio.gather(*(self._run_finder(finder, niche, since) for finder in self.finders))
        pages = [page for findings in found for page in findings.candidates]
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            known = [t for t in await tx[Trends].of_niche(niche.niche_key, now - KEPT, MAX_TRENDS) if not t.sample]
        groups, changed, new = await asyncio.to_thread(self._compare_with_known, niche.niche_key, pages, known, now)
        kept = [trend for trend in [await self._save(trend) for trend in changed] if trend is not None]
        added = await self._add_new(niche.niche_key, new, now)
        texts = await self.read_texts([*kept, *added], {page.source.url: page.text for page in pages if page.text})
        return NicheRefresh(
            niche_key=niche.niche_key,
            pages=len(pages),
            single_publisher=groups.single_publisher,
            joined=sum(len(joined) for joined in groups.joined.values()),
            created=len(added),
            trends=len(known) + len(added),
            texts=texts,
            faults=tuple(fault for findings in found for fault in findings.faults),
        )

    async def _run_finder(self, finder: TrendFinder, niche: Niche, since: datetime) -> Findings:
        try:
            async with asyncio.timeout(FINDING_SECONDS):
                return await finder.find(niche, since)
        except TimeoutError:
            return Findings(faults=(f"{type(finder).__name__}: nothing within {FINDING_SECONDS:g} s",))

    def _compare_with_known(
        self, niche_key: str, pages: Sequence[TrendCandidate], known: Sequence[Trend], now: datetime
    ) -> tuple[TrendGroups, list[Trend], list[Trend]]:
        """Return the groups of pages, every known trend refreshed, and the new ones without slugs."""
        usual, groups = niche_pace(known, now), group_pages(pages, known, self.analysis)
        changed = [refreshed_trend(trend, groups.joined.get(trend.slug, ()), usual, now) for trend in known]
        new = [new_trend(niche_key, topic, usual, now, self.analysis) for topic in groups.new]
        return groups, changed, sorted(new, key=lambda trend: (-trend.score, trend.title))[:MAX_NEW]

    async def _save(self, trend: Trend) -> Trend | None:
        """Save the trend; None where another process changed it meanwhile, whose refresh is as good."""
        with suppress(ConcurrentChange):
            async with self.unit_of_work() as tx:
                return await tx[Trends].save(trend)
        return None

    async def _add_new(self, niche_key: str, new: Sequence[Trend], now: datetime) -> list[Trend]:
        """Store the new trends, and return them: not those with a page of a trend that another refresh has created
        since."""
        added: list[Trend] = []
        stored_texts: set[str] | None = None
        async with self.unit_of_work() as tx:
            for trend in new:
                slug = await tx[Trends].free_slug(self.renderer.slug(trend.title))
                if stored_texts is None:  # free_slug locks: from here on no other transaction adds a trend
                    stored_texts = _urls(await tx[Trends].of_niche(niche_key, now - KEPT, MAX_TRENDS))
                if stored_texts.isdisjoint(_urls([trend])):
                    added.append(await tx[Trends].save(evolve(trend, slug=slug)))
        return added

    async def _niches(self) -> list[Niche]:
        async with self.unit_of_work() as tx:
            found = [await tx[Niches].find_preconfigured(key) for key, *_ in PRECONFIGURED]
        return [niche for niche in found if niche is not None]

    async def _sweep(self) -> None:
        async with self.unit_of_work() as tx:
            await tx[Trends].sweep(self.clock.now() - KEPT, SWEPT)

    async def _acquire_lease(self, worker: str) -> bool:
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            return await tx[WorkLeases].acquire(TRENDS_WORK, worker, now, now + LEASE)


def _urls(trends: Iterable[Trend]) -> set[str]:
    return {source.url for trend in trends for source in trend.sources}
