"""Which queue a query is in, the gain, and the curve that it comes from."""

from __future__ import annotations

from random import Random

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.coverage import ArticleCoverage, CoverageLevel
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.search_demand import (
    AnsweringArticle,
    CurveSource,
    Decision,
    Figures,
    QueryDemand,
    SearchQueue,
    ShownPage,
)
from contentgen_core.policies.searches.click_curve import PUBLISHED, ClickCurve, fit_curve
from contentgen_core.policies.searches.grouping import is_branded, most_asked, sum_figures
from contentgen_core.policies.searches.pages import page_key, path_key
from contentgen_core.policies.searches.queues import Compared, competing_pages, decide

GOOD = ArticleCoverage(CoverageLevel.GOOD, 70.0)
LOW = ArticleCoverage(CoverageLevel.LOW, 20.0, ("terrace",))
ARTICLE = AnsweringArticle(ArticleId("a"), "Quiet heat pumps", by_page=True)
COMPARED = Compared(30, 30, PUBLISHED)

counts = st.integers(0, 100_000)
positions = st.none() | st.floats(1, 100)


@st.composite
def figures(draw: st.DrawFn) -> Figures:
    clicks = draw(counts)
    shown = draw(st.none() | st.integers(clicks, clicks + 200_000))
    return Figures(clicks, shown, draw(positions) if shown else None)


demands = st.builds(
    QueryDemand,
    query=st.just("noise"),
    variants=st.just(()),
    now=figures(),
    before=st.none() | figures(),
    pages=st.lists(st.builds(ShownPage, st.text(max_size=3), figures()), max_size=3).map(tuple),
    coverage=st.sampled_from([ArticleCoverage(level, 50.0, ("x",)) for level in CoverageLevel]),
    articles=st.lists(st.just(ARTICLE) | st.just(evolve(ARTICLE, stale=True)), max_size=2).map(tuple),
    begun=st.booleans(),
)
compared = st.builds(Compared, st.integers(1, 500), st.integers(1, 500), st.just(PUBLISHED))


def demand(impressions: int = 1_000, clicks: int = 0, position: float | None = 12.0, **changes: object) -> QueryDemand:
    known = QueryDemand("noise", (), Figures(clicks, impressions, position), None, (), GOOD)
    return evolve(known, **changes)  # type: ignore[arg-type]


def decision(of: QueryDemand) -> Decision:
    found = decide(of, COMPARED)
    assert found is not None
    return found


class TestQueues:
    def test_asked_for_and_covered_without_an_answer_is_to_be_written(self) -> None:
        found = decision(demand(clicks=2))
        assert (found.queue, found.gain, found.expected_position, found.expected_ctr) == ("write", 70.0, 5.0, 0.072)
        assert found.reason == (
            "Shown 1,000 times in 30 days at position 12.0, with 2 clicks. The knowledge base covers it (good), and "
            "nothing of yours answers it."
        )

    def test_what_is_not_covered_needs_sources_first_and_says_for_what(self) -> None:
        found = decision(demand(coverage=LOW))
        assert found.queue is SearchQueue.ENRICH
        assert found.reason.endswith("The knowledge base covers it hardly; it says nothing of: terrace.")

    def test_an_answer_that_loses_is_to_be_refreshed(self) -> None:
        before = Figures(96, 1_000, 3.0)
        found = decision(demand(clicks=40, position=5.5, before=before, articles=(ARTICLE,)))
        assert (found.queue, found.expected_position, found.gain) == ("refresh", 3.0, 70.0)
        assert found.reason.startswith("It lost 56 of 96 clicks a month and fell from position 3.0 to 5.5. Shown")

    def test_a_stale_answer_is_to_be_refreshed_even_without_a_gain(self) -> None:
        found = decision(demand(clicks=900, position=2.0, articles=(evolve(ARTICLE, stale=True),)))
        assert (found.queue, found.gain) == ("refresh", 0.0)
        assert "“Quiet heat pumps” rests on sources that changed." in found.reason

    def test_visits_alone_tell_what_was_lost(self) -> None:
        now, before = Figures(10), Figures(45)
        found = decision(demand(now=now, before=before, articles=(ARTICLE,)))
        assert (found.queue, found.gain, found.expected_ctr) == ("refresh", 35.0, None)

    def test_pages_that_share_a_query_are_to_be_merged(self) -> None:
        pages = (ShownPage("/a", Figures(5, 600, 9.0)), ShownPage("/b", Figures(2, 400, 6.0)))
        found = decision(demand(pages=pages, articles=(ARTICLE,)))
        assert (found.queue, found.expected_position, found.gain) == ("merge", 6.0, 51.0)
        assert found.reason.startswith("2 pages share its impressions, and the most shown one has 60% of them:")
        assert competing_pages((ShownPage("/a", Figures(5, 800, 3.0)), ShownPage("/b", Figures(0, 200, 9.0)))) == ()
        assert competing_pages((ShownPage("/a", Figures(5)), ShownPage("/b", Figures(5)))) == ()

    def test_where_nothing_is_to_be_done_nothing_is_said(self) -> None:
        first = (ShownPage("/a", Figures(5, 1_000, 9.0)),)
        for fine in (
            demand(articles=(ARTICLE,)),
            demand(pages=first),
            demand(begun=True),
            demand(impressions=9),
            demand(impressions=0, position=None),
            demand(now=Figures(500)),
            demand(clicks=900, position=4.0),
        ):
            assert decide(fine, COMPARED) is None

    @given(demands, compared)
    def test_the_gain_is_never_negative_and_never_invented(self, of: QueryDemand, to: Compared) -> None:
        found = decide(of, to)
        if found is None:
            return
        assert found.gain >= 0
        assert found.reason
        if found.queue is not SearchQueue.REFRESH:
            assert found.gain > 0
            assert of.now.impressions
        if found.expected_ctr is not None and of.now.impressions:
            assert found.gain <= of.now.impressions * 30 / to.days + 0.1
        if not of.now.impressions and (of.before is None or of.before.clicks == 0):
            assert found.gain == 0

    @given(demands, compared, st.integers(1, 100_000))
    def test_the_gain_grows_with_the_impressions(self, of: QueryDemand, to: Compared, more: int) -> None:
        if of.now.impressions is None:
            return
        found = decide(of, to)
        shown_more = decide(evolve(of, now=evolve(of.now, impressions=of.now.impressions + more)), to)
        if found is not None and found.expected_ctr is not None:
            assert shown_more is not None
            assert (shown_more.queue, shown_more.gain >= found.gain) == (found.queue, True)


