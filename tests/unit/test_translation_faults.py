"""Translations that fail, are taken over or lose their worker: nothing wrong goes out, nothing is paid for twice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from contentgen_core.errors import (
    Conflict,
    NotFound,
    ProviderFailed,
)
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.document import DocumentStatus
from contentgen_core.model.ids import ArticleId, DocumentId
from contentgen_core.model.job import JobKind
from contentgen_core.model.translation import TranslationStatus
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.content_model import TranslationRequest
from contentgen_core.ports.repositories.translations import Translations
from contentgen_core.testing import builders
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from tests.support.house import House, open_house
from tests.support.mortal import died_after
from tests.support.translations import (
    CONTENT,
    EXPECTED,
    LONG,
    begun_text,
    made,
    now_,
    parts_of,
    published,
    translated,
    used,
)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


# ------------------------------------------------------------------------------------------ what a model does


async def test_a_segment_that_loses_something_is_asked_for_once_more_with_the_reason(house: House) -> None:
    def forgetful(text: str, request: TranslationRequest) -> str:
        return text.upper() if request.faults else text.upper().replace("⟦3⟧", "")

    house.model.translation = forgetful
    begun = await translated(house, await published(house))
    await house.work()
    assert (await made(house, begun)).content == EXPECTED
    first, second = house.model.translations
    assert len(first.segments) > 1
    assert second.segments == ("A ⟦1⟧heat pump⟦2⟧ moves 3.5 kW of heat ⟦3⟧. See ⟦4⟧the guide⟦5⟧ ⟦6⟧.",)
    assert second.faults == ("the place ⟦3⟧ is missing",)


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda text: text.upper().replace("⟦3⟧", ""),
        lambda text: text.upper().replace("3.5", "35"),
        lambda text: text.upper() + " https://evil.example",
        lambda text: text.upper() + " <script>alert(1)</script>",
        lambda text: "",
        lambda text: text,
    ],
)
async def test_what_stays_wrong_fails_with_a_reason_and_gives_the_credits_back(house: House, spoilt: Any) -> None:
    house.model.translation = lambda text, request: spoilt(text)
    begun = await translated(house, await published(house))
    assert await used(house) == 1
    await house.work()
    article, translation = await made(house, begun), await now_(house, begun)
    assert (article.status, translation.status) == (ArticleStatus.FAILED, TranslationStatus.FAILED)
    assert article.error == translation.error
    assert article.error
    assert article.content == ""
    assert await used(house) == 0
    assert house.model.calls["translate"] <= 2
    async with house.services.ports.unit_of_work() as tx:
        assert await tx[Translations].parts(translation.id) == {}


async def test_a_model_that_is_away_is_asked_again_and_the_credits_come_back_once(house: House) -> None:
    def away(method: str, position: int) -> None:
        if method == "translate":
            raise ProviderFailed("scripted", "is away", retryable=True)

    house.model.before = away
    begun = await begun_text(house)
    for _ in range(5):
        await house.work()
        house.clock.advance(minutes=10)
    translation = await now_(house, begun)
    assert (translation.status, translation.refunded) == (TranslationStatus.FAILED, True)
    assert house.model.calls["translate"] == 3
    assert await used(house) == 0


async def test_credits_come_back_to_the_month_they_were_taken_from(house: House) -> None:
    house.model.translation = lambda text, request: ""
    await begun_text(house)
    house.clock.advance(days=31)
    house.model.translation = lambda text, request: text.upper()
    other = await begun_text(house)
    house.model.translation = lambda text, request: ""
    [job] = [job for job in await house.claim() if job.subject_id != other.translation.id]
    await house.services.handlers[job.kind](job)
    assert await used(house) == 1


# ------------------------------------------------------------------------------------------ what comes between


async def test_a_person_who_takes_the_article_over_stops_its_translation(house: House) -> None:
    begun = await translated(house, await published(house))
    made_id = begun.translation.made_article_id
    assert made_id is not None
    await house.services.writing.edit(EditArticleCommand(house.caller, made_id, content="Mine."))
    assert await house.work() == 0
    translation = await now_(house, begun)
    assert (translation.status, translation.stopped, translation.refunded) == (TranslationStatus.FAILED, True, False)
    assert (await house.article(made_id)).content == "Mine."
    assert await used(house) == 1


async def test_deleting_the_translation_stops_it_and_deleting_the_original_does_not(house: House) -> None:
    original = await published(house)
    kept, gone = await translated(house, original), await translated(house, original, Language.DE)
    gone_id = gone.translation.made_article_id
    assert gone_id is not None
    await house.services.writing.delete(house.caller, gone_id)
    await house.services.writing.delete(house.caller, original.id)
    await house.work()
    with pytest.raises(NotFound):
        await now_(house, gone)
    article = await made(house, kept)
    assert (article.status, article.translation_of) == (ArticleStatus.GENERATED, original.id)


async def test_a_worker_that_dies_at_any_moment_pays_for_no_part_twice() -> None:
    for transactions in range(1, 20):
        async with open_house() as house:
            begun = await translated(house, await published(house, content=LONG))
            [job] = await house.claim("dying")
            assert job.kind is JobKind.TRANSLATE
            died = await died_after(house, transactions, job)
            stored = await parts_of(house, begun)
            asked = len(house.model.translations)
            house.clock.advance(seconds=31)
            await house.work("w2")
            assert (await made(house, begun)).content == LONG.upper()
            assert await used(house) == begun.translation.credits == 2
            if died:
                assert len(house.model.translations) - asked == 4 - stored
            else:
                assert len(house.model.translations) == 4
                return
    raise AssertionError("a translation takes fewer transactions than this")


async def test_a_crash_between_the_tries_does_not_repeat_the_first() -> None:
    async with open_house() as house:
        house.model.translation = lambda text, request: text.upper() if request.faults else ""
        begun = await begun_text(house)
        [job] = await house.claim("dying")
        assert await died_after(house, 4, job)  # read, and the first try stored; the circuit read before each try
        assert house.model.calls["translate"] == 2
        house.clock.advance(seconds=31)
        await house.work("w2")
        assert (await now_(house, begun)).result == "A PUMP IS QUIET."
        assert house.model.calls["translate"] == 3
        assert [bool(request.faults) for request in house.model.translations] == [False, True, True]


async def test_an_article_that_is_gone_can_be_asked_for_no_more(house: House) -> None:
    with pytest.raises(NotFound):
        await translated(house, builders.article(id=ArticleId("nope")))
    with pytest.raises(NotFound):
        await begun_text(house, None, document_id=DocumentId("nope"))


async def test_a_document_whose_original_is_gone_is_a_conflict(house: House) -> None:
    document = await house.services.knowledge.add_document.upload(house.caller, "manual.md", CONTENT.encode(), None)
    await house.work()
    ready = await house.services.knowledge.documents.one(house.caller, document.id)
    assert ready.status is DocumentStatus.READY
    await house.services.writing.translate.objects.delete(ready.object_key)
    with pytest.raises(Conflict):
        await begun_text(house, None, document_id=document.id)
    assert await used(house) == 0
