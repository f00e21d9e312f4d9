"""Finding duplicate articles."""

from __future__ import annotations

from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from attrs import evolve

from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.picking import are_near_duplicates
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.duplicates import Duplicates, KnownArticle
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import given, given_tenant, given_tenants

EN, FR = Language.EN, Language.FR
_minutes = count()


async def _article(unit_of_work: UnitOfWork, tenant_id: TenantId, topic: str = "Wind", **changes: Any) -> Article:
    language = changes.pop("language", EN)
    article = builders.article(
        tenant_id=tenant_id,
        brief=builders.brief(topic=topic, language=language),
        topic_key=topic_key(topic),
        title=f"On {topic}",
        status=changes.pop("status", ArticleStatus.GENERATED),
        created_at=MOMENT + timedelta(minutes=next(_minutes)),
        **changes,
    )
    await given(unit_of_work, article)
    return article


async def _save_words(unit_of_work: UnitOfWork, article: Article, words: str) -> None:
    async with unit_of_work() as tx:
        await tx[Duplicates].save_words({article.id: frozenset(words.split())})


async def _near(unit_of_work: UnitOfWork, words: str, language: Language = EN) -> ArticleId | None:
    async with unit_of_work() as tx:
        found = await tx[Duplicates].nearest({language: frozenset(words.split())})
    return None if found is None else found.id


def _known(article: Article) -> KnownArticle:
    return KnownArticle(
        article.id,
        article.tenant_id,
        article.title,
        article.slug,
        article.status,
        article.brief.topic,
        article.brief.language,
    )


