"""`write_article`: one call from sources to an article, in a knowledge base that keeps what it was given."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import InvalidInput, ProviderFailed, TopicAlreadyGenerating
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.coverage import CoverageTooLow
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.model.job import Claimable, JobKind
from contentgen_core.model.tenant import PlanName, Quota
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.tenancy.plans import PLANS
from contentgen_core.policies.tenancy.quotas import month_window
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.articles import ArticleQuery
from contentgen_core.ports.repositories.installation import Installation
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.services import CoreServices
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from contentgen_core.use_cases.knowledge.import_sources import ImportReport
from contentgen_grounded import writing
from contentgen_grounded.bootstrap.memory import in_memory
from contentgen_grounded.bootstrap.options import chosen_options
from contentgen_grounded.settings import Settings
from contentgen_grounded.writing import FACT, WritingFailed, write, write_article
from tests.support.scripted_model import ScriptedModel

TOPIC = "Steeping green tea"
NOTES = [
    SourceText("n1", "Tea", "Green tea is steeped at 80 °C. Black tea is steeped at 95 °C."),
    SourceText("n2", "Tea water", "Water for green tea stays below 85 °C. Soft water suits tea best."),
]
WATER = SourceText("n3", "Kettles", "A kettle for green tea stops at 80 °C. A kettle for black tea boils.")


@pytest.fixture
async def services() -> AsyncIterator[CoreServices]:
    async with in_memory() as opened:
        yield opened


async def place(services: CoreServices) -> tuple[TenantId, AgentKey]:
    async with services.ports.unit_of_work() as tx:
        tenant_id, key = (await tx[Installation].find(FACT) or "").split()
    return TenantId(tenant_id), AgentKey.parse(key)


async def articles(services: CoreServices) -> set[ArticleId]:
    tenant_id, _ = await place(services)
    return {article.id for article in (await services.writing.articles.page(ArticleQuery(tenant_id))).articles}


async def begun(services: CoreServices, topic: str) -> ArticleId:
    """An article that a program began and left, since it was killed."""
    await write_article(services, "Soft water for tea", NOTES, allow_low_coverage=True)
    tenant_id, key = await place(services)
    caller = await services.people.tenants.owner_of(tenant_id)
    planned = await services.writing.plan(
        PlanArticleCommand(caller, str(key), topic, language=Language.EN, auto_validate=True, allow_low_coverage=True)
    )
    return planned.article.id


async def test_all_calls_write_as_one_tenant_from_one_niche_and_import_only_what_is_new(services: CoreServices) -> None:
    imports: list[ImportReport] = []
    written = []
    for sources in (NOTES, NOTES, [evolve(NOTES[0], text="Green tea is steeped at 75 °C."), WATER]):
        reports: list[ImportReport] = []
        written.append(await write_article(services, TOPIC, sources, allow_low_coverage=True, on_import=reports.append))
        imports.append(reports[-1])
    assert [(done.added, done.updated, done.unchanged) for done in imports] == [(2, 0, 0), (0, 0, 2), (1, 1, 0)]
    assert len({(article.tenant_id, article.niche_key) for article in written}) == 1
    assert {article.id for article in written} == await articles(services)
    async with services.ports.unit_of_work() as tx:
        assert len([niche for niche in await tx[Niches].list(written[0].tenant_id) if niche.custom]) == 1


async def test_an_article_may_cite_what_an_earlier_call_imported(services: CoreServices) -> None:
    await write_article(services, TOPIC, NOTES, allow_low_coverage=True)
    article = await write_article(services, "Soft water for tea", allow_low_coverage=True)
    assert {source.title for source in article.sources} == {"Tea", "Tea water"}


async def test_calls_at_the_same_time_agree_on_one_place(services: CoreServices) -> None:
    topics = [TOPIC, "Steeping black tea", "Soft water for tea"]
    written = await asyncio.gather(
        *(write_article(services, topic, NOTES, allow_low_coverage=True) for topic in topics)
    )
    assert {article.status for article in written} == {ArticleStatus.GENERATED}
    assert {article.tenant_id for article in written} == {(await place(services))[0]}
    assert [article.brief.topic for article in written] == topics


async def test_no_plan_bounds_how_much_a_program_writes(services: CoreServices) -> None:
    article = await write_article(services, TOPIC, NOTES, allow_low_coverage=True)
    window = month_window(services.ports.clock.now())
    allowed = PLANS[PlanName.PRO].limits[Quota.ARTICLES]
    async with services.ports.unit_of_work() as tx:
        assert await tx[Quotas].used(article.tenant_id, Quota.ARTICLES, window) == 0
        assert allowed is not None
        assert await tx[Quotas].consume(article.tenant_id, Quota.ARTICLES, window, allowed, allowed - 1)
    for _ in range(2):
        await write_article(services, TOPIC, NOTES, allow_low_coverage=True)


async def test_a_topic_that_the_sources_do_not_carry_is_refused(services: CoreServices) -> None:
    with pytest.raises(CoverageTooLow) as refused:
        await write_article(services, "Keeping bees on a city rooftop", NOTES)
    assert "bees" in refused.value.coverage.evidence.missing_terms
    with pytest.raises(InvalidInput, match="topic"):
        await write_article(services, "<script>alert(1)</script>", NOTES)
    assert await articles(services) == set()


async def test_what_reading_the_sources_raises_comes_out(services: CoreServices) -> None:
    def broken() -> Iterator[SourceText]:
        yield NOTES[0]
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        await write_article(services, TOPIC, broken(), allow_low_coverage=True)


async def test_a_generation_that_fails_says_why_and_gives_its_quota_back() -> None:
    model = ScriptedModel()

    def refuse(method: str, _: int) -> None:
        raise ProviderFailed("scripted", "no credit left", retryable=False)

    model.before = refuse
    async with in_memory(model=model) as services:
        with pytest.raises(WritingFailed, match="no credit left"):
            await write_article(services, TOPIC, NOTES, allow_low_coverage=True)
        tenant_id, _ = await place(services)
        async with services.ports.unit_of_work() as tx:
            assert await tx[Quotas].used(tenant_id, Quota.ARTICLES, month_window(services.ports.clock.now())) == 0


async def test_progress_is_told_and_ends_at_a_hundred(services: CoreServices) -> None:
    percents: list[int] = []
    await write_article(services, TOPIC, NOTES, allow_low_coverage=True, on_progress=percents.append)
    assert percents == sorted(percents)
    assert percents[-1] == 100


async def test_an_article_that_an_earlier_program_left_is_finished_and_given(services: CoreServices) -> None:
    left = await begun(services, TOPIC)
    article = await write_article(services, " steeping GREEN tea ", allow_low_coverage=True)
    assert (article.id, article.status) == (left, ArticleStatus.GENERATED)


async def test_so_is_one_whose_program_was_killed_over_it(services: CoreServices) -> None:
    left = await begun(services, TOPIC)
    async with services.ports.unit_of_work() as tx:
        now = services.ports.clock.now()
        over = now - timedelta(seconds=1)
        [job] = await tx[Jobs].claim("killed", frozenset({JobKind.GENERATE_ARTICLE}), now, over, limit=1)
    assert job.subject_id == left
    assert (await write_article(services, TOPIC, allow_low_coverage=True)).id == left


async def test_one_in_another_length_or_language_is_not_taken_for_it() -> None:
    async with in_memory(model=ScriptedModel()) as services:  # it writes across languages
        await begun(services, TOPIC)
        for other in ({"length": ArticleLength.LONG}, {"language": Language.FR}):
            with pytest.raises(TopicAlreadyGenerating):
                await write_article(services, TOPIC, allow_low_coverage=True, **other)  # type: ignore[arg-type]


async def test_the_built_in_writer_refuses_a_language_that_no_source_has(services: CoreServices) -> None:
    with pytest.raises(InvalidInput, match="write in en"):
        await write_article(services, TOPIC, NOTES, language=Language.FR, allow_low_coverage=True)


async def test_a_call_that_is_cancelled_leaves_its_work_to_the_next_one() -> None:
    model, waiting = ScriptedModel(delay=60), asyncio.Event()
    model.before = lambda method, _: waiting.set()
    async with in_memory(model=model) as services:
        call = asyncio.create_task(write_article(services, TOPIC, NOTES, allow_low_coverage=True))
        await asyncio.wait_for(waiting.wait(), 30)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        [left] = await articles(services)
        model.delay = 0
        assert (await write_article(services, TOPIC, allow_low_coverage=True)).id == left


async def test_a_generation_that_takes_long_is_nobody_elses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "LEASE", timedelta(seconds=0.6))
    async with in_memory(model=ScriptedModel(delay=0.5)) as services:
        call = asyncio.create_task(write_article(services, TOPIC, NOTES, allow_low_coverage=True))
        while not call.done():
            await asyncio.sleep(0.05)
            async with services.ports.unit_of_work() as tx:
                now = services.ports.clock.now()
                lapsed = frozenset({Claimable.LAPSED, Claimable.DOUBTFUL})
                assert not await tx[Jobs].claim("rival", frozenset(JobKind), now, now, 1, lapsed)
        assert (await call).status is ArticleStatus.GENERATED


def test_without_asyncio_it_is_one_call_over_memory() -> None:
    article = write(TOPIC, NOTES, language=Language.EN, length=ArticleLength.SHORT, allow_low_coverage=True)
    assert article.brief.length is ArticleLength.SHORT
    assert "[1]" in article.content
    with pytest.raises(CoverageTooLow):
        write("Keeping bees on a city rooftop", NOTES)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"language": "xx"}, "language: 'xx' is none of fr, en, es"),
        ({"language": None}, "language: None is none of fr"),
        ({"length": "huge"}, "length: 'huge' is none of short, standard, long, very_long"),
        ({"topic": 5}, "topic: is a int, not a text"),
        ({"sources": "notes.md"}, "sources: is a str: give several SourceText"),
        ({"sources": WATER}, "sources: is a SourceText: give several SourceText"),
        ({"sources": 7}, "sources: is a int: give several SourceText"),
        ({"sources": [WATER, "Tea."]}, r"sources\[1\]: is a str: give SourceText\(source_key, title, text\)"),
        ({"sources": [SourceText("n1", "Tea", None)]}, r"sources\[0\]\.text: is a NoneType, not a text"),  # type: ignore[arg-type]
        ({"settings": {}}, "settings: is a dict: give Settings"),
        ({"model": "gpt"}, "model: is a str, without the method `answer`"),
    ],
)
def test_an_argument_that_cannot_be_is_named_with_what_can(given: dict[str, Any], said: str) -> None:
    arguments = {"topic": TOPIC, "sources": NOTES} | given
    with pytest.raises(InvalidInput, match=said):
        write(**arguments)


def test_languages_and_lengths_are_taken_by_their_values() -> None:
    article = write(TOPIC, NOTES, language="en", length="short", allow_low_coverage=True)
    assert (article.brief.language, article.brief.length) == (Language.EN, ArticleLength.SHORT)


def test_the_advice_of_a_refusal_can_be_followed_in_python() -> None:
    with pytest.raises(CoverageTooLow) as refused:
        write("Quantum chromodynamics", NOTES)
    assert "allow low coverage" in str(refused.value)
    assert "send" not in str(refused.value)


async def test_a_program_that_waits_itself_does_not_wait_for_a_model_that_is_away(services: CoreServices) -> None:
    assert services.options.provider_wait == timedelta(0)
    assert chosen_options(Settings(model_wait=5.0), services.ports.model).provider_wait == timedelta(minutes=5)
