"""Find the articles that answer a query: by the page that was shown for it, or by their topics."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from contentgen_core.model.article import WRITTEN, PublicCategory
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.model.search_demand import AnsweringArticle, ShownPage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.public_address import address_of
from contentgen_core.policies.searches.pages import page_key, path_key
from contentgen_core.policies.topics.similarity import are_similar, significant_words
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.duplicates import Duplicates, KnownArticle
from contentgen_core.ports.repositories.publications import Publications
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.topic_meaning import TopicMeaning
from contentgen_core.use_cases.use_case import use_case

ARTICLES: Final = 1_000
"""Of the tenant, the newest, whose topics are compared."""
ADDRESSES: Final = 10_000
STALE: Final = 200
"""Articles of the niche whose sources changed, the newest."""
MOST_ANSWERS: Final = 5


@frozen
class Known:
    """The articles of a tenant. `pages`: by the keys of their addresses, and of their paths alone; `words`: the
    significant words of topic and title of each; `stale`: those of the niche that cite a document which changed."""

    articles: Mapping[ArticleId, KnownArticle]
    titles: Mapping[ArticleId, str]
    pages: Mapping[str, ArticleId]
    words: Sequence[tuple[KnownArticle, frozenset[frozenset[str]]]]
    stale: frozenset[ArticleId]

    def at(self, address: str) -> ArticleId | None:
        """The article that is published at an address."""
        return self.pages.get(page_key(address))


@use_case
class FindAnswers:
    """`public_url`: of the service, whose own pages are addresses of articles as well; None if unknown."""

    unit_of_work: UnitOfWork
    analysis: TextAnalysis
    meaning: TopicMeaning
    public_url: str | None

    async def known(self, tenant_id: TenantId, niche_key: str) -> Known:
        """Read the articles and pages in which answers are looked for."""
        async with self.unit_of_work() as tx:
            recent = await tx[Duplicates].recent(tenant_id, ARTICLES)
            published = await tx[Publications].addresses(tenant_id, ADDRESSES)
            changed = await tx[Articles].with_changed_sources(tenant_id, None, STALE, niche_key=niche_key)
        pages: dict[str, ArticleId] = {}
        for one in published:
            pages.setdefault(page_key(one.address), one.article_id)
            pages.setdefault(path_key(one.address), one.article_id)
        for article in recent:
            for category in (None, PublicCategory.TREND_RADAR) if article.slug and self.public_url else ():
                own = page_key(address_of(self.public_url or "", article.slug or "", category))
                pages.setdefault(own, article.id)
        return Known(
            articles={article.id: article for article in recent},
            titles={one.article_id: one.title for one in published} | {a.id: a.title for a in recent},
            pages=pages,
            words=await asyncio.to_thread(self._words, recent),
            stale=frozenset(title.id for title in changed.articles),
        )

    async def of(
        self, queries: Sequence[str], pages: Sequence[ShownPage], known: Known
    ) -> tuple[tuple[AnsweringArticle, ...], bool]:
        """Return the articles that answer these queries, those of pages first, and whether one on them is being
        written."""
        by_page = list(dict.fromkeys(page.article_id for page in pages if page.article_id is not None))
        by_topic = await asyncio.to_thread(self._on_topic, queries, known)
        if not by_page and not by_topic:
            topics = {article.topic: article for article, _ in known.words}
            same = await self.meaning.same(queries[0], list(topics))
            by_topic = [topics[same]] if same is not None else []
        written = [article.id for article in by_topic if article.status in WRITTEN]
        found = list(dict.fromkeys((*by_page, *written)))[:MOST_ANSWERS]
        answers = tuple(
            AnsweringArticle(id, known.titles.get(id, ""), id in by_page, stale=id in known.stale) for id in found
        )
        return answers, not answers and bool(by_topic)

    def _words(self, articles: Sequence[KnownArticle]) -> list[tuple[KnownArticle, frozenset[frozenset[str]]]]:
        return [
            (a, frozenset(significant_words(text, a.language, self.analysis) for text in (a.topic, a.title)))
            for a in articles
        ]

    def _on_topic(self, queries: Sequence[str], known: Known) -> list[KnownArticle]:
        """Return the articles whose topic or title equals a query except for a word or two."""
        asked: dict[Language, list[frozenset[str]]] = {}
        found: list[KnownArticle] = []
        for article, own in known.words:
            if article.language not in asked:
                words = [significant_words(query, article.language, self.analysis) for query in queries]
                asked[article.language] = list(dict.fromkeys(words))
            if any(are_similar(mine, theirs) for mine in own for theirs in asked[article.language]):
                found.append(article)
        return found
