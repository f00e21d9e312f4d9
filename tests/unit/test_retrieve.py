"""A search with a cross-encoder: what it reads, what it changes, and that nothing fails because of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import pytest
from attrs import define, evolve, field

from contentgen_core.errors import ContentgenError, NotConfigured, ProviderFailed
from contentgen_core.model.knowledge import KbView
from contentgen_core.model.vocabulary import ArticleLength
from contentgen_core.ports.reranking import MAX_RERANKED
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.articles.check_coverage import CheckCoverageCommand
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_grounded.bootstrap.memory import in_memory
from contentgen_grounded.settings import load
from tests.support.house import AGENT, COVERED, NICHE, House, open_house

LENGTH = ArticleLength.STANDARD


@define
class Judge:
    """Scores by `score`, after `first` was called; `calls`: what it was asked."""

    score: Callable[[str], float] = lambda passage: 0.5
    first: Callable[[], None] = lambda: None
    model: str = "judge"
    calls: list[tuple[str, list[str]]] = field(factory=list)

    async def relevance(self, query: str, passages: Sequence[str]) -> list[float]:
        self.calls.append((query, list(passages)))
        self.first()
        return [self.score(passage) for passage in passages]


def raising(error: ContentgenError) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


@define
class Watched:
    """A unit of work that knows how many of its transactions are open."""

    inner: UnitOfWork
    open: int = 0

    @asynccontextmanager
    async def __call__(self) -> AsyncIterator[Transaction]:
        async with self.inner() as tx:
            self.open += 1
            try:
                yield tx
            finally:
                self.open -= 1


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


@pytest.fixture
def plain(house: House) -> Retrieve:
    return house.services.writing.check_coverage.retrieve


@pytest.fixture
def view(house: House) -> KbView:
    return KbView(NICHE, house.caller.tenant_id, frozenset({"GB"}))


def worst_first(passage: str) -> float:
    """Likes best what says least about the topic."""
    return 1 / (1 + passage.lower().count("heat pump"))


async def test_the_cross_encoder_decides_what_is_shown_first(plain: Retrieve, view: KbView) -> None:
    judge = Judge(score=worst_first)
    before = await plain(view, COVERED, 3)
    after = await evolve(plain, reranker=judge)(view, COVERED, 3)
    assert [r.ref for r in after.ranked] != [r.ref for r in before.ranked]
    assert [r.rerank_score for r in after.ranked] == sorted((r.rerank_score for r in after.ranked), reverse=True)
    [(query, passages)] = judge.calls
    assert query == COVERED
    assert any(passage.startswith("Heat pump efficiency\n") for passage in passages), "the title is read too"


async def test_coverage_does_not_depend_on_who_reads_again(plain: Retrieve, view: KbView) -> None:
    for limit in (1, 2, 3, 20):
        for topic in (COVERED, "Winter", "Solar panels on a south roof", "Medieval falconry"):
            before = await plain(view, topic, limit)
            after = await evolve(plain, reranker=Judge(score=worst_first))(view, topic, limit)
            assert after.by_words() == before.by_words()
            with_, without = after.coverage(LENGTH), before.coverage(LENGTH)
            assert (with_.level, with_.score, with_.evidence) == (without.level, without.score, without.evidence)
            assert with_.ranked == after.ranked


async def test_more_is_read_than_is_wanted_and_no_more_than_wanted_is_given(plain: Retrieve, view: KbView) -> None:
    fourth = (await plain(view, COVERED, 4)).ranked[3]
    judge = Judge(score=lambda passage: float(fourth.passage.text in passage))
    found = await evolve(plain, reranker=judge)(view, COVERED, 2)
    assert (len(judge.calls[0][1]), len(found.ranked)) == (4, 2)
    assert found.ranked[0].ref == fourth.ref, "what words place too low can come in"


async def test_no_more_is_read_than_a_reranker_takes(plain: Retrieve, view: KbView) -> None:
    judge = Judge()
    await evolve(plain, reranker=judge)(view, COVERED, 500)
    assert len(judge.calls[0][1]) <= MAX_RERANKED


@pytest.mark.parametrize(
    "error",
    [
        ProviderFailed("reranking", "down", retryable=True),
        ProviderFailed("reranking", "refused", retryable=False),
        NotConfigured("No key.", "CONTENTGEN_RERANKER_API_KEY"),
    ],
)
async def test_when_it_fails_the_order_by_words_stands(plain: Retrieve, view: KbView, error: ContentgenError) -> None:
    failing = Judge(first=raising(error))
    assert await evolve(plain, reranker=failing)(view, COVERED, 2) == await plain(view, COVERED, 2)
    refs = tuple(r.ref for r in (await plain(view, COVERED, 5)).ranked)
    named = await evolve(plain, reranker=failing).named(view, COVERED, refs, 2)
    assert named == await plain.named(view, COVERED, refs, 2)
    assert len(failing.calls) == 2


async def test_named_passages_are_read_again_too(plain: Retrieve, view: KbView) -> None:
    refs = tuple(r.ref for r in (await plain(view, COVERED, 5)).ranked)
    judge = Judge(score=worst_first)
    before = await plain.named(view, COVERED, refs, 5)
    after = await evolve(plain, reranker=judge).named(view, COVERED, refs, 5)
    assert {r.ref for r in before.ranked} == {r.ref for r in after.ranked}
    assert [r.ref for r in before.ranked] != [r.ref for r in after.ranked]


async def test_it_is_never_asked_within_a_transaction(plain: Retrieve, view: KbView) -> None:
    watched = Watched(plain.unit_of_work)
    open_then: list[int] = []
    judge = Judge(first=lambda: open_then.append(watched.open))
    retrieve = evolve(plain, unit_of_work=watched, reranker=judge)
    found = await retrieve(view, COVERED, 3)
    await retrieve.named(view, COVERED, tuple(r.ref for r in found.ranked), 3)
    assert open_then == [0, 0]


async def test_nothing_or_one_passage_is_not_worth_asking(plain: Retrieve, view: KbView) -> None:
    judge = Judge()
    retrieve = evolve(plain, reranker=judge)
    assert (await retrieve(view, "Medieval falconry and its laws", 3)).ranked == ()
    [only] = (await plain(view, COVERED, 1)).ranked
    assert len((await retrieve.named(view, COVERED, (only.ref,), 3)).ranked) == 1
    assert judge.calls == []


async def test_a_check_asks_once_however_many_alternatives_it_tries(house: House) -> None:
    judge = Judge()
    plain = house.services.writing.check_coverage
    check = evolve(plain, retrieve=evolve(plain.retrieve, reranker=judge))
    command = CheckCoverageCommand(house.caller, AGENT, "Heating costs of medieval castles")
    without, with_ = await plain(command), await check(command)
    assert with_.coverage.score == without.coverage.score
    assert with_.alternative_topics == without.alternative_topics != ()
    assert len(judge.calls) == 1


async def test_the_setting_reaches_every_search() -> None:
    chosen = {"CONTENTGEN_RERANKER": "tei", "CONTENTGEN_RERANKER_BASE_URL": "http://127.0.0.1:9"}
    async with in_memory(load(chosen)) as services:
        for retrieve in (
            services.writing.check_coverage.retrieve,
            services.writing.plan.retrieve,
            services.writing.generate.retrieve,
            services.jobs.generate_article.retrieve,
        ):
            assert retrieve.reranker is not None
            assert retrieve.reranker.model == "tei"
    async with in_memory(load({})) as services:
        assert services.writing.check_coverage.retrieve.reranker is None


async def test_a_reranker_that_lacks_its_settings_stops_the_start() -> None:
    with pytest.raises(NotConfigured, match="CONTENTGEN_RERANKER_BASE_URL"):
        async with in_memory(load({"CONTENTGEN_RERANKER": "vllm"})):
            pass
