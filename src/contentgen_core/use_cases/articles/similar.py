"""POST /writer/similar-articles: the tenant's articles that already answer a topic."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import Faults, NotConfigured, ProviderFailed
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.article import Article
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.model.knowledge import RankedPassage, VectorSpace
from contentgen_core.model.similar_article import AskedTopic, NearArticle, ReadTopic, SimilarArticle
from contentgen_core.model.tenant import Caller
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.coverage.of_article import sources_on_topic
from contentgen_core.policies.topics.similar_articles import (
    MOST_PASSAGES,
    Asked,
    add_stale_reason,
    sections_of,
    similar_articles,
)
from contentgen_core.policies.topics.similarity import significant_words
from contentgen_core.policies.topics.validation import check_topic
from contentgen_core.ports.knowledge_base import space_of
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.ports.repositories.article_topics import ArticleTopics
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.publications import Publications
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.context import context_of_agent_or_niche
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_core.use_cases.topic_meaning import TopicMeaning
from contentgen_core.use_cases.use_case import use_case

BATCH: Final = 64  # articles that are read in one step
READ_AT_ONCE: Final = 32
"""Articles that one request reads, of those that changed since upkeep last came by."""


@use_case
class ReadTopics:
    """Reads what articles are about, so that those that answer a topic are found by it."""

    unit_of_work: UnitOfWork
    analysis: TextAnalysis
    renderer: ArticleRenderer
    meaning: TopicMeaning

    @property
    def space(self) -> VectorSpace | None:
        """The space of the vectors; None where the embedder models no meaning."""
        return space_of(self.meaning.embedder) if self.meaning.known else None

    async def read_all(self) -> None:
        """Read every article that is new, changed, or was read for another model. Called periodically. Raises
        ProviderFailed, NotConfigured."""
        while True:
            async with self.unit_of_work() as tx:
                articles = await tx[ArticleTopics].unread(self.space, BATCH)
            if not articles:
                return
            await self._keep(articles, self.space)

    async def read_newest(self, tenant_id: TenantId) -> None:
        """Read the newest of a tenant's articles that were not read since they changed; their words alone where
        embedding fails, until `read_all` comes by."""
        async with self.unit_of_work() as tx:
            articles = await tx[ArticleTopics].unread(self.space, READ_AT_ONCE, tenant_id)
        if articles:
            try:
                await self._keep(articles, self.space)
            except (ProviderFailed, NotConfigured):
                await self._keep(articles, None)

    async def _keep(self, articles: Sequence[Article], space: VectorSpace | None) -> None:
        read = await asyncio.to_thread(self._read, articles)
        if space is not None:
            vectors = await self.meaning.embedder.embed([article.brief.topic for article in articles], "query")
            read = [evolve(topic, vector=tuple(vector)) for topic, vector in zip(read, vectors, strict=True)]
        async with self.unit_of_work() as tx:
            await tx[ArticleTopics].save(space, read)

    def _read(self, articles: Sequence[Article]) -> list[ReadTopic]:
        return [self._read_one(article) for article in articles]

    def _read_one(self, article: Article) -> ReadTopic:
        language = article.brief.language
        words = [significant_words(text, language, self.analysis) for text in (article.brief.topic, article.title)]
        blocks = self.renderer.text_blocks(article.content)
        return ReadTopic(
            article.id, article.revision, language, words[0] | words[1], sections=sections_of(article, blocks)
        )


@frozen
class SimilarTo:
    """A topic and the passages on it. `language`: that the new article is to have, None for any. `leaving_out`: an
    article that is not to be found."""

    topic: str
    passages: Sequence[RankedPassage] = ()
    language: Language | None = None
    leaving_out: ArticleId | None = None


@use_case
class FindSimilar:
    unit_of_work: UnitOfWork
    retrieve: Retrieve
    read: ReadTopics
    analysis: TextAnalysis

    async def __call__(
        self,
        caller: Caller,
        topic: str,
        agent_key: str | None = None,
        niche_id: str | None = None,
        language: Language | None = None,
    ) -> tuple[SimilarArticle, ...]:
        """Articles that answer the topic, or a part of it. `agent_key`, `niche_id`: whose knowledge base is searched
        for passages on it; without either, topics alone are compared. Raises InvalidInput, NotFound, StaleIndex."""
        faults = Faults()
        topic = faults.checked(check_topic, topic)
        if agent_key is not None:
            faults.checked(AgentKey.parse, agent_key)
        faults.require_none()
        passages: Sequence[RankedPassage] = ()
        if agent_key is not None or niche_id is not None:
            async with self.unit_of_work() as tx:
                context = await context_of_agent_or_niche(tx, caller.tenant_id, agent_key, niche_id)
            found = await self.retrieve(context.view, topic, MOST_PASSAGES)
            coverage = await asyncio.to_thread(found.coverage, ArticleLength.STANDARD)
            passages = sources_on_topic(found.ranked, coverage)
        return await self.to(caller.tenant_id, SimilarTo(topic, passages, language))

    async def to(self, tenant_id: TenantId, asked: SimilarTo) -> tuple[SimilarArticle, ...]:
        """Return the articles similar to a topic whose passages are known. Never within a transaction: the topic is
        embedded."""
        await self.read.read_newest(tenant_id)
        words = await asyncio.to_thread(self._in_all_languages, asked.topic)
        vector = (await self.read.meaning.vectors_of([asked.topic])).get(asked.topic)
        passages = {each.ref: each.passage for each in asked.passages[:MOST_PASSAGES]}
        topic = AskedTopic(asked.topic, words, None if vector is None else tuple(vector), tuple(passages))
        async with self.unit_of_work() as tx:
            found = await tx[ArticleTopics].near(tenant_id, self.read.space, topic)
        others = [a for a in found if asked.leaving_out is None or asked.leaving_out not in (a.id, a.translation_of)]
        similar = await asyncio.to_thread(self._compare, Asked(topic, passages, asked.language), others)
        async with self.unit_of_work() as tx:
            ids = [each.article.id for each in similar]
            posts = await tx[Publications].of_articles(tenant_id, ids)
            changed = await tx[Articles].sources_changed(tenant_id, ids)
        similar = tuple(add_stale_reason(each) if each.article.id in changed else each for each in similar)
        return tuple(
            evolve(each, urls=tuple(p.url for p in posts.get(each.article.id, ()) if p.url is not None and p.is_public))
            for each in similar
        )

    def _in_all_languages(self, topic: str) -> dict[Language, frozenset[str]]:
        return {language: significant_words(topic, language, self.analysis) for language in Language}

    def _compare(self, asked: Asked, found: Sequence[NearArticle]) -> tuple[SimilarArticle, ...]:
        return similar_articles(asked, found, self.analysis)
