"""Before an article is written: is there one on this topic or trend already, among those that one may know of?"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import pytest
from attrs import define
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.errors import InvalidInput, NotPermitted
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import Caller, PlanName, Role
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.ports.knowledge_base import Embedder
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.duplicates import Duplicates
from contentgen_core.testing import builders
from contentgen_core.use_cases.articles.check_duplicates import CheckDuplicates, Duplicate, MatchedBy
from contentgen_core.use_cases.topic_meaning import TopicMeaning
from tests.support.subjects import Subjects

ANALYSIS: Final = IcuTextAnalysis()
OWN, OTHER = TenantId("own"), TenantId("other")

# Two topics of each language that say nearly the same: other forms of the words, other stop words, another order.
NEARLY_THE_SAME: Final[dict[Language, tuple[str, str]]] = {
    Language.FR: ("Le bruit des pompes à chaleur en hiver", "Pompe à chaleur : les bruits de l'hiver"),
    Language.EN: ("Noise of heat pumps in winter", "The heat pump's winter noises"),
    Language.ES: ("El ruido de las bombas de calor en invierno", "Bomba de calor: ruidos del invierno"),
    Language.DE: ("Der Lärm von Wärmepumpen im Winter", "Wärmepumpe und Lärm des Winters"),
    Language.IT: ("Il rumore delle pompe di calore in inverno", "Pompa di calore: rumori dell'inverno"),
    Language.PT: ("O ruído das bombas de calor no inverno", "Bomba de calor: ruídos do inverno"),
    Language.NL: ("Het lawaai van warmtepompen in de winter", "Warmtepomp en lawaai in winters"),
    Language.PL: ("Hałas pompy ciepła", "Pompa ciepła: hałas"),
    Language.SV: ("Buller från värmepumpar under vintern", "Värmepump och vinterns buller, vintern"),
    Language.NO: ("Støy fra varmepumper om vinteren", "Varmepumpe og støy, vinteren"),
    Language.DA: ("Støj fra varmepumper om vinteren", "Varmepumpe og støj, vinteren"),
    Language.FI: ("Talon melu talvella", "Melu talossa, talvella"),
    Language.CS: ("Hluk města v zimě", "Města a hluk v zimě"),
    Language.HU: ("A ház zaja télen", "Házak zaja, télen"),
    Language.RO: ("Energia casei pe timp de iarnă", "Casei, energie, iarnă, timp"),
    Language.EL: ("Ο θόρυβος της ενέργειας το χειμώνα", "Ενέργεια, θόρυβος, χειμώνα"),
    Language.TR: ("Evlerde ışık ve enerji", "Evde enerji ve ışık"),
    Language.UK: ("Енергія будинку взимку", "Взимку енергії будинку"),
    Language.ZH: ("冬天的热泵噪音", "热泵噪音 冬天"),
    Language.JA: ("冬の住宅のエネルギー", "エネルギー 住宅 冬"),
    Language.KO: ("서울에서 겨울 에너지", "겨울 에너지 서울은"),
    Language.TH: ("พลังงาน ประเทศไทย", "ประเทศไทย พลังงาน"),
    Language.VI: ("Tiếng ồn của máy bơm nhiệt", "Máy bơm nhiệt: tiếng ồn"),
    Language.ID: ("Buku energi untuk rumah", "Energi rumah: bukunya"),
    Language.HI: ("किताब और ऊर्जा घर", "घर ऊर्जा किताबें"),
    Language.AR: ("الطاقة في الشتاء", "طاقة الشتاء"),
    Language.RU: ("Энергия дома зимой", "Зимой энергии дома"),
    Language.HE: ("אנרגיה בבית בחורף", "בחורף אנרגיה בבית"),
}


@define
class Desk:
    check: CheckDuplicates
    data: MemoryUnitOfWork

    async def article(self, topic: str, *, tenant_id: TenantId = OTHER, **changes: Any) -> Article:
        language = changes.pop("language", Language.EN)
        article = builders.article(
            tenant_id=tenant_id,
            brief=builders.brief(topic=topic, language=language),
            topic_key=topic_key(topic),
            title=f"On {topic}",
            status=changes.pop("status", ArticleStatus.GENERATED),
            **changes,
        )
        async with self.data() as tx:
            await tx[Articles].add(article)
        return article

    async def found(self, topic: str | None = None, slug: str | None = None) -> Duplicate | None:
        return await self.check(caller(), slug, topic)

    async def matched(self, topic: str | None = None, slug: str | None = None) -> tuple[str, MatchedBy] | None:
        found = await self.found(topic, slug)
        return None if found is None else (found.article.id, found.matched_by)


def caller(platform_admin: bool = True) -> Caller:
    return Caller(OWN, builders.user().id, PlanName.PRO, Role.OWNER, platform_admin)


def desk(embedder: Embedder | None = None) -> Desk:
    data = MemoryUnitOfWork()
    return Desk(CheckDuplicates(data, ANALYSIS, TopicMeaning(embedder or HashedEmbedder())), data)


async def test_the_three_levels_are_asked_in_their_order() -> None:
    at = desk()
    topic = "Noise of heat pumps in winter"
    near = await at.article("Winter noise of a heat pump", is_public=True)
    assert await at.matched(topic, "heat") == (near.id, MatchedBy.NEAR_DUPLICATE)
    of_trend = await at.article("Something else", is_public=True, trend_slug="heat")
    assert await at.matched(topic, "heat") == (of_trend.id, MatchedBy.TREND_SLUG)
    free = await at.article(topic, is_free_generation=True, free_topic=topic_key(topic))
    assert await at.matched(" NOISE of heat  pumps in winter ", "heat") == (free.id, MatchedBy.FREE_TOPIC)
    assert await at.matched(slug="heat") == (of_trend.id, MatchedBy.TREND_SLUG)
    assert await at.matched("Solar panels on flat roofs", "sun") is None
    assert await at.matched(slug="sun") is None


async def test_a_private_article_of_another_tenant_is_never_found() -> None:
    at = desk()
    topic = "Noise of heat pumps in winter"
    await at.article(topic, trend_slug="heat", free_topic=topic_key(topic))
    assert await at.found(topic, "heat") is None
    own = await at.article(topic, tenant_id=OWN)
    assert await at.matched(topic, "heat") == (own.id, MatchedBy.NEAR_DUPLICATE)


async def test_the_same_in_another_language_is_a_near_duplicate_of_an_own_article() -> None:
    at = desk(Subjects({"sun": ("solaire", "solar"), "wind": ("wind",)}))
    own = await at.article("Énergie solaire", tenant_id=OWN, language=Language.FR)
    assert await at.matched("Solar energy") == (own.id, MatchedBy.NEAR_DUPLICATE)
    assert await at.matched("Wind energy") is None
    without = desk(Subjects({"sun": ("solaire", "solar")}, fails=True))
    await without.article("Énergie solaire", tenant_id=OWN, language=Language.FR)
    assert await without.matched("Solar energy") is None


async def test_a_failed_article_is_no_duplicate() -> None:
    at = desk()
    await at.article("Noise of heat pumps", tenant_id=OWN, trend_slug="heat", status=ArticleStatus.FAILED)
    await at.article("Noise of heat pumps", is_public=True, status=ArticleStatus.FAILED)
    assert await at.found("Noise of heat pumps", "heat") is None


async def test_articles_that_became_public_are_found_from_then_on() -> None:
    at = desk()
    first = await at.article("Noise of heat pumps", is_public=True)
    assert await at.matched("Heat pumps and noise") == (first.id, MatchedBy.NEAR_DUPLICATE)
    many = [await at.article(f"Solar roof number {n}", is_public=True) for n in range(3)]
    assert await at.matched("Number 2: a solar roof") == (many[2].id, MatchedBy.NEAR_DUPLICATE)


async def test_topics_that_were_read_beforehand_are_not_read_while_somebody_waits() -> None:
    at = desk()
    await at.article("Noise of heat pumps", is_public=True)
    async with at.data() as tx:
        assert len(await tx[Duplicates].without_words(10)) == 1
    await at.check.index_topics()
    async with at.data() as tx:
        assert await tx[Duplicates].without_words(10) == []


async def test_four_significant_words_make_a_near_duplicate_and_three_of_many_do_not() -> None:
    at = desk()
    topic = "Heat pump noise limits in terraced houses at night"
    article = await at.article(topic, is_public=True)
    near = "Limits for night noise: which heat pump suits a garden with a pond?"
    assert await at.matched(near) == (article.id, MatchedBy.NEAR_DUPLICATE)
    assert await at.found("Heat pump noise in an orchard, a vineyard and a greenhouse") is None


async def test_slug_or_topic_is_needed_and_only_platform_admins_may_ask() -> None:
    at = desk()
    with pytest.raises(InvalidInput) as refused:
        await at.found()
    assert [fault.field for fault in refused.value.errors] == ["slug", "topic"]
    with pytest.raises(InvalidInput):
        await at.found("{{ topic }}")
    with pytest.raises(NotPermitted):
        await at.check(caller(platform_admin=False), "heat", None)


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("tenant_id", [OTHER, OWN], ids=["public", "own"])
async def test_stems_and_stop_words_of_every_language_count(language: Language, tenant_id: TenantId) -> None:
    one, other = NEARLY_THE_SAME[language]
    for written, asked in ((one, other), (other, one)):
        at = desk()
        article = await at.article(written, tenant_id=tenant_id, language=language, is_public=tenant_id == OTHER)
        assert await at.matched(asked) == (article.id, MatchedBy.NEAR_DUPLICATE)


WORDS: Final = (
    "heat", "pump", "noise", "winter", "terrace", "house", "limit", "night", "roof", "solar", "panel", "the", "of",
    "guide", "2026",
)  # fmt: skip
topics = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)


async def _finds(written: str, asked: str, language: Language) -> bool:
    at = desk()
    await at.article(written, is_public=True, language=language)
    return await at.found(asked) is not None


@settings(max_examples=60, deadline=None)
@given(one=topics, other=topics, language=st.sampled_from(list(Language)))
def test_whoever_is_a_near_duplicate_of_one_has_it_for_its_own(one: str, other: str, language: Language) -> None:
    assert asyncio.run(_finds(one, other, language)) is asyncio.run(_finds(other, one, language))


@settings(max_examples=60, deadline=None)
@given(data=st.data(), topic=topics, language=st.sampled_from(list(Language)))
def test_a_topic_finds_its_own_article_in_whatever_order_its_words_come(
    data: st.DataObject, topic: str, language: Language
) -> None:
    shuffled = " ".join(data.draw(st.permutations(topic.split())))
    assert asyncio.run(_finds(topic, shuffled, language))


@settings(max_examples=30, deadline=None)
@given(topic=st.text(min_size=1, max_size=60).filter(lambda t: any(c.isalnum() for c in t)))
def test_any_topic_that_may_be_asked_for_finds_its_own_article(topic: str) -> None:
    try:
        assert asyncio.run(_finds(topic, topic, Language.EN))
    except InvalidInput:  # refused as a topic, so no article has it
        return
