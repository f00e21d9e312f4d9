"""Articles: revisions, the same-topic rule, and the list with its filters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from attrs import evolve

from contentgen_adapters.memory.common_tables import (
    ARTICLE_LINKS,
    ARTICLE_TOPICS,
    ARTICLE_VERSIONS,
    ARTICLES,
    BATCHED_PARTS,
    CONFLICTS,
    DOCUMENTS,
    DRAFTS,
    FREE_GENERATIONS,
    FREE_LINKS,
    FREE_TOPICS,
    PUBLICATIONS,
    SENTENCE_REVIEWS,
    SOURCES,
    STAGES,
    TOPIC_WORDS,
    TRANSLATION_PARTS,
    TRANSLATIONS,
)
from contentgen_adapters.memory.records import following, owned, page_of
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_adapters.memory.words import hold_words, search_words
from contentgen_core.errors import DuplicateFreeArticle, TopicAlreadyGenerating
from contentgen_core.model.article import Article, ArticleStatus, ProviderWait
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.article_summary import ArticleSummary
from contentgen_core.model.ids import ArticleId, DocumentId, TenantId
from contentgen_core.policies.articles.slugs import free_slug
from contentgen_core.ports.repositories.articles import (
    EXAMINED_AT_ONCE,
    ArticleOutcome,
    ArticleQuery,
    Articles,
    ArticleTitle,
    ChangedArticles,
    CitingArticle,
    Page,
    SortBy,
    SummaryPage,
)

GENERATING: Final = TableOf[tuple[TenantId, str], ArticleId]("generating")
FRESH_ARTICLES: Final = TableOf[ArticleId, datetime]("fresh_articles")


def show_progress(session: Session, article: Article, progress: int) -> None:
    """How far an article under way is, which never goes back."""
    if article.status is ArticleStatus.GENERATING:
        session[ARTICLES].put(article.id, evolve(article, progress=max(article.progress, progress)))


@repository(Articles)
class MemoryArticles:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, article: Article) -> None:
        await self._session.writing()
        self._store(None, article)

    async def get(self, tenant_id: TenantId, article_id: ArticleId) -> Article:
        return owned(self._session[ARTICLES], tenant_id, article_id, "article")

    async def listed(self, tenant_id: TenantId, article_id: ArticleId) -> Article:
        return without_details(await self.get(tenant_id, article_id))

    async def save(self, article: Article) -> Article:
        await self._session.writing()
        stored = await self.get(article.tenant_id, article.id)
        saved = following(stored, article, "article")
        if stored.content != saved.content:
            self._session[FRESH_ARTICLES].drop(saved.id)
        if _read_of(stored) != _read_of(saved):
            self._session[ARTICLE_TOPICS].drop(saved.id)
        self._store(stored, saved)
        return saved

    async def with_changed_sources(
        self,
        tenant_id: TenantId,
        before: ArticleId | None,
        limit: int,
        examined: int = EXAMINED_AT_ONCE,
        *,
        niche_key: str | None = None,
    ) -> ChangedArticles:
        bound = None if before is None else _age(await self.get(tenant_id, before))
        own = (
            a
            for a in self._session[ARTICLES].rows()
            if a.tenant_id == tenant_id and a.grounding is not None and niche_key in (None, a.niche_key)
        )
        older = sorted((a for a in own if bound is None or _age(a) < bound), key=_age, reverse=True)
        window = older[:examined]
        found = [a for a in window if self._has_changed_sources(a)]
        last = found[limit - 1] if len(found) > limit else window[-1] if len(older) > examined else None
        titles = tuple(ArticleTitle(a.id, a.title, a.status, a.created_at) for a in found[:limit])
        return ChangedArticles(titles, None if last is None else last.id)

    async def sources_changed(self, tenant_id: TenantId, article_ids: Sequence[ArticleId]) -> set[ArticleId]:
        named = [article for id in article_ids if (article := self._session[ARTICLES].get(id)) is not None]
        own = (a for a in named if a.tenant_id == tenant_id and a.grounding is not None)
        return {article.id for article in own if self._has_changed_sources(article)}

    async def citing(
        self, tenant_id: TenantId, niche_key: str, sources: Sequence[SourceRef], examined: int = EXAMINED_AT_ONCE
    ) -> list[CitingArticle]:
        own = [
            a
            for a in self._session[ARTICLES].rows()
            if a.tenant_id == tenant_id and a.niche_key == niche_key and a.grounding is not None
        ]
        return [
            CitingArticle(ArticleTitle(a.id, a.title, a.status, a.created_at), ref, source.quotes)
            for a in sorted(own, key=_age, reverse=True)[:examined]
            for source in sorted(a.sources, key=lambda source: source.number)
            if (ref := SourceRef(source.parent_id, source.chunk_index)) in sources
        ]

    def _changed(self, document: DocumentId, since: datetime) -> bool:
        stored = self._session[DOCUMENTS].get(document)
        return stored is None or (stored.revised_at is not None and stored.revised_at > since)

    def _has_changed_sources(self, article: Article) -> bool:
        since = self._fresh_at(article)
        return any(self._changed(s.parent_id, since) for s in article.sources) or self._in_doubt(article)

    def _in_doubt(self, article: Article) -> bool:
        """Whether it cites the weaker side of a conflict that is newer than when its sentences were last compared."""
        cited, fresh_at = {s.parent_id for s in article.sources}, self._session[FRESH_ARTICLES].get(article.id)
        return any(
            (conflict.tenant_id, conflict.niche_key) == (article.tenant_id, article.niche_key)
            and conflict.weaker is not None
            and conflict.weaker.source.document_id in cited
            and (fresh_at is None or conflict.weaker_since > fresh_at)
            for conflict in self._session[CONFLICTS].rows()
        )

    def _fresh_at(self, article: Article) -> datetime:
        """When its sentences were last known to be what their sources say."""
        return max(article.created_at, self._session[FRESH_ARTICLES].get(article.id) or article.created_at)

    async def translations_of(self, tenant_id: TenantId, article_id: ArticleId, limit: int) -> list[Article]:
        own = [a for a in self._session[ARTICLES].rows() if a.tenant_id == tenant_id and a.translation_of == article_id]
        return sorted(own, key=lambda article: article.id, reverse=True)[:limit]

    async def mark_fresh(self, tenant_id: TenantId, article_id: ArticleId, at: datetime) -> None:
        await self._session.writing()
        article = self._session[ARTICLES].get(article_id)
        if article is not None and article.tenant_id == tenant_id:
            self._session[FRESH_ARTICLES].put(article_id, at)

    async def set_progress(self, tenant_id: TenantId, article_id: ArticleId, progress: int) -> None:
        await self._session.writing()
        article = self._session[ARTICLES].get(article_id)
        if article is not None and article.tenant_id == tenant_id:
            show_progress(self._session, article, progress)

    async def set_waiting(self, tenant_id: TenantId, article_id: ArticleId, waiting: ProviderWait | None) -> None:
        await self._session.writing()
        article = self._session[ARTICLES].get(article_id)
        if article is not None and article.tenant_id == tenant_id and article.status is ArticleStatus.GENERATING:
            self._session[ARTICLES].put(article_id, evolve(article, waiting=waiting))

    async def delete(self, tenant_id: TenantId, article_id: ArticleId) -> None:
        await self._session.writing()
        self._let_go(await self.get(tenant_id, article_id))
        self._session[ARTICLES].drop(article_id)
        self._session[SOURCES].drop(article_id)
        self._session[DRAFTS].drop(article_id)
        for part in [p for p in self._session[BATCHED_PARTS].rows() if p.article_id == article_id]:
            self._session[BATCHED_PARTS].drop(part.id)
        self._session[STAGES].drop(article_id)
        self._session.drop_parts("articles", article_id)
        for _, id, review in list(self._session[SENTENCE_REVIEWS].rows()):
            if id == article_id:
                self._session[SENTENCE_REVIEWS].drop((id, review.sentence_hash, review.by))
        for version in [v for v, _ in self._session[ARTICLE_VERSIONS].rows() if v.article_id == article_id]:
            self._session[ARTICLE_VERSIONS].drop((article_id, version.number))
        self._session[TOPIC_WORDS].drop(article_id)
        self._session[ARTICLE_TOPICS].drop(article_id)
        for link in list(self._session[ARTICLE_LINKS].rows()):
            if article_id in (link.article_id, link.target_id):
                self._session[ARTICLE_LINKS].drop(link.id)
        self._session[FRESH_ARTICLES].drop(article_id)
        self._session[FREE_GENERATIONS].drop(article_id)
        for kept in [link for link in self._session[FREE_LINKS].rows() if link.article_id == article_id]:
            self._session[FREE_LINKS].drop(kept.link)
        for publication in [p for p in self._session[PUBLICATIONS].rows() if p.article_id == article_id]:
            self._session[PUBLICATIONS].drop(publication.id)
        for translation in [t for t in self._session[TRANSLATIONS].rows() if t.made_article_id == article_id]:
            self._session[TRANSLATIONS].drop(translation.id)
            self._session[TRANSLATION_PARTS].drop(translation.id)

    async def free_public_slug(self, wanted: str, article_id: ArticleId) -> str:
        await self._session.writing()
        taken = {a.slug for a in self._session[ARTICLES].rows() if a.is_public and a.id != article_id}
        return free_slug(wanted, taken)

    async def page(self, query: ArticleQuery) -> Page:
        prefixes = search_words(query.search or "")
        found = [
            article
            for article in self._session[ARTICLES].rows()
            if _selected(article, query) and hold_words((article.title, article.content), prefixes)
        ]
        rows = page_of(_sorted(found, query), query.page, query.limit)
        return Page(tuple(map(without_details, rows)), len(found))

    async def summaries(self, query: ArticleQuery) -> SummaryPage:
        page = await self.page(query)
        return SummaryPage(tuple(map(ArticleSummary.of, page.articles)), page.total)

    async def count_by_status(self, tenant_id: TenantId, niche_key: str) -> dict[ArticleStatus, int]:
        of_niche = ArticleQuery(tenant_id, niche_key=niche_key)
        return dict(
            Counter(article.status for article in self._session[ARTICLES].rows() if _selected(article, of_niche))
        )

    async def is_generating(self, tenant_id: TenantId, topic_key: str) -> bool:
        return self._session[GENERATING].get((tenant_id, topic_key)) is not None

    async def statuses(self, tenant_id: TenantId, article_ids: Sequence[ArticleId]) -> dict[ArticleId, ArticleStatus]:
        found = (self._session[ARTICLES].get(article_id) for article_id in article_ids)
        return {
            article.id: article.status for article in found if article is not None and article.tenant_id == tenant_id
        }

    async def outcomes(self, tenant_id: TenantId, article_ids: Sequence[ArticleId]) -> dict[ArticleId, ArticleOutcome]:
        found = (self._session[ARTICLES].get(article_id) for article_id in article_ids)
        return {
            a.id: ArticleOutcome(a.id, a.title, a.status, a.percent_done, a.word_count, a.usage)
            for a in found
            if a is not None and a.tenant_id == tenant_id
        }

    async def recent_topics(self, tenant_id: TenantId, niche_key: str, limit: int) -> list[str]:
        of_niche = ArticleQuery(tenant_id, page=1, limit=limit, niche_key=niche_key)
        return [article.brief.topic for article in (await self.page(of_niche)).articles]

    def _store(self, before: Article | None, article: Article) -> None:
        """Refuses before it changes anything: a caller may catch the refusal and go on."""
        tables, topic, free_topic = self._session, _topic_held(article), _free_topic_held(article)
        if topic is not None and tables[GENERATING].get(topic) not in (None, article.id):
            raise TopicAlreadyGenerating
        if free_topic is not None and tables[FREE_TOPICS].get(free_topic) not in (None, article.id):
            raise DuplicateFreeArticle
        if before is not None:
            self._let_go(before)
        if topic is not None:
            tables[GENERATING].put(topic, article.id)
        if free_topic is not None:
            tables[FREE_TOPICS].put(free_topic, article.id)
        tables[ARTICLES].put(article.id, article)

    def _let_go(self, article: Article) -> None:
        topic, free_topic = _topic_held(article), _free_topic_held(article)
        if topic is not None:
            self._session[GENERATING].drop(topic)
        if free_topic is not None:
            self._session[FREE_TOPICS].drop(free_topic)


def _topic_held(article: Article) -> tuple[TenantId, str] | None:
    """What no other generating article may have."""
    return (article.tenant_id, article.topic_key) if article.status is ArticleStatus.GENERATING else None


def _free_topic_held(article: Article) -> str | None:
    """What no other free article of the platform may have."""
    return article.free_topic if article.is_free_generation else None


def without_details(article: Article) -> Article:
    """An article as it stands in a list."""
    approval = article.present_approval and evolve(article.present_approval, reader_hash=None)
    return evolve(article, plan=None, sources=(), grounding=None, usage=None, image_credit=None, approval=approval)


def _read_of(article: Article) -> tuple[str, ...]:
    """What is kept of an article to find it by stems from these."""
    return article.brief.topic, article.brief.language, article.title, article.content


def _selected(article: Article, query: ArticleQuery) -> bool:
    return (
        article.tenant_id == query.tenant_id
        and (query.niche_key is None or article.niche_key == query.niche_key)
        and (not query.statuses or article.status in query.statuses)
        and query.approval in (None, article.approval_state)
        and query.language in (None, article.brief.language)
    )


def _sorted(articles: Iterable[Article], query: ArticleQuery) -> list[Article]:
    dated: list[tuple[datetime, ArticleId, Article]] = []
    undated: list[Article] = []
    for article in articles:
        at = _sort_date(article, query.sort_by)
        if at is None:
            undated.append(article)
        else:
            dated.append((at, article.id, article))
    dated.sort(key=lambda row: row[:2], reverse=query.descending)
    undated.sort(key=lambda article: article.id, reverse=query.descending)
    return [*(article for _, _, article in dated), *undated]


def _sort_date(article: Article, sort_by: SortBy) -> datetime | None:
    match sort_by:
        case SortBy.CREATED_AT:
            return article.created_at
        case SortBy.UPDATED_AT:
            return article.updated_at
        case SortBy.PUBLISHED_AT:
            return article.published_at


def _age(article: Article) -> tuple[datetime, str]:
    return article.created_at, article.id