rows = st.lists(st.tuples(st.floats(1, 60), st.integers(0, 5_000), st.integers(0, 5_000)), max_size=60).map(
    lambda found: [(position, shown, min(clicks, shown)) for position, shown, clicks in found]
)


class TestCurve:
    def test_too_few_figures_leave_the_published_one(self) -> None:
        assert fit_curve([]) is PUBLISHED
        assert fit_curve([(1.0, 499, 100)] * 1 + [(p, 5_000, 9) for p in (2.0, 3.0, 4.0)]) is PUBLISHED
        assert (PUBLISHED.at(1), PUBLISHED.at(10), PUBLISHED.at(50)) == (0.285, 0.025, 0.005)

    def test_ones_own_figures_make_one_that_does_not_rise(self) -> None:
        own = fit_curve([(1.2, 1_000, 300), (2.0, 1_000, 50), (3.0, 1_000, 150), (4.0, 1_000, 40), (5.4, 1_000, 10)])
        assert own.source is CurveSource.OWN
        assert own.points == ((1.0, 0.3), (2.0, 0.1), (3.0, 0.1), (4.0, 0.04), (5.0, 0.01))
        assert own.at(3.5) == 0.07

    @given(rows, st.floats(1, 200), st.floats(1, 200))
    def test_no_better_position_is_clicked_less(
        self, found: list[tuple[float, int, int]], one: float, other: float
    ) -> None:
        curve: ClickCurve = fit_curve(found)
        better, worse = sorted((one, other))
        assert 0 <= curve.at(worse) <= curve.at(better) + 1e-12 <= 1 + 1e-9

    @given(rows, st.randoms())
    def test_the_order_of_the_figures_changes_nothing(
        self, found: list[tuple[float, int, int]], random: Random
    ) -> None:
        shuffled = list(found)
        random.shuffle(shuffled)
        assert fit_curve(shuffled) == fit_curve(found)


class TestQueries:
    def test_a_brand_is_found_as_words_in_a_row(self) -> None:
        assert is_branded("Acme  heat pump price", ["acme"])
        assert is_branded("buy at acme heat online", ["ACME heat"])
        assert not is_branded("acmeology", ["acme"])
        assert not is_branded("acme", ["", " "])

    @given(st.lists(figures(), max_size=5))
    def test_figures_add_up(self, parts: list[Figures]) -> None:
        total = sum_figures(parts)
        assert total.clicks == sum(part.clicks for part in parts)
        placed = [part.position for part in parts if part.position is not None]
        if placed:
            assert total.position is not None
            assert min(placed) - 1e-6 <= total.position <= max(placed) + 1e-6
        else:
            assert total.position is None

    def test_the_most_asked_come_first(self) -> None:
        assert most_asked({"a": Figures(9), "b": Figures(1, 5), "c": Figures(3), "d": Figures(0, 7)}) == list("dbac")

    def test_one_page_has_one_key(self) -> None:
        same = ("https://www.example.org/a/", "http://example.org/a", "https://EXAMPLE.org/a")
        assert {page_key(address) for address in same} == {"example.org/a"}
        assert page_key("/a/") == path_key("https://www.example.org/a/") == path_key("/a") == "/a"
        assert page_key("https://example.org") == "example.org/"
        assert page_key("https://example.org/?p=1") != page_key("https://example.org/?p=2")
