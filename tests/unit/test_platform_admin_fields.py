"""PATCH isPublic, publicCategory and isFreeGeneration: for platform admins, and never two free articles on a topic."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import DuplicateFreeArticle, NotPermitted
from contentgen_core.model.article import Article, ArticleStatus, PublicCategory
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.testing import builders
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from tests.support.house import NICHE, House, open_house

TOPIC = "Heat  Pumps in WINTER"
OTHER = PublicCategory.OTHER


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        opened.caller = evolve(opened.caller, platform_admin=True)
        yield opened


async def an_article(house: House, topic: str = TOPIC, **changes: Any) -> Article:
    article = builders.article(
        **{
            "tenant_id": house.caller.tenant_id,
            "niche_key": NICHE,
            "status": ArticleStatus.GENERATED,
            "brief": builders.brief(topic=topic),
            "topic_key": topic_key(topic),
            "content": "It moves heat.",
        }
        | changes
    )
    async with house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(article)
    return article


async def edit(house: House, article: Article, **fields: Any) -> Article:
    return await house.services.writing.edit(EditArticleCommand(house.caller, article.id, **fields))


async def test_a_free_article_holds_its_topic_until_it_is_none_any_more(house: House) -> None:
    first, second = await an_article(house), await an_article(house, "heat pumps IN winter")
    free = await edit(house, first, is_free_generation=True)
    assert (free.is_free_generation, free.free_topic) == (True, "heat pumps in winter")
    with pytest.raises(DuplicateFreeArticle):
        await edit(house, second, is_free_generation=True)
    assert not (await house.article(second.id)).is_free_generation
    assert (await edit(house, first, is_free_generation=True)).free_topic == "heat pumps in winter"
    let_go = await edit(house, first, is_free_generation=False)
    assert (let_go.is_free_generation, let_go.free_topic) == (False, None)
    assert (await edit(house, second, is_free_generation=True)).free_topic == "heat pumps in winter"


async def test_a_deleted_free_article_leaves_its_topic_to_others(house: House) -> None:
    first, second = await an_article(house), await an_article(house)
    await edit(house, first, is_free_generation=True)
    await house.services.writing.delete(house.caller, first.id)
    assert (await edit(house, second, is_free_generation=True)).is_free_generation


async def test_free_topics_are_the_platforms_whichever_tenant_has_them(house: House) -> None:
    mine = await an_article(house)
    other = evolve(await house.other_tenant(), platform_admin=True)
    theirs = await an_article(house, tenant_id=other.tenant_id)
    await edit(house, mine, is_free_generation=True)
    with pytest.raises(DuplicateFreeArticle):
        await house.services.writing.edit(EditArticleCommand(other, theirs.id, is_free_generation=True))


async def test_a_new_title_changes_no_free_topic(house: House) -> None:
    article = await an_article(house)
    await edit(house, article, is_free_generation=True)
    assert (await edit(house, article, title="Quite another title")).free_topic == "heat pumps in winter"


async def test_of_two_who_make_the_same_topic_free_at_once_one_is_refused(house: House) -> None:
    articles = [await an_article(house) for _ in range(6)]
    answers = await asyncio.gather(
        *(edit(house, article, is_free_generation=True) for article in articles), return_exceptions=True
    )
    assert sum(isinstance(answer, Article) for answer in answers) == 1
    assert sum(isinstance(answer, DuplicateFreeArticle) for answer in answers) == 5


@pytest.mark.parametrize(
    ("before", "fields", "category"),
    [
        (None, {"is_public": True}, OTHER),
        (PublicCategory.BIAS, {"is_public": True}, PublicCategory.BIAS),
        (None, {"is_public": True, "public_category": PublicCategory.SAFETY}, PublicCategory.SAFETY),
        (PublicCategory.BIAS, {"is_public": True, "public_category": None}, OTHER),
        (None, {"public_category": PublicCategory.BIAS}, PublicCategory.BIAS),
        (PublicCategory.BIAS, {"public_category": None}, None),
        (PublicCategory.BIAS, {"is_public": False}, PublicCategory.BIAS),
        (None, {"title": "Another"}, None),
    ],
)
async def test_a_public_article_is_always_in_a_category(
    house: House, before: PublicCategory | None, fields: dict[str, Any], category: PublicCategory | None
) -> None:
    article = await an_article(house, public_category=before)
    edited = await edit(house, article, **fields)
    assert (edited.public_category, edited.is_public) == (category, fields.get("is_public", False))


async def test_a_public_article_whose_category_is_cleared_is_in_the_one_for_all_others(house: House) -> None:
    article = await an_article(house, is_public=True, public_category=PublicCategory.BIAS, slug="heat")
    assert (await edit(house, article, public_category=None)).public_category is OTHER


async def test_articles_made_public_at_once_get_slugs_of_their_own(house: House) -> None:
    articles = [await an_article(house, f"Topic {n}", slug="heat") for n in range(5)]
    edited = await asyncio.gather(*(edit(house, article, is_public=True) for article in articles))
    assert sorted(article.slug or "" for article in edited) == ["heat", "heat-2", "heat-3", "heat-4", "heat-5"]


@pytest.mark.parametrize(
    "fields",
    [{"is_public": False}, {"public_category": None}, {"is_free_generation": False}],
    ids=lambda f: next(iter(f)),
)
async def test_others_than_platform_admins_may_not_even_say_what_is_so_already(
    house: House, fields: dict[str, Any]
) -> None:
    article = await an_article(house)
    house.caller = evolve(house.caller, platform_admin=False)
    with pytest.raises(NotPermitted):
        await edit(house, article, **fields)
