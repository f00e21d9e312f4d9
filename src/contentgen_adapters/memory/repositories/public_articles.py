"""Articles that everybody may read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from contentgen_adapters.memory.common_tables import ARTICLES
from contentgen_adapters.memory.records import page_of
from contentgen_adapters.memory.repositories.articles import without_details
from contentgen_adapters.memory.repositories.duplicates import words_of_topic
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.words import hold_words, search_words
from contentgen_adapters.shared.stored.approval_policies import APPROVAL_POLICIES
from contentgen_core.model.approval import ApprovalState
from contentgen_core.model.article import WRITTEN, Article, ArticleStatus
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.public_articles import (
    PublicAddress,
    PublicArticleQuery,
    PublicArticles,
    PublicPage,
)


@repository(PublicArticles)
class MemoryPublicArticles:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def find(self, slug: str) -> Article | None:
        return next((article for article in self._public() if article.slug == slug), None)

    async def page(self, query: PublicArticleQuery) -> PublicPage:
        prefixes = search_words(query.search or "")
        found = [
            article
            for article in self._public()
            if query.language in (None, article.brief.language)
            and query.category in (None, article.public_category)
            and hold_words((article.title, article.content), prefixes)
        ]
        found.sort(key=lambda article: (article.published_or_created_at, article.id), reverse=True)
        rows = page_of(found, query.page, query.limit)
        return PublicPage(tuple(map(without_details, rows)), len(found))

    async def related(self, article: Article, limit: int) -> tuple[Article, ...]:
        own = words_of_topic(self._session, article) or frozenset()
        met = [
            (len(own & (words_of_topic(self._session, other) or frozenset())), other)
            for other in self._public()
            if other.id != article.id and other.brief.language is article.brief.language
        ]
        met.sort(key=lambda each: (each[0], each[1].published_or_created_at, each[1].id), reverse=True)
        return tuple(without_details(other) for shared, other in met[:limit] if shared)

    async def addresses(self, after: str | None, limit: int) -> list[PublicAddress]:
        found = [
            PublicAddress(article.slug, article.public_category, article.brief.language, article.updated_at)
            for article in self._public()
            if article.slug is not None and (after is None or article.slug > after)
        ]
        return sorted(found, key=lambda address: address.slug)[:limit]

    async def count(self) -> int:
        return sum(1 for _ in self._public())

    async def languages(self) -> dict[Language, int]:
        return dict(Counter(article.brief.language for article in self._public()))

    async def written(self) -> int:
        return sum(1 for article in self._session[ARTICLES].rows() if article.status in WRITTEN)

    def _public(self) -> Iterator[Article]:
        for article in self._session[ARTICLES].rows():
            written = article.slug and article.content and article.status != ArticleStatus.GENERATING
            if article.is_public and written and self._may_be_shown(article):
                yield article

    def _may_be_shown(self, article: Article) -> bool:
        return (
            article.approval_state is ApprovalState.APPROVED
            or article.is_free_generation
            or not any(
                policy.rules.required and (policy.tenant_id, policy.niche_key) == (article.tenant_id, article.niche_key)
                for policy in self._session.table_of(APPROVAL_POLICIES).rows()
            )
        )
