"""The pipeline with an entailment model behind the grounding check, over memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from attrs import define, evolve, field

from contentgen_core.errors import NotConfigured, ProviderFailed
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.grounding import LEXICAL, GroundingLevel, Verdict
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.entailment import EntailmentModel, Judgement, Pair
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.articles.generate import GenerateArticleCommand
from tests.support.changed import changed
from tests.support.house import COVERED, NICHE, House, open_house
from tests.support.scripted_entailment import DENIES, ENTAILS, ScriptedEntailment
from tests.support.scripted_model import ScriptedModel

# It says next to nothing but of what, and its meaning is what the test says.
PARAPHRASE = "What a heat pump involves occurs, exists and remains."
DOWN = ProviderFailed("entailment", "away", retryable=True)


def refitted(house: House, entailment: EntailmentModel, **changes: object) -> None:
    write = evolve(house.services.jobs.generate_article, entailment=entailment, **changes)
    house.services = changed(house.services, jobs={"generate_article": write})


async def written(house: House) -> Article:
    command = GenerateArticleCommand(house.caller, NICHE, COVERED, language=Language.EN)
    id = await house.services.writing.generate(command)
    await house.work()
    return await house.article(id)


async def test_a_paraphrase_that_the_model_finds_entailed_stays_with_its_citation() -> None:
    async with open_house(model=ScriptedModel(invented=[PARAPHRASE])) as house:
        entailment = ScriptedEntailment({PARAPHRASE: ENTAILS})
        refitted(house, entailment)
        article = await written(house)
        assert article.status is ArticleStatus.GENERATED
        assert not house.model.calls["rewrite:0"]
        assert PARAPHRASE.rstrip(".") + " [" in article.content
        assert article.grounding is not None
        assert (article.grounding.level, article.grounding.verifier) == (GroundingLevel.FULL, "scripted-nli")
        by = {s.text: s.verifier for s in article.grounding.sentences}
        assert by.pop(PARAPHRASE) == "scripted-nli"
        assert set(by.values()) == {LEXICAL}  # taken over word for word
        assert entailment.asked == {PARAPHRASE}


async def test_each_section_takes_one_call_of_the_model() -> None:
    async with open_house(model=ScriptedModel(invented=[PARAPHRASE])) as house:
        entailment = ScriptedEntailment({PARAPHRASE: ENTAILS})
        refitted(house, entailment)
        await written(house)
        sections = sum(count for name, count in house.model.calls.items() if name.startswith("write:"))
        assert 0 < len(entailment.calls) <= sections


async def test_what_the_model_finds_contradicted_is_rewritten_and_then_dropped() -> None:
    twisted = "In winter a heat pump hardly defrosts its outdoor unit."
    source = "In winter a heat pump defrosts its outdoor unit from time to time."
    async with open_house(model=ScriptedModel(invented=[twisted], stubborn=True)) as house:
        entailment = ScriptedEntailment({twisted: DENIES}, otherwise=ENTAILS)
        refitted(house, entailment)
        article = await written(house)
        assert twisted in entailment.asked
        assert source.rstrip(".") in article.content
        assert "hardly" not in article.content
        assert article.grounding is not None
        assert {s.verdict for s in article.grounding.sentences} == {Verdict.SUPPORTED}


async def test_a_model_that_is_away_leaves_the_article_and_its_receipt_as_the_rules_make_them() -> None:
    async with open_house(model=ScriptedModel(invented=[PARAPHRASE], stubborn=True)) as house:
        plain = await written(house)
    async with open_house(model=ScriptedModel(invented=[PARAPHRASE], stubborn=True)) as house:
        entailment = ScriptedEntailment(None, *[DOWN] * 100)
        refitted(house, entailment)
        article = await written(house)
    assert entailment.calls
    assert article.content == plain.content
    assert article.grounding is not None
    assert plain.grounding is not None
    assert article.grounding.verifier == LEXICAL
    assert article.grounding.totals == plain.grounding.totals


async def test_a_model_that_is_not_set_up_fails_the_article_with_the_setting() -> None:
    async with open_house(model=ScriptedModel(invented=[PARAPHRASE])) as house:
        setting = "CONTENTGEN_ENTAILMENT_LABELS"
        refitted(house, ScriptedEntailment(None, *[NotConfigured("No order of the classes.", setting)] * 10))
        article = await written(house)
        assert article.status is ArticleStatus.FAILED
        assert setting in (article.error or "")
        assert await house.articles_used() == 0


class Broken:
    """A renderer that fails while the article is put together."""

    def slug(self, title: str) -> str:
        raise DOWN


async def test_sections_of_an_earlier_attempt_are_judged_when_the_article_is_put_together() -> None:
    async with open_house(model=ScriptedModel(invented=[PARAPHRASE])) as house:
        entailment = ScriptedEntailment({PARAPHRASE: ENTAILS})
        renderer = house.services.jobs.generate_article.renderer
        refitted(house, entailment, renderer=Broken())
        command = GenerateArticleCommand(house.caller, NICHE, COVERED, language=Language.EN)
        id = await house.services.writing.generate(command)
        await house.work()  # ends while the article is put together
        assert await house.status(id) is ArticleStatus.GENERATING
        drafted, calls = len(entailment.calls), sum(house.model.calls.values())
        refitted(house, entailment, renderer=renderer)
        house.clock.advance(seconds=60)
        await house.work()
        article = await house.article(id)
        assert article.status is ArticleStatus.GENERATED
        assert len(entailment.calls) == drafted + 1
        assert sum(house.model.calls.values()) == calls
        assert article.grounding is not None
        assert article.grounding.level is GroundingLevel.FULL


@define
class Watched:
    """A unit of work that knows which tasks are in a transaction."""

    inner: UnitOfWork
    within: set[object] = field(factory=set)

    @asynccontextmanager
    async def __call__(self) -> AsyncIterator[Transaction]:
        task = asyncio.current_task()
        self.within.add(task)
        try:
            async with self.inner() as tx:
                yield tx
        finally:
            self.within.discard(task)


async def test_the_model_is_asked_between_transactions() -> None:
    async with open_house(model=ScriptedModel(invented=[PARAPHRASE], stubborn=True)) as house:
        frame = house.services.jobs.generate_article.runner
        watched = Watched(frame.unit_of_work)
        seen: list[bool] = []

        class Watching(ScriptedEntailment):
            async def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
                seen.append(asyncio.current_task() in watched.within)
                return await super().judge(pairs)

        refitted(house, Watching(None, *[DOWN] * 100), runner=evolve(frame, unit_of_work=watched))
        await written(house)
        assert len(seen) > 1  # of the sections, and of the whole
        assert not any(seen)
