"""Translations: what becomes of them, what they cost, and what is refused."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from attrs import evolve

from contentgen_core.errors import (
    Conflict,
    IdempotencyKeyReused,
    InvalidInput,
    NotConfigured,
    NotFound,
    NotPermitted,
    PlanForbids,
    QuotaExceeded,
    TopicAlreadyGenerating,
)
from contentgen_core.model.article import ArticleStatus, Seo
from contentgen_core.model.tenant import PlanName, Role
from contentgen_core.model.translation import TranslationStatus
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.content_model import Answer, TranslationRequest
from contentgen_core.testing import builders
from contentgen_core.use_cases.idempotency import IdempotencyKey
from contentgen_core.use_cases.translation.start import ArticleNotPublished
from tests.support.house import House, open_house
from tests.support.translations import (
    CONTENT,
    EXPECTED,
    SOURCES,
    begun_text,
    made,
    now_,
    published,
    translated,
    used,
)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


# ------------------------------------------------------------------------------------------ what becomes of it


async def test_a_published_article_becomes_an_article_in_another_language(house: House) -> None:
    original = await published(house)
    articles_used = await house.articles_used()
    begun = await translated(house, original)
    assert (begun.translation.credits, begun.credits.used, begun.credits.remaining) == (1, 1, 149)
    waiting = await made(house, begun)
    assert (waiting.status, waiting.translation_of, waiting.content) == (ArticleStatus.GENERATING, original.id, "")
    await house.work()
    article = await made(house, begun)
    assert article.content == EXPECTED
    assert (article.status, article.brief.language, article.title) == (
        ArticleStatus.GENERATED, Language.FR, "HEAT PUMPS IN 2026",
    )  # fmt: skip
    assert (article.excerpt, article.seo, article.slug) == (
        "WHAT THEY COST.", Seo("HEAT PUMPS", None), "heat-pumps-in-2026",
    )  # fmt: skip
    assert (article.sources, article.featured_image) == (SOURCES, original.featured_image)
    assert (article.is_public, article.grounding, article.brief.topic) == (False, None, article.title)
    assert article.usage is not None
    assert article.word_count > 10
    assert await house.articles_used() == articles_used
    assert await house.article(original.id) == original
    ended = await now_(house, begun)
    assert (ended.status, ended.original, ended.result) == (TranslationStatus.COMPLETED, None, None)
    assert await used(house) == 1


async def test_a_text_and_a_document_are_translated_to_be_read_back(house: House) -> None:
    begun = await begun_text(house, CONTENT)
    upload = await house.services.knowledge.add_document.upload(house.caller, "manual.md", CONTENT.encode(), "Manual")
    with pytest.raises(Conflict):
        await begun_text(house, None, document_id=upload.id)
    await house.work()
    assert (await now_(house, begun)).result == EXPECTED
    of_document = await begun_text(house, None, document_id=upload.id)
    await house.work()
    found = await now_(house, of_document)
    assert (found.title, found.source, found.document_id) == ("MANUAL", Language.EN, upload.id)
    assert found.result is not None
    assert "A **HEAT PUMP** MOVES 3.5 KW OF HEAT [1]" in found.result
    assert await used(house) == 2


async def test_the_model_sees_places_where_markup_stands_and_all_of_the_text(house: House) -> None:
    await translated(house, await published(house))
    await house.work()
    [request] = house.model.translations
    assert request.segments[:5] == (
        "Heat pumps in 2026",
        "What they cost.",
        "Heat pumps",
        "How it works",
        "A ⟦1⟧heat pump⟦2⟧ moves 3.5 kW of heat ⟦3⟧. See ⟦4⟧the guide⟦5⟧ ⟦6⟧.",
    )
    assert not any("http" in text or "--start" in text for text in request.segments)
    assert (request.source, request.target, request.title) == (Language.EN, Language.FR, "Heat pumps in 2026")


async def test_several_languages_may_be_under_way_at_once_and_one_language_once(house: House) -> None:
    article = await published(house)
    await translated(house, article)
    await translated(house, article, Language.AR)
    with pytest.raises(TopicAlreadyGenerating):
        await translated(house, article)
    assert await used(house) == 2
    await house.work()
    await translated(house, article)
    assert await used(house) == 3


# ------------------------------------------------------------------------------------------ what is refused


async def test_only_a_published_article_with_a_text_is_translated(house: House) -> None:
    for changes in ({"status": ArticleStatus.DRAFT}, {"status": ArticleStatus.GENERATED}, {"content": " "}):
        with pytest.raises(ArticleNotPublished):
            await translated(house, await published(house, **changes))
    with pytest.raises(NotFound):
        await translated(house, builders.article())
    assert await used(house) == 0


async def test_who_may_not_translate_is_told_why(house: House) -> None:
    article = await published(house)
    for caller, refusal in (
        (evolve(house.caller, role=Role.VIEWER), NotPermitted),
        (house.on_plan(PlanName.FREE), PlanForbids),
    ):
        with pytest.raises(refusal):
            await translated(house, article, caller=caller)
        with pytest.raises(refusal):
            await begun_text(house, caller=caller)
    stranger = await house.other_tenant()
    with pytest.raises(NotFound):
        await translated(house, article, caller=stranger)
    begun = await begun_text(house)
    with pytest.raises(NotFound):
        await house.services.writing.translations.get(stranger, begun.translation.id)
    await begun_text(house, caller=evolve(house.caller, role=Role.EDITOR))
    assert await used(house) == 2


async def test_languages_and_texts_have_bounds(house: House) -> None:
    article = await published(house)
    for target in (Language.EN, Language.SV):
        with pytest.raises(InvalidInput):
            await translated(house, article, target)
    for text, document in ((None, None), ("a", "d"), (" 42 ", None), ("word " * 7_501, None), ("x" * 120_001, None)):
        with pytest.raises(InvalidInput):
            await begun_text(house, text, document_id=document)
    with pytest.raises(InvalidInput):
        await translated(house, await published(house, content="word " * 7_501))
    assert await used(house) == 0


async def test_credits_are_counted_by_500_words_and_end(house: House) -> None:
    house.caller = house.on_plan(PlanName.STARTER)
    assert (await begun_text(house, "word " * 7_500)).translation.credits == 15
    assert (await begun_text(house, "word " * 6_501)).translation.credits == 14
    with pytest.raises(QuotaExceeded) as refused:
        await begun_text(house, "word " * 501)
    assert (refused.value.limit, refused.value.used) == (30, 29)
    assert (await begun_text(house, "word " * 500)).credits.remaining == 0
    with pytest.raises(QuotaExceeded):
        await begun_text(house)
    credits = await house.services.writing.translations.credits(house.caller)
    assert (credits.limit, credits.used, credits.remaining) == (30, 30, 0)
    house.clock.advance(days=31)
    assert (await house.services.writing.translations.credits(house.caller)).used == 0


async def test_without_a_model_nothing_is_spent_and_the_setting_is_named(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def cannot(request: TranslationRequest) -> Answer[tuple[str, ...]]:
        raise NotConfigured("The built-in writer cannot translate.", "CONTENTGEN_OPENAI_API_KEY")

    monkeypatch.setattr(house.model, "translate", cannot)
    with pytest.raises(NotConfigured):
        await begun_text(house)
    with pytest.raises(NotConfigured):
        await translated(house, await published(house))
    assert await used(house) == 0
    assert await house.claim() == []


async def test_a_repeated_key_begins_nothing_and_spends_nothing(house: House) -> None:
    article, key = await published(house), IdempotencyKey("k", "same")
    first = await translated(house, article, idempotency=key)
    again = await translated(house, article, idempotency=key)
    assert again.translation.id == first.translation.id
    with pytest.raises(IdempotencyKeyReused):
        await translated(house, article, Language.DE, idempotency=IdempotencyKey("k", "other"))
    text_key = IdempotencyKey("t", "same")
    assert (await begun_text(house, idempotency=text_key)).translation.id == (
        await begun_text(house, idempotency=text_key)
    ).translation.id
    assert await used(house) == 2
