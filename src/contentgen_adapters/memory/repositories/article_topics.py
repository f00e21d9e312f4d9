"""What articles are about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from contentgen_adapters.memory.common_tables import ARTICLE_TOPICS, ARTICLES
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import VectorSpace
from contentgen_core.model.similar_article import AskedTopic, NearArticle, ReadTopic
from contentgen_core.policies.text.nearness import cosine
from contentgen_core.ports.repositories.article_topics import NEAREST, ArticleTopics

_Read = tuple[Article, VectorSpace | None, ReadTopic]


@repository(ArticleTopics)
class MemoryArticleTopics:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def unread(self, space: VectorSpace | None, limit: int, tenant_id: TenantId | None = None) -> list[Article]:
        found = []
        for article in self._session[ARTICLES].rows():
            read = self._session[ARTICLE_TOPICS].get(article.id)
            if tenant_id is None:
                wanted = read is None or read[0] != space
            else:
                wanted = read is None and article.tenant_id == tenant_id
            if wanted:
                found.append(article)
        return sorted(found, key=lambda article: article.id, reverse=True)[:limit]

    async def save(self, space: VectorSpace | None, topics: Sequence[ReadTopic]) -> None:
        await self._session.writing()
        for topic in topics:
            article = self._session[ARTICLES].get(topic.article_id)
            if article is not None and article.revision == topic.revision:
                self._session[ARTICLE_TOPICS].put(article.id, (space, topic))

    async def near(self, tenant_id: TenantId, space: VectorSpace | None, asked: AskedTopic) -> list[NearArticle]:
        own = [read for read in self._read() if read[0].tenant_id == tenant_id]
        cited, vector = frozenset(asked.passages), asked.vector

        def by_words(read: _Read) -> float:
            return len(read[2].words & asked.words.get(read[2].language, frozenset()))

        def by_vector(read: _Read) -> float:
            return 2 + cosine(vector, read[2].vector) if vector and read[1] == space and read[2].vector else 0

        def by_passages(read: _Read) -> float:
            return len(read[2].cited & cited)

        found = {read[0].id: read for score in (by_words, by_vector, by_passages) for read in _most(own, score)}
        return [_near(*found[id], space) for id in sorted(found) if found[id][0].status is not ArticleStatus.FAILED]

    def _read(self) -> Iterable[_Read]:
        for article_id, (space, topic) in self._session[ARTICLE_TOPICS].items():
            article = self._session[ARTICLES].get(article_id)
            if article is not None:
                yield article, space, topic


def _most(own: Sequence[_Read], score: Callable[[_Read], float]) -> list[_Read]:
    scored = sorted(((score(read), read[0].id, read) for read in own), reverse=True, key=lambda each: each[:2])
    return [read for value, _, read in scored[:NEAREST] if value]


def _near(article: Article, space: VectorSpace | None, topic: ReadTopic, asked: VectorSpace | None) -> NearArticle:
    return NearArticle(
        article.id,
        article.title,
        article.slug,
        article.status,
        article.brief.topic,
        article.brief.language,
        article.niche_key,
        article.created_at,
        article.published_at,
        article.is_public,
        article.translation_of,
        topic.vector if space == asked else None,
        topic.sections,
        topic.words,
    )
