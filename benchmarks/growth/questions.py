"""The questions that matter as a database grows, each asked of the product's own repositories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final

import numpy as np
from attrs import frozen

from benchmarks.growth.plans import Question
from benchmarks.growth.prototypes import NICHE
from benchmarks.growth.tables import MODEL, Size
from contentgen_core.model.approval import ApprovalState
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.article_update import UpdateState
from contentgen_core.model.calendar import CalendarQuery
from contentgen_core.model.conflict import ConflictState
from contentgen_core.model.ids import (
    AgentId,
    ArticleId,
    ConflictSearchId,
    DocumentId,
    IntegrationId,
    SyncedSourceId,
    TenantId,
    UserId,
    WebhookEndpointId,
)
from contentgen_core.model.job import Claimable, JobKind
from contentgen_core.model.knowledge import KbView, Origin
from contentgen_core.model.publication import PublicationStatus
from contentgen_core.model.similar_article import AskedTopic
from contentgen_core.model.tenant import Quota
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.writing import FiguresBy
from contentgen_core.ports.repositories.agent_events import AgentEvents
from contentgen_core.ports.repositories.article_topics import ArticleTopics
from contentgen_core.ports.repositories.article_updates import ArticleUpdates, RefreshPolicies
from contentgen_core.ports.repositories.article_versions import ArticleVersions
from contentgen_core.ports.repositories.articles import ArticleQuery, Articles, SortBy
from contentgen_core.ports.repositories.calendar import Calendar
from contentgen_core.ports.repositories.conflicts import Conflicts, ConflictSearches
from contentgen_core.ports.repositories.document_catalogue import CatalogueQuery, DocumentCatalogue
from contentgen_core.ports.repositories.documents import Documents
from contentgen_core.ports.repositories.executions import Executions
from contentgen_core.ports.repositories.idempotency import Idempotency
from contentgen_core.ports.repositories.jobs import ALL_KINDS, Jobs
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.overview import Overview
from contentgen_core.ports.repositories.public_articles import PublicArticleQuery, PublicArticles
from contentgen_core.ports.repositories.publications import PublicationQuery, Publications
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.ports.repositories.schedules import ArticleSchedules
from contentgen_core.ports.repositories.sign_in import WebSessions
from contentgen_core.ports.repositories.synced_sources import SyncedSources
from contentgen_core.ports.repositories.tenants import ApiKeys, Tenants, Users
from contentgen_core.ports.repositories.webhooks import WebhookDeliveries
from contentgen_core.ports.repositories.writing_months import WritingMonths
from contentgen_core.testing import builders

_BEGINNING: Final = datetime(2026, 1, 1, tzinfo=UTC)
_DAY: Final = timedelta(days=1)


def uid(number: int) -> str:
    """The id of the row of this number."""
    return f"00000000-0000-7000-8000-{number:012x}"


@frozen
class _Asked:
    """The owner that the questions are about: the largest tenant, with a tenth of everything, or the platform."""

    size: Size
    tenant: TenantId
    now: datetime
    later: datetime
    documents: Sequence[DocumentId]
    named: Sequence[SourceRef]
    month: CalendarQuery

    @classmethod
    def of(cls, size: Size) -> _Asked:
        now = _BEGINNING + size.articles * timedelta(seconds=2.592)
        documents = [DocumentId(uid(size.documents // 400 * 10 * n)) for n in range(1, 21)]
        named = [SourceRef(id, 2) for id in documents]
        month = CalendarQuery(_BEGINNING, _BEGINNING + 30 * _DAY)
        return cls(size, TenantId(uid(1)), now, now + timedelta(seconds=30), documents, named, month)


def questions(size: Size) -> Mapping[str, Question]:
    """Return the questions about the largest tenant, which has a tenth of everything, or about the platform."""
    about = _Asked.of(size)
    return _about_articles(about) | _about_knowledge(about) | _about_work(about)


def _about_articles(about: _Asked) -> dict[str, Question]:
    size, tenant, now, named = about.size, about.tenant, about.now, about.named
    article = ArticleId(uid(size.articles // 20 * 10))
    listed = ArticleQuery(tenant)
    asked = AskedTopic(
        "Heat",
        {Language.EN: frozenset({"w900", "w7000", "w12000"})},
        tuple(np.random.default_rng(2).standard_normal(MODEL.dimension)),
        tuple(named[:12]),
    )
    return {
        "a key, by its digest": lambda tx: tx[ApiKeys].identify(f"key {size.tenants // 2}"),
        "a session of the console": lambda tx: tx[WebSessions].identify(f"web {size.tenants // 2}"),
        "quotas of a tenant": lambda tx: tx[Quotas].used_of(tenant, {Quota.ARTICLES: date(2026, 1, 1)}),
        "an Idempotency-Key": lambda tx: tx[Idempotency].find(tenant, "unknown", now),
        "articles, first page": lambda tx: tx[Articles].page(listed),
        "articles of a niche and status": lambda tx: tx[Articles].page(
            ArticleQuery(tenant, niche_key=NICHE, statuses=frozenset({ArticleStatus.GENERATED}))
        ),
        "articles in a language": lambda tx: tx[Articles].page(
            ArticleQuery(tenant, language=Language.FR, sort_by=SortBy.UPDATED_AT)
        ),
        "articles in review": lambda tx: tx[Articles].page(ArticleQuery(tenant, approval=ApprovalState.IN_REVIEW)),
        "articles with a rare word": lambda tx: tx[Articles].page(
            ArticleQuery(tenant, search=f"no{size.articles // 20 * 10:08}")
        ),
        "articles in a language and in review": lambda tx: tx[Articles].page(
            ArticleQuery(tenant, language=Language.FR, approval=ApprovalState.IN_REVIEW)
        ),
        "articles of each status of a niche": lambda tx: tx[Articles].count_by_status(tenant, NICHE),
        "an article, whole": lambda tx: tx[Articles].get(tenant, article),
        "articles on a similar topic": lambda tx: tx[ArticleTopics].near(tenant, MODEL, asked),
        "articles whose topics are unread": lambda tx: tx[ArticleTopics].unread(MODEL, 20),
        "articles whose sources changed": lambda tx: tx[Articles].with_changed_sources(tenant, None, 20),
        "updates that wait for a person": lambda tx: tx[ArticleUpdates].page(tenant, UpdateState.PROPOSED, None, 20),
        "versions of an article": lambda tx: tx[ArticleVersions].page(tenant, article, None, 20),
        "public articles": lambda tx: tx[PublicArticles].page(PublicArticleQuery()),
        "public articles in a language": lambda tx: tx[PublicArticles].page(PublicArticleQuery(language=Language.FR)),
        "public articles by language": lambda tx: tx[PublicArticles].languages(),
        "written articles of all": lambda tx: tx[PublicArticles].written(),
        "a public article": lambda tx: tx[PublicArticles].find(f"article-{size.articles // 200 * 100 + 7}"),
    }


def _about_knowledge(about: _Asked) -> dict[str, Question]:
    size, tenant, now, later, documents = about.size, about.tenant, about.now, about.later, about.documents
    named, view = about.named, KbView(NICHE, tenant, frozenset())
    terms = {Language.EN: [f"w{n}" for n in (0, 1, 5, 80, 900)]}
    return {
        "passages by their ids": lambda tx: tx[Knowledge].passages(view, named),
        "statistics of a view": lambda tx: tx[Knowledge].statistics(view, terms),
        "figures of a view": lambda tx: tx[Overview].figures(view, now),
        "entities of a view": lambda tx: tx[Overview].strongest(view, 40),
        "documents, first page": lambda tx: tx[DocumentCatalogue].page(CatalogueQuery(tenant, (view,))),
        "documents of a kind": lambda tx: tx[DocumentCatalogue].page(
            CatalogueQuery(tenant, (view,), origin=Origin.IMPORT, language=Language.EN)
        ),
        "documents with a rare word": lambda tx: tx[DocumentCatalogue].page(
            CatalogueQuery(tenant, (view,), search=f"no{size.documents // 20 * 10:08}")
        ),
        "articles on a document": lambda tx: tx[DocumentCatalogue].articles_on(tenant, documents[3], None, 20),
        "uploaded documents": lambda tx: tx[Documents].page(tenant, None, 1, 20),
        "index changes, claimed": lambda tx: tx[Knowledge].claim_changes("w", now, later, 200),
        "conflicts of a state": lambda tx: tx[Conflicts].page(ConflictSearchId(uid(1)), ConflictState.OPEN, None, 20),
        "conflicts counted": lambda tx: tx[Conflicts].count(ConflictSearchId(uid(1))),
        "searches for conflicts due": lambda tx: tx[ConflictSearches].due(now, 20),
    }


def _about_work(about: _Asked) -> dict[str, Question]:
    size, tenant, now, later, month = about.size, about.tenant, about.now, about.later, about.month
    waiting = frozenset({Claimable.WAITING})
    return {
        "jobs waiting, of each kind": lambda tx: tx[Jobs].due_by_kind(now),
        "webhook deliveries, waiting": lambda tx: tx[WebhookDeliveries].backlog(now),
        "jobs, claimed": lambda tx: tx[Jobs].claim("w", ALL_KINDS, now, later, 32, waiting),
        "jobs, one more": lambda tx: tx[Jobs].enqueue(builders.job(tenant_id=tenant)),
        "jobs, sent to the queue": lambda tx: tx[Jobs].dispatch(now, 100),
        "jobs whose worker died, claimed": lambda tx: tx[Jobs].claim("w", ALL_KINDS, now, later, 32),
        "jobs of a worker, renewed": lambda tx: tx[Jobs].renew("worker 1", later),
        "jobs of a subject, cancelled": lambda tx: tx[Jobs].cancel_subject(tenant, uid(400), JobKind.GENERATE_ARTICLE),
        "schedules due": lambda tx: tx[ArticleSchedules].due(now, now, 20),
        "refresh policies due": lambda tx: tx[RefreshPolicies].due(now, 20),
        "sources due": lambda tx: tx[SyncedSources].due(now, 20),
        "items of a source, counted": lambda tx: tx[SyncedSources].counts(SyncedSourceId(uid(1)), now),
        "events of agents after one": lambda tx: tx[AgentEvents].after(tenant, size.articles // 2, 100),
        "runs of an agent": lambda tx: tx[Executions].newest(tenant, AgentId(uid(1)), 20),
        "webhook deliveries, claimed": lambda tx: tx[WebhookDeliveries].claim("w", now, later, 100),
        "webhook deliveries of an endpoint": lambda tx: tx[WebhookDeliveries].page(
            tenant, WebhookEndpointId(uid(1)), None, None, 20
        ),
        "publications, first page": lambda tx: tx[Publications].page(PublicationQuery(tenant)),
        "publications of a status": lambda tx: tx[Publications].page(
            PublicationQuery(tenant, status=PublicationStatus.PENDING)
        ),
        "publications to be looked at": lambda tx: tx[Publications].claim_checks(now, later, 20),
        "addresses of publications": lambda tx: tx[Publications].addresses(tenant, 100),
        "publications at a target, counted": lambda tx: tx[Publications].count(tenant, IntegrationId("i")),
        "calendar, published": lambda tx: tx[Calendar].published(tenant, month, 100),
        "calendar, scheduled": lambda tx: tx[Calendar].scheduled(tenant, month, 100),
        "calendar, plans": lambda tx: tx[Calendar].waiting_plans(tenant, month, 100),
        "figures of writing, of a tenant": lambda tx: tx[WritingMonths].figures(
            tenant, FiguresBy.MODEL, date(2025, 1, 1), 20
        ),
        "figures of writing, of all": lambda tx: tx[WritingMonths].figures(
            None, FiguresBy.TENANT, date(2025, 1, 1), 20
        ),
        "tenants, the newest": lambda tx: tx[Tenants].newest("", None, 20),
        "figures of writing by month, of all": lambda tx: tx[WritingMonths].figures(
            None, FiguresBy.MONTH, date(2025, 1, 1), 24
        ),
        "tenants by a part of the name": lambda tx: tx[Tenants].newest(f"nant {size.tenants // 2}", None, 20),
        "members of a team": lambda tx: tx[Users].members(tenant),
        "memberships of an address": lambda tx: tx[Users].by_email(f"u{size.tenants // 2}@example.org"),
        "sessions of a person": lambda tx: tx[WebSessions].of_user(tenant, UserId(uid(1))),
    }
