"""A picture for an article: who may ask, what is asked for, what is kept."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.images.catalog import SETTINGS
from contentgen_adapters.memory.images import MemoryImages
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.errors import Conflict, NotConfigured, NotFound, NotPermitted
from contentgen_core.model.article import Article, ArticleStatus, ImageCredit
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.publication import PostRequest
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.image_credit import alternative_text, credit_markdown
from contentgen_core.policies.articles.image_queries import MAX_QUERIES, MAX_WORDS, image_queries
from contentgen_core.policies.articles.markdown_document import markdown_document
from contentgen_core.ports.images import ConfiguredImageSearch, Picture, PictureQuery
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from tests.support.house import PICTURES, House, open_house

ANALYSIS = IcuTextAnalysis()


def admin(house: House) -> Caller:
    return evolve(house.caller, platform_admin=True)


async def stored(house: House, **changes: Any) -> Article:
    article = builders.article(
        tenant_id=house.caller.tenant_id,
        **{"title": "Heat pump efficiency in winter", "status": ArticleStatus.GENERATED, "content": "Words."} | changes,
    )
    async with house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(article)
    return article


async def test_an_article_is_given_a_picture_with_its_credit() -> None:
    async with open_house() as house:
        article = await stored(house)
        result = await house.services.writing.auto_image(admin(house), article.id)
        assert result.success
        assert result.picture == PICTURES[0]
        kept = await house.article(article.id)
        assert kept == result.article
        assert kept.featured_image == PICTURES[0].address
        assert kept.image_credit is not None
        assert (kept.image_credit.photographer, kept.image_credit.alt) == ("Ada Ohm", PICTURES[0].alt)
        assert house.images.used == [PICTURES[0]]
        assert house.images.queries[0] == PictureQuery("Heat pump efficiency winter", article.brief.language)


async def test_an_article_that_has_an_image_keeps_it_and_nobody_is_asked() -> None:
    async with open_house() as house:
        article = await stored(house, featured_image="https://own.example/a.jpg")
        result = await house.services.writing.auto_image(admin(house), article.id)
        assert (result.success, result.picture) == (True, None)
        assert result.article == article
        assert not house.images.queries


async def test_force_replaces_an_image_and_by_another_one() -> None:
    async with open_house() as house:
        article = await stored(house, featured_image="https://own.example/a.jpg")
        for expected in PICTURES:
            result = await house.services.writing.auto_image(admin(house), article.id, force=True)
            assert result.picture == expected
        assert house.images.used == list(PICTURES)


async def test_an_image_that_somebody_gave_meanwhile_stays() -> None:
    class Slow(MemoryImages):
        async def find(self, query: PictureQuery) -> Picture | None:
            command = EditArticleCommand(house.caller, article.id, featured_image="https://own.example/a.jpg")
            await house.services.writing.edit(command)
            return await super().find(query)

    async with open_house() as house:
        article = await stored(house)
        slow = Slow(PICTURES)
        auto_image = evolve(house.services.writing.auto_image, images=ConfiguredImageSearch(slow, SETTINGS))
        result = await auto_image(admin(house), article.id)
        assert (result.success, result.picture) == (True, None)
        assert result.article.featured_image == "https://own.example/a.jpg"
        assert not slow.used


async def test_nothing_found_leaves_the_article_as_it_was() -> None:
    async with open_house() as house:
        article = await stored(house, title="Zygomorphic quux", brief=builders.brief(topic="Quux", keywords=("frobs",)))
        result = await house.services.writing.auto_image(admin(house), article.id)
        assert (result.success, result.picture, result.article) == (False, None, article)
        assert [query.text for query in house.images.queries] == ["Zygomorphic quux", "Quux", "frobs"]


async def test_where_the_title_finds_nothing_the_topic_is_asked_for() -> None:
    async with open_house() as house:
        article = await stored(house, title="The quux", brief=builders.brief(topic="A heat pump", keywords=()))
        result = await house.services.writing.auto_image(admin(house), article.id)
        assert result.picture == PICTURES[0]


async def test_only_platform_admins_that_may_write_have_pictures_found() -> None:
    async with open_house() as house:
        article = await stored(house)
        for caller in (house.caller, evolve(admin(house), role=Role.VIEWER)):
            with pytest.raises(NotPermitted):
                await house.services.writing.auto_image(caller, article.id)
        other = evolve(await house.other_tenant(), platform_admin=True)
        with pytest.raises(NotFound):
            await house.services.writing.auto_image(other, article.id)
        with pytest.raises(NotFound):
            await house.services.writing.auto_image(admin(house), ArticleId("nowhere"))
        assert not house.images.queries


async def test_an_article_that_is_being_generated_is_left_alone() -> None:
    async with open_house() as house:
        article = await stored(house, status=ArticleStatus.GENERATING)
        with pytest.raises(Conflict):
            await house.services.writing.auto_image(admin(house), article.id)
        assert await house.article(article.id) == article


async def test_without_an_image_search_the_settings_are_named_unless_there_is_an_image() -> None:
    async with open_house() as house:
        without = evolve(house.services.writing.auto_image, images=ConfiguredImageSearch(None, SETTINGS))
        with pytest.raises(NotConfigured, match="CONTENTGEN_UNSPLASH_API_KEY or CONTENTGEN_PEXELS_API_KEY"):
            await without(admin(house), (await stored(house)).id)
        has = await stored(house, featured_image="https://own.example/a.jpg")
        assert (await without(admin(house), has.id)).success


async def test_a_credit_goes_with_its_picture() -> None:
    async with open_house() as house:
        article = (await house.services.writing.auto_image(admin(house), (await stored(house)).id)).article
        same = EditArticleCommand(house.caller, article.id, title="Another", featured_image=article.featured_image)
        assert (await house.services.writing.edit(same)).image_credit == article.image_credit
        other = EditArticleCommand(house.caller, article.id, featured_image="https://own.example/a.jpg")
        assert (await house.services.writing.edit(other)).image_credit is None


def test_a_query_has_the_words_of_the_subject() -> None:
    def queries(title: str, language: Language, **brief: Any) -> tuple[str, ...]:
        asked = builders.brief(language=language, **{"topic": "Topic", "keywords": ()} | brief)
        return image_queries(builders.article(title=title, brief=asked), ANALYSIS)

    assert queries("The complete guide to heat pumps in 2026", Language.EN)[0] == "heat pumps"
    assert queries("Comment choisir une pompe à chaleur ?", Language.FR)[0] == "pompe chaleur"
    assert queries("10 tips", Language.EN)[0] == "tips"
    assert queries("…", Language.EN, topic="12", keywords=("Solar panels",)) == ("Solar panels",)
    assert queries("…", Language.EN, topic="?") == ()
    long = queries("Quiet efficient modern heat pumps for old stone houses", Language.EN)
    assert len(long[0].split()) == MAX_WORDS
    assert long[1] == " ".join(long[0].split()[:2])


@given(title=st.text(max_size=400), topic=st.text(max_size=100), language=st.sampled_from(Language))
def test_any_title_gives_a_few_short_queries(title: str, topic: str, language: Language) -> None:
    article = builders.article(title=title, brief=builders.brief(topic=topic, language=language))
    queries = image_queries(article, ANALYSIS)
    assert len(queries) <= MAX_QUERIES
    assert len(set(queries)) == len(queries)
    assert all(query.strip() for query in queries)


def test_a_credit_line_has_its_links_and_no_markup_of_others() -> None:
    credit = ImageCredit("x", "Sample", "https://s.example/?utm_source=a&b=c", "*Zoë* [x](y) <b>", "https://p.example")
    assert credit_markdown(credit) == (
        r"*Photo: [\*Zoë\* \[x\](y) \<b\>](<https://p.example>) / [Sample](<https://s.example/?utm_source=a&b=c>)*"
    )
    assert credit_markdown(evolve(credit, photographer="Zoë", photographer_url="bad >")).startswith("*Photo: Zoë / ")


async def test_what_is_published_and_downloaded_names_the_photographer() -> None:
    async with open_house() as house:
        article = (await house.services.writing.auto_image(admin(house), (await stored(house)).id)).article
        line = "*Photo: [Ada Ohm](<https://pictures.example.org/people/0>)"
        assert line in markdown_document(article)
        assert f"![{PICTURES[0].alt}](<{PICTURES[0].address}>)" in markdown_document(article)
        post = _post(article, PostRequest())
        assert post.markdown.startswith("Words.\n\n" + line)
        assert post.featured_image_alt == PICTURES[0].alt == alternative_text(article)
        own = _post(article, PostRequest(featured_image="https://own.example/a.jpg"))
        assert (own.markdown, own.featured_image_alt) == ("Words.", article.title)


def _post(article: Article, request: PostRequest) -> Any:
    from contentgen_adapters.memory.publishing import MemoryTarget
    from contentgen_core.policies.articles.publishing import post_of

    publication = builders.publication(article_id=article.id, request=request)
    return post_of(publication, article, MemoryTarget().info, lambda title: "slug", MOMENT)
