"""Articles that say already what another one would."""

from __future__ import annotations

from collections.abc import Mapping

from contentgen_adapters.memory.common_tables import ARTICLES, FREE_TOPICS, TOPIC_WORDS
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.picking import are_near_duplicates
from contentgen_core.ports.repositories.duplicates import Duplicates, KnownArticle


@repository(Duplicates)
class MemoryDuplicates:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def by_free_topic(self, free_topic: str) -> KnownArticle | None:
        article_id = self._session[FREE_TOPICS].get(free_topic)
        article = None if article_id is None else self._session[ARTICLES].get(article_id)
        return None if article is None else _known(article)

    async def by_trend(self, tenant_id: TenantId, trend_slug: str) -> KnownArticle | None:
        found = [
            article
            for article in self._standing()
            if article.trend_slug == trend_slug and (article.tenant_id == tenant_id or _shown(article))
        ]
        return _known(min(found, key=lambda article: (article.created_at, article.id))) if found else None

    async def without_words(self, limit: int) -> list[KnownArticle]:
        without_words = [
            a for a in self._session[ARTICLES].rows() if _shown(a) and words_of_topic(self._session, a) is None
        ]
        return [_known(article) for article in sorted(without_words, key=lambda article: article.id)[:limit]]

    async def save_words(self, words: Mapping[ArticleId, frozenset[str]]) -> None:
        await self._session.writing()
        for article_id, own in words.items():
            article = self._session[ARTICLES].get(article_id)
            if article is not None:
                self._session[TOPIC_WORDS].put(article_id, (article.brief.topic, article.brief.language, own))

    async def nearest(self, words: Mapping[Language, frozenset[str]]) -> KnownArticle | None:
        found: list[tuple[int, int, Article]] = []
        for article in self._standing():
            own, asked = words_of_topic(self._session, article), words.get(article.brief.language, frozenset())
            if _shown(article) and own and asked and are_near_duplicates(own, asked):
                found.append((-len(own & asked), len(own), article))
        found.sort(key=lambda each: (each[0], each[1], each[2].created_at, each[2].id))
        return _known(found[0][2]) if found else None

    async def recent(self, tenant_id: TenantId, limit: int) -> list[KnownArticle]:
        own = [article for article in self._standing() if article.tenant_id == tenant_id]
        own.sort(key=lambda article: (article.created_at, article.id), reverse=True)
        return [_known(article) for article in own[:limit]]

    def _standing(self) -> list[Article]:
        return [a for a in self._session[ARTICLES].rows() if a.status is not ArticleStatus.FAILED]


def words_of_topic(session: Session, article: Article) -> frozenset[str] | None:
    """The stored words of an article's topic; None where none are stored since it changed."""
    saved = session[TOPIC_WORDS].get(article.id)
    if saved is None or saved[:2] != (article.brief.topic, article.brief.language):
        return None
    return saved[2]


def _shown(article: Article) -> bool:
    return article.is_public or article.is_free_generation


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
