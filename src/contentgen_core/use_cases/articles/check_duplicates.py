"""GET /writer/check-trend-slug: whether there is an article on a topic or a trend already."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.errors import FieldError, InvalidInput
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.model.tenant import Caller
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.tenancy.access import require_platform_admin
from contentgen_core.policies.topics.picking import are_near_duplicates
from contentgen_core.policies.topics.similarity import significant_words
from contentgen_core.policies.topics.validation import check_topic, topic_key
from contentgen_core.ports.repositories.duplicates import Duplicates, KnownArticle
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.topic_meaning import TopicMeaning
from contentgen_core.use_cases.use_case import use_case

OWN_ARTICLES: Final = 1_000
"""The tenant's own newest articles that are compared; all free and public ones are, by their index."""
BATCH: Final = 500  # topics that are indexed in one step


class MatchedBy(StrEnum):
    FREE_TOPIC = "freeTopic"
    TREND_SLUG = "trendSlug"
    NEAR_DUPLICATE = "nearDuplicate"


@frozen
class Duplicate:
    """The article found, and by which level of the check."""

    article: KnownArticle
    matched_by: MatchedBy


@use_case
class CheckDuplicates:
    unit_of_work: UnitOfWork
    analysis: TextAnalysis
    meaning: TopicMeaning

    async def __call__(self, caller: Caller, slug: str | None, topic: str | None) -> Duplicate | None:
        """The first match of three levels: a free article with exactly this topic, an article on this trend, a
        near-duplicate of the topic. Raises InvalidInput without slug and topic, NotPermitted."""
        if slug is None and topic is None:
            message = "slug or topic is needed"
            raise InvalidInput(FieldError("slug", message), FieldError("topic", message))
        topic = None if topic is None else check_topic(topic)
        require_platform_admin(caller)
        async with self.unit_of_work() as tx:
            if topic is not None and (known := await tx[Duplicates].by_free_topic(topic_key(topic))):
                return Duplicate(known, MatchedBy.FREE_TOPIC)
            if slug is not None and (known := await tx[Duplicates].by_trend(caller.tenant_id, slug)):
                return Duplicate(known, MatchedBy.TREND_SLUG)
        known = None if topic is None else await self._nearest(caller.tenant_id, topic)
        return None if known is None else Duplicate(known, MatchedBy.NEAR_DUPLICATE)

    async def _nearest(self, tenant_id: TenantId, topic: str) -> KnownArticle | None:
        """The topic's language is unknown, so it is analysed in every language: each article is compared in its own
        one. By meaning with the newest of the tenant's own."""
        await self.index_topics()
        words = await asyncio.to_thread(self._in_all_languages, topic)
        async with self.unit_of_work() as tx:
            nearest = await tx[Duplicates].nearest(words)
            own = [] if nearest is not None else await tx[Duplicates].recent(tenant_id, OWN_ARTICLES)
        found = nearest or await asyncio.to_thread(self._first_near, words, own)
        if found is not None:
            return found
        same = await self.meaning.same(topic, [article.topic for article in own])
        return next((article for article in own if article.topic == same), None)

    async def index_topics(self) -> None:
        """Store the significant words of articles that became free or public since the last call. Called periodically,
        so that a request has to index only the newest."""
        while True:
            async with self.unit_of_work() as tx:
                articles = await tx[Duplicates].without_words(BATCH)
            if not articles:
                return
            words = await asyncio.to_thread(self._words_of, articles)
            async with self.unit_of_work() as tx:
                await tx[Duplicates].save_words(words)

    def _in_all_languages(self, topic: str) -> dict[Language, frozenset[str]]:
        return {language: significant_words(topic, language, self.analysis) for language in Language}

    def _words_of(self, articles: Sequence[KnownArticle]) -> dict[ArticleId, frozenset[str]]:
        return {a.id: significant_words(a.topic, a.language, self.analysis) for a in articles}

    def _first_near(
        self, words: Mapping[Language, frozenset[str]], articles: Sequence[KnownArticle]
    ) -> KnownArticle | None:
        return next(
            (
                article
                for article in articles
                if are_near_duplicates(
                    significant_words(article.topic, article.language, self.analysis), words[article.language]
                )
            ),
            None,
        )
