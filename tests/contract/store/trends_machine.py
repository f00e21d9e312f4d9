"""A fourth state machine over two units of work: trends, their texts, clicks, pages and sweeps.

TestMine = trends_machine(memory, mine).TestCase
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, consumes, invariant, multiple, rule

from contentgen_core.model.trend import Trend, TrendSlug, TrendSource, TrendText
from contentgen_core.ports.repositories.trends import NicheTrends, TrendPage, TrendQuery, Trends
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.testing import builders
from tests.contract.store.comparing import ComparingMachine, Factory, RolledBack, compared

WANTED: Final = ("heat", "heat-2", "wind")
NICHES: Final = ("bees", "boats")
SOURCES: Final = tuple(builders.trend_source(url=f"https://{name}.example/") for name in "abc")

_titles: Final = st.sampled_from(("Heat pump grants", "Énergie du vent", "風力発電 grants", "heat HEAT"))
_scores: Final = st.integers(0, 200).map(lambda half: half / 2)  # sums are exact in any order
_sources: Final = st.lists(st.sampled_from(SOURCES), max_size=3, unique=True).map(tuple)
_hours: Final = st.integers(0, 6)
_texts: Final = st.lists(
    st.builds(
        TrendText, st.sampled_from([*(s.url for s in SOURCES), "https://x.example/"]), st.text("aé ", max_size=5)
    ),
    max_size=3,
    unique_by=lambda text: text.url,
)


class TrendsMachine(ComparingMachine):
    trends = Bundle("trends")

    @rule(
        target=trends,
        wanted=st.sampled_from(WANTED),
        niche=st.sampled_from(NICHES),
        title=_titles,
        score=_scores,
        sources=_sources,
        hours=_hours,
        sample=st.booleans(),
        taken_back=st.booleans(),
    )
    def add(
        self,
        wanted: str,
        niche: str,
        title: str,
        score: float,
        sources: tuple[TrendSource, ...],
        hours: int,
        sample: bool,
        taken_back: bool,
    ) -> object:
        trend = builders.trend(
            niche_key=niche,
            title=title,
            score=score,
            sources=sources,
            last_seen_at=self._now - timedelta(hours=hours),
            sample=sample,
        )

        async def do(tx: Transaction) -> Trend:
            saved = await tx[Trends].save(evolve(trend, slug=await tx[Trends].free_slug(wanted)))
            if taken_back:
                raise RolledBack
            return saved

        added = self.on_both(do)
        return multiple() if added is None else added

    @rule(target=trends, trend=consumes(trends), title=_titles, score=_scores, sources=_sources)
    def save(self, trend: Trend, title: str, score: float, sources: tuple[TrendSource, ...]) -> Trend:
        """At a revision that may be old: then both refuse."""
        changed = evolve(trend, title=title, score=score, sources=sources)
        saved = self.on_both(lambda tx: tx[Trends].save(changed))
        return trend if saved is None else saved

    @rule(trend=trends, clicks=st.integers(1, 3))
    def click(self, trend: Trend, clicks: int) -> None:
        self.on_both(lambda tx: tx[Trends].add_clicks(trend.slug, clicks))

    @rule(trend=trends, texts=_texts)
    def save_texts(self, trend: Trend, texts: list[TrendText]) -> None:
        async def do(tx: Transaction) -> dict[str, str]:
            await tx[Trends].save_texts(trend.slug, texts)
            return await tx[Trends].texts(trend.slug)

        self.on_both(do)

    @rule(hours=_hours)
    def sweep(self, hours: int) -> None:
        self.on_both(lambda tx: tx[Trends].sweep(self._now - timedelta(hours=hours), 100))

    @rule(slug=st.sampled_from(WANTED))
    def find(self, slug: str) -> None:
        self.on_both(lambda tx: tx[Trends].find(TrendSlug(slug)))
        self.on_both(lambda tx: tx[Trends].texts(TrendSlug(slug)))

    @rule(
        limit=st.integers(1, 4),
        niche=st.none() | st.sampled_from(NICHES),
        search=st.none() | st.sampled_from(("he gr", "é", "heat", "zz", "風", " ")),
        hours=st.none() | _hours,
    )
    def page(self, limit: int, niche: str | None, search: str | None, hours: int | None) -> None:
        since = None if hours is None else self._now - timedelta(hours=hours)
        query = TrendQuery(limit, niche, search, since)

        async def do(tx: Transaction) -> TrendPage:
            return await tx[Trends].page(query)

        found = self.on_both(do)
        assert found is not None
        assert len(found.trends) == min(limit, found.total)
        scores = [trend.score for trend in found.trends]
        assert scores == sorted(scores, reverse=True)

    @rule(niche=st.sampled_from(NICHES), hours=_hours, limit=st.integers(1, 4))
    def of_niche(self, niche: str, hours: int, limit: int) -> None:
        self.on_both(lambda tx: tx[Trends].of_niche(niche, self._now - timedelta(hours=hours), limit))

    @invariant()
    def niches_count_what_their_pages_hold(self) -> None:
        async def do(tx: Transaction) -> tuple[list[NicheTrends], list[TrendPage]]:
            counted = await tx[Trends].by_niche()
            return counted, [await tx[Trends].page(TrendQuery(100, niche.niche_key)) for niche in counted]

        answer = self.on_both(do)
        assert answer is not None
        for niche, page in zip(*answer, strict=True):
            scores = [trend.score for trend in page.trends]
            assert (niche.trends, niche.highest, niche.sum) == (page.total, max(scores), sum(scores))


def trends_machine(reference: Factory, subject: Factory) -> type[TrendsMachine]:
    return compared(TrendsMachine, reference, subject)
