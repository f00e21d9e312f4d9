"""The questions that matter as a database grows, each asked of the product's own repositories."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Final

import numpy as np

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
from contentgen_core.ports.repositories.articles import ArticleQuery, SortBy
from contentgen_core.ports.repositories.document_catalogue import CatalogueQuery
from contentgen_core.ports.repositories.jobs import ALL_KINDS
from contentgen_core.ports.repositories.public_articles import PublicArticleQuery
from contentgen_core.ports.repositories.publications import PublicationQuery
from contentgen_core.testing import builders

_BEGINNING: Final = datetime(2026, 1, 1, tzinfo=UTC)
_DAY: Final = timedelta(days=1)


def uid(number: int) -> str:
    """The id of the row of this number."""
    return f"00000000-0000-7000-8000-{number:012x}"


def questions(size: Size) -> Mapping[str, Question]:
    """Of the largest tenant, which has a tenth of everything, or of the platform."""
    tenant = TenantId(uid(1))
    now = _BEGINNING + size.articles * timedelta(seconds=2.592)
    article = ArticleId(uid(size.articles // 20 * 10))
    documents = [DocumentId(uid(size.documents // 400 * 10 * n)) for n in range(1, 21)]
    view, named = KbView(NICHE, tenant, frozenset()), [SourceRef(id, 2) for id in documents]
    terms = {Language.EN: [f"w{n}" for n in (0, 1, 5, 80, 900)]}
    listed = ArticleQuery(tenant)
    month = CalendarQuery(_BEGINNING, _BEGINNING + 30 * _DAY)
    asked = AskedTopic(
        "Heat",
        {Language.EN: frozenset({"w900", "w7000", "w12000"})},
        tuple(np.random.default_rng(2).standard_normal(MODEL.dimension)),
        tuple(named[:12]),
    )
    later = now + timedelta(seconds=30)
    waiting = frozenset({Claimable.WAITING})
    return {
        "a key, by its digest": lambda tx: tx.api_keys.identify(f"key {size.tenants // 2}"),
        "a session of the console": lambda tx: tx.web_sessions.identify(f"web {size.tenants // 2}"),
        "quotas of a tenant": lambda tx: tx.quotas.used_of(tenant, {Quota.ARTICLES: date(2026, 1, 1)}),
        "an Idempotency-Key": lambda tx: tx.idempotency.find(tenant, "unknown", now),
        "articles, first page": lambda tx: tx.articles.page(listed),
        "articles of a niche and status": lambda tx: tx.articles.page(
            ArticleQuery(tenant, niche_key=NICHE, statuses=frozenset({ArticleStatus.GENERATED}))
        ),
        "articles in a language": lambda tx: tx.articles.page(
            ArticleQuery(tenant, language=Language.FR, sort_by=SortBy.UPDATED_AT)
        ),
        "articles in review": lambda tx: tx.articles.page(ArticleQuery(tenant, approval=ApprovalState.IN_REVIEW)),
        "articles with a rare word": lambda tx: tx.articles.page(
            ArticleQuery(tenant, search=f"no{size.articles // 20 * 10:08}")
        ),
        "articles in a language and in review": lambda tx: tx.articles.page(
            ArticleQuery(tenant, language=Language.FR, approval=ApprovalState.IN_REVIEW)
        ),
        "articles of each status of a niche": lambda tx: tx.articles.count_by_status(tenant, NICHE),
        "an article, whole": lambda tx: tx.articles.get(tenant, article),
        "articles on a similar topic": lambda tx: tx.article_topics.near(tenant, MODEL, asked),
        "articles whose topics are unread": lambda tx: tx.article_topics.unread(MODEL, 20),
        "articles whose sources changed": lambda tx: tx.articles.with_changed_sources(tenant, None, 20),
        "updates that wait for a person": lambda tx: tx.article_updates.page(tenant, UpdateState.PROPOSED, None, 20),
        "versions of an article": lambda tx: tx.article_versions.page(tenant, article, None, 20),
        "public articles": lambda tx: tx.public_articles.page(PublicArticleQuery()),
        "public articles in a language": lambda tx: tx.public_articles.page(PublicArticleQuery(language=Language.FR)),
        "public articles by language": lambda tx: tx.public_articles.languages(),
        "written articles of all": lambda tx: tx.public_articles.written(),
        "a public article": lambda tx: tx.public_articles.find(f"article-{size.articles // 200 * 100 + 7}"),
        "passages by their ids": lambda tx: tx.knowledge.passages(view, named),
        "statistics of a view": lambda tx: tx.knowledge.statistics(view, terms),
        "figures of a view": lambda tx: tx.overview.figures(view, now),
        "entities of a view": lambda tx: tx.overview.strongest(view, 40),
        "documents, first page": lambda tx: tx.document_catalogue.page(CatalogueQuery(tenant, (view,))),
        "documents of a kind": lambda tx: tx.document_catalogue.page(
            CatalogueQuery(tenant, (view,), origin=Origin.IMPORT, language=Language.EN)
        ),
        "documents with a rare word": lambda tx: tx.document_catalogue.page(
            CatalogueQuery(tenant, (view,), search=f"no{size.documents // 20 * 10:08}")
        ),
        "articles on a document": lambda tx: tx.document_catalogue.articles_on(tenant, documents[3], None, 20),
        "uploaded documents": lambda tx: tx.documents.page(tenant, None, 1, 20),
        "index changes, claimed": lambda tx: tx.knowledge.claim_changes("w", now, later, 200),
        "conflicts of a state": lambda tx: tx.conflicts.page(ConflictSearchId(uid(1)), ConflictState.OPEN, None, 20),
        "conflicts counted": lambda tx: tx.conflicts.count(ConflictSearchId(uid(1))),
        "searches for conflicts due": lambda tx: tx.conflict_searches.due(now, 20),
        "jobs waiting, of each kind": lambda tx: tx.jobs.due_by_kind(now),
        "webhook deliveries, waiting": lambda tx: tx.webhook_deliveries.backlog(now),
        "jobs, claimed": lambda tx: tx.jobs.claim("w", ALL_KINDS, now, later, 32, waiting),
        "jobs, one more": lambda tx: tx.jobs.enqueue(builders.job(tenant_id=tenant)),
        "jobs, sent to the queue": lambda tx: tx.jobs.dispatch(now, 100),
        "jobs whose worker died, claimed": lambda tx: tx.jobs.claim("w", ALL_KINDS, now, later, 32),
        "jobs of a worker, renewed": lambda tx: tx.jobs.renew("worker 1", later),
        "jobs of a subject, cancelled": lambda tx: tx.jobs.cancel_subject(tenant, uid(400), JobKind.GENERATE_ARTICLE),
        "schedules due": lambda tx: tx.article_schedules.due(now, now, 20),
        "refresh policies due": lambda tx: tx.refresh_policies.due(now, 20),
        "sources due": lambda tx: tx.synced_sources.due(now, 20),
        "items of a source, counted": lambda tx: tx.synced_sources.counts(SyncedSourceId(uid(1)), now),
        "events of agents after one": lambda tx: tx.agent_events.after(tenant, size.articles // 2, 100),
        "runs of an agent": lambda tx: tx.executions.newest(tenant, AgentId(uid(1)), 20),
        "webhook deliveries, claimed": lambda tx: tx.webhook_deliveries.claim("w", now, later, 100),
        "webhook deliveries of an endpoint": lambda tx: tx.webhook_deliveries.page(
            tenant, WebhookEndpointId(uid(1)), None, None, 20
        ),
        "publications, first page": lambda tx: tx.publications.page(PublicationQuery(tenant)),
        "publications of a status": lambda tx: tx.publications.page(
            PublicationQuery(tenant, status=PublicationStatus.PENDING)
        ),
        "publications to be looked at": lambda tx: tx.publications.claim_checks(now, later, 20),
        "addresses of publications": lambda tx: tx.publications.addresses(tenant, 100),
        "publications at a target, counted": lambda tx: tx.publications.count(tenant, IntegrationId("i")),
        "calendar, published": lambda tx: tx.calendar.published(tenant, month, 100),
        "calendar, scheduled": lambda tx: tx.calendar.scheduled(tenant, month, 100),
        "calendar, plans": lambda tx: tx.calendar.waiting_plans(tenant, month, 100),
        "figures of writing, of a tenant": lambda tx: tx.writing_months.figures(
            tenant, FiguresBy.MODEL, date(2025, 1, 1), 20
        ),
        "figures of writing, of all": lambda tx: tx.writing_months.figures(
            None, FiguresBy.TENANT, date(2025, 1, 1), 20
        ),
        "tenants, the newest": lambda tx: tx.tenants.newest("", None, 20),
        "figures of writing by month, of all": lambda tx: tx.writing_months.figures(
            None, FiguresBy.MONTH, date(2025, 1, 1), 24
        ),
        "tenants by a part of the name": lambda tx: tx.tenants.newest(f"nant {size.tenants // 2}", None, 20),
        "members of a team": lambda tx: tx.users.members(tenant),
        "memberships of an address": lambda tx: tx.users.by_email(f"u{size.tenants // 2}@example.org"),
        "sessions of a person": lambda tx: tx.web_sessions.of_user(tenant, UserId(uid(1))),
    }