class DuplicatesContract:
    async def test_a_free_topic_leads_to_the_article_that_has_it_of_any_tenant(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        free = await _article(unit_of_work, tenant.id, is_free_generation=True, free_topic="wind")
        await _article(unit_of_work, tenant.id, free_topic="sun")
        async with unit_of_work() as tx:
            assert await tx[Duplicates].by_free_topic("wind") == _known(free)
            assert await tx[Duplicates].by_free_topic("sun") is None
            assert await tx[Duplicates].by_free_topic("Wind") is None
            assert await tx[Duplicates].by_free_topic("\0") is None

    async def test_a_trend_leads_to_the_oldest_article_that_one_may_know_of(self, unit_of_work: UnitOfWork) -> None:
        own, other = await given_tenants(unit_of_work)
        await _article(unit_of_work, other.id, trend_slug="heat")
        await _article(unit_of_work, own.id, trend_slug="heat", status=ArticleStatus.FAILED)
        first = await _article(unit_of_work, own.id, trend_slug="heat")
        public = await _article(unit_of_work, other.id, trend_slug="heat", is_public=True)
        free = await _article(unit_of_work, other.id, trend_slug="sun", is_free_generation=True)
        async with unit_of_work() as tx:
            assert await tx[Duplicates].by_trend(own.id, "heat") == _known(first)
            await tx[Articles].delete(own.id, first.id)
            assert await tx[Duplicates].by_trend(own.id, "heat") == _known(public)
            assert await tx[Duplicates].by_trend(own.id, "sun") == _known(free)
            assert await tx[Duplicates].by_trend(own.id, "hea") is None
            assert await tx[Duplicates].by_trend(own.id, "\0") is None

    async def test_topics_of_free_and_public_articles_are_to_be_read_once(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        await _article(unit_of_work, tenant.id)
        free = await _article(unit_of_work, tenant.id, is_free_generation=True)
        public = await _article(unit_of_work, tenant.id, is_public=True)
        async with unit_of_work() as tx:
            assert {each.id for each in await tx[Duplicates].without_words(10)} == {free.id, public.id}
            assert len(await tx[Duplicates].without_words(1)) == 1
            await tx[Duplicates].save_words({free.id: frozenset({"wind"}), ArticleId("gone"): frozenset({"wind"})})
            assert await tx[Duplicates].without_words(10) == [_known(public)]

    async def test_a_topic_or_language_that_changes_is_to_be_read_again(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article = await _article(unit_of_work, tenant.id, is_public=True)
        for brief in (builders.brief(topic="Sun", language=EN), builders.brief(topic="Sun", language=FR)):
            await _save_words(unit_of_work, article, "wind")
            async with unit_of_work() as tx:
                article = await tx[Articles].save(evolve(article, title="Another title"))
                assert await tx[Duplicates].without_words(10) == []
                article = await tx[Articles].save(evolve(article, brief=brief))
                assert await tx[Duplicates].without_words(10) == [_known(article)]
            assert await _near(unit_of_work, "wind", brief.language) is None

    @pytest.mark.parametrize(
        ("own", "asked"),
        [
            ("a", "a"), ("a", "b"), ("a", "a b"), ("a b", "a b"), ("a b", "b c"), ("a b c", "a b c"),
            ("a b c", "a b c d"), ("a b c", "a b d"), ("a b c d", "a b c"), ("a b c d", "a b c e"),
            ("a b c d", "a b c d e f g h i j"), ("a b c d e f", "a b c g h i"), ("a b c d e", "a b c d"),
            ("a b c d e f g", "d e f g h i j k"), ("aa bb cc dddd eeee", "aa bb cc ffff gggg"),
        ],
    )  # fmt: skip
    async def test_near_duplicates_are_those_of_the_policy_in_either_direction(
        self, unit_of_work: UnitOfWork, own: str, asked: str
    ) -> None:
        tenant = await given_tenant(unit_of_work)
        one = await _article(unit_of_work, tenant.id, is_public=True)
        expected = are_near_duplicates(frozenset(own.split()), frozenset(asked.split()))
        await _save_words(unit_of_work, one, own)
        assert (await _near(unit_of_work, asked) == one.id) is expected
        await _save_words(unit_of_work, one, asked)
        assert (await _near(unit_of_work, own) == one.id) is expected

    async def test_words_meet_within_their_language_alone(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        french = await _article(unit_of_work, tenant.id, is_public=True, language=FR)
        await _save_words(unit_of_work, french, "chat noir")
        assert await _near(unit_of_work, "chat noir") is None
        assert await _near(unit_of_work, "chat noir", FR) == french.id
        async with unit_of_work() as tx:
            both = {EN: frozenset({"cat"}), FR: frozenset({"chat", "noir"})}
            assert await tx[Duplicates].nearest(both) == _known(french)
            assert await tx[Duplicates].nearest({}) is None
            assert await tx[Duplicates].nearest({EN: frozenset()}) is None

    async def test_what_is_private_or_failed_is_near_nothing(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article = await _article(unit_of_work, tenant.id, is_public=True)
        await _save_words(unit_of_work, article, "wind")
        async with unit_of_work() as tx:
            private = await tx[Articles].save(evolve(article, is_public=False))
        assert await _near(unit_of_work, "wind") is None
        async with unit_of_work() as tx:
            free = await tx[Articles].save(evolve(private, is_free_generation=True, free_topic="wind"))
        assert await _near(unit_of_work, "wind") == free.id
        async with unit_of_work() as tx:
            await tx[Articles].save(evolve(free, status=ArticleStatus.FAILED))
        assert await _near(unit_of_work, "wind") is None

    async def test_the_nearest_comes_first_then_the_shortest_then_the_oldest(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        words = ("a b c d e f", "a b c d", "a b c d", "a b c d e")
        four = [await _article(unit_of_work, tenant.id, is_public=True) for _ in words]
        for article, own in zip(four, words, strict=True):
            await _save_words(unit_of_work, article, own)
        assert await _near(unit_of_work, "a b c d") == four[1].id
        assert await _near(unit_of_work, "a b c d e g") == four[3].id

    async def test_the_newest_articles_are_the_tenants_own(self, unit_of_work: UnitOfWork) -> None:
        own, other = await given_tenants(unit_of_work)
        articles = [await _article(unit_of_work, own.id, f"Wind {n}") for n in range(3)]
        await _article(unit_of_work, other.id, is_public=True)
        await _article(unit_of_work, own.id, status=ArticleStatus.FAILED)
        async with unit_of_work() as tx:
            assert list(await tx[Duplicates].recent(own.id, 2)) == [_known(articles[2]), _known(articles[1])]
            assert await tx[Duplicates].recent(TenantId("\0"), 2) == []
