"""Translations: what they cost, what becomes of them, and that nothing is paid for twice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import (
    ArticleNotPublished,
    Conflict,
    IdempotencyKeyReused,
    InvalidInput,
    NotConfigured,
    NotFound,
    NotPermitted,
    PlanForbids,
    ProviderFailed,
    QuotaExceeded,
    TopicAlreadyGenerating,
)
from contentgen_core.model.article import Article, ArticleSource, ArticleStatus, Seo
from contentgen_core.model.document import DocumentStatus
from contentgen_core.model.ids import ArticleId, DocumentId
from contentgen_core.model.job import JobKind
from contentgen_core.model.tenant import PlanName, Role
from contentgen_core.model.translation import Translation, TranslationStatus
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.plans import Quota
from contentgen_core.ports.content_model import Answer, TranslationRequest
from contentgen_core.testing import builders
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.idempotency import IdempotencyKey
from contentgen_core.use_cases.translation.run import PART_SEGMENTS
from contentgen_core.use_cases.translation.start import Begun, TranslateArticleCommand, TranslateTextCommand
from tests.support.house import NICHE, House, open_house
from tests.support.mortal import died_after

CONTENT = """## How it works

A **heat pump** moves 3.5 kW of heat [1]. See [the guide](https://kb.example.org/0) [2].

| Model | Power |
|---|---|
| R290 unit | 12 kW |

```sh
pump --start  # [1]
```

- It is quiet: `42 dB` [1]
"""
EXPECTED = """## HOW IT WORKS

A **HEAT PUMP** MOVES 3.5 KW OF HEAT [1]. SEE [THE GUIDE](https://kb.example.org/0) [2].

| MODEL | POWER |
|---|---|
| R290 UNIT | 12 KW |

```sh
pump --start  # [1]
```

- IT IS QUIET: `42 dB` [1]
"""
SOURCES = tuple(ArticleSource(n, f"Source {n}", DocumentId(f"d{n}"), 0, f"https://kb.example.org/{n}") for n in (1, 2))


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


async def published(house: House, **changes: Any) -> Article:
    article = builders.article(
        **{
            "id": ArticleId(house.services.start_translation.ids.new()),
            "tenant_id": house.caller.tenant_id,
            "niche_key": NICHE,
            "title": "Heat pumps in 2026",
            "status": ArticleStatus.PUBLISHED,
            "content": CONTENT,
            "excerpt": "What they cost.",
            "seo": Seo("Heat pumps", None),
            "featured_image": "https://img.example.org/1.png",
            "sources": SOURCES,
            "is_public": True,
            **changes,
        }
    )
    async with house.services.unit_of_work() as tx:
        await tx.articles.add(article)
    return article


async def translated(house: House, article: Article, target: Language = Language.FR, **changes: Any) -> Begun:
    command = TranslateArticleCommand(house.caller, article.id, target)
    return await house.services.start_translation.article(evolve(command, **changes))


async def begun_text(house: House, text: str | None = "A pump is quiet.", **changes: Any) -> Begun:
    command = TranslateTextCommand(house.caller, Language.FR, text)
    return await house.services.start_translation.text(evolve(command, **changes))


async def used(house: House) -> int:
    return (await house.services.tenant.quotas(house.caller))[Quota.TRANSLATION_CREDITS].used


async def now_(house: House, begun: Begun) -> Translation:
    return await house.services.translations.get(house.caller, begun.translation.id)


async def made(house: House, begun: Begun) -> Article:
    assert begun.translation.made_article_id is not None
    return await house.article(begun.translation.made_article_id)


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
    upload = await house.services.add_document.upload(house.caller, "manual.md", CONTENT.encode(), "Manual")
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
        await house.services.translations.get(stranger, begun.translation.id)
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
    credits = await house.services.translations.credits(house.caller)
    assert (credits.limit, credits.used, credits.remaining) == (30, 30, 0)
    house.clock.advance(days=31)
    assert (await house.services.translations.credits(house.caller)).used == 0


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
    async with house.services.unit_of_work() as tx:
        assert await tx.translations.parts(translation.id) == {}


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
    assert (translation.status, translation.given_back) == (TranslationStatus.FAILED, True)
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
    await house.services.edit_article(EditArticleCommand(house.caller, made_id, content="Mine."))
    assert await house.work() == 0
    translation = await now_(house, begun)
    assert (translation.status, translation.stopped, translation.given_back) == (TranslationStatus.FAILED, True, False)
    assert (await house.article(made_id)).content == "Mine."
    assert await used(house) == 1


async def test_deleting_the_translation_stops_it_and_deleting_the_original_does_not(house: House) -> None:
    original = await published(house)
    kept, gone = await translated(house, original), await translated(house, original, Language.DE)
    gone_id = gone.translation.made_article_id
    assert gone_id is not None
    await house.services.delete_article(house.caller, gone_id)
    await house.services.delete_article(house.caller, original.id)
    await house.work()
    with pytest.raises(NotFound):
        await now_(house, gone)
    article = await made(house, kept)
    assert (article.status, article.translation_of) == (ArticleStatus.GENERATED, original.id)


LONG = "\n\n".join(f"Paragraph number {n} of the text [1]." for n in range(3 * PART_SEGMENTS))


async def test_a_worker_that_dies_at_any_moment_pays_for_no_part_twice() -> None:
    for transactions in range(1, 20):
        async with open_house() as house:
            begun = await translated(house, await published(house, content=LONG))
            [job] = await house.claim("dying")
            assert job.kind is JobKind.TRANSLATE
            died = await died_after(house, transactions, job)
            stored = await _parts(house, begun)
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


async def _parts(house: House, begun: Begun) -> int:
    async with house.services.unit_of_work() as tx:
        return len(await tx.translations.parts(begun.translation.id))


async def test_a_crash_between_the_tries_does_not_repeat_the_first() -> None:
    async with open_house() as house:
        house.model.translation = lambda text, request: text.upper() if request.faults else ""
        begun = await begun_text(house)
        [job] = await house.claim("dying")
        assert await died_after(house, 2, job)  # read, and the first try stored
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
    document = await house.services.add_document.upload(house.caller, "manual.md", CONTENT.encode(), None)
    await house.work()
    ready = await house.services.documents.one(house.caller, document.id)
    assert ready.status is DocumentStatus.READY
    await house.services.start_translation.objects.delete(ready.object_key)
    with pytest.raises(Conflict):
        await begun_text(house, None, document_id=document.id)
    assert await used(house) == 0
