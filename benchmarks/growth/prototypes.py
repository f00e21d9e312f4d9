"""One row of each kind of a large database, stored by the product's own repositories."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import ClassVar, Final

import numpy as np
from attrs import frozen

from benchmarks.growth.plans import Connection
from benchmarks.growth.tables import MODEL
from contentgen_core.model.article import Article
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.article_update import ArticleUpdate, RefreshPolicy
from contentgen_core.model.article_version import ArticleVersion, VersionCause, VersionText
from contentgen_core.model.conflict import Conflict, ConflictKind, ConflictSearch, Side
from contentgen_core.model.freshness import SentenceState, StaleSentence
from contentgen_core.model.ids import (
    ArticleUpdateId,
    ConflictId,
    ConflictSearchId,
    DocumentId,
    RefreshPolicyId,
    SyncedSourceId,
    TenantId,
    WebSessionId,
)
from contentgen_core.model.knowledge import KbDocument, KbScope, Origin
from contentgen_core.model.niche import Niche
from contentgen_core.model.publication import PublicationStatus
from contentgen_core.model.sign_in import WebSession
from contentgen_core.model.similar_article import ReadTopic, SourcedSection
from contentgen_core.model.synced_source import SourceKind, SyncedItem, SyncedSource
from contentgen_core.model.tenant import Quota, Tenant
from contentgen_core.model.text import Span
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.webhook import WebhookEvent, WebhookEventType
from contentgen_core.model.writing import EndedWriting, Stage, StageRecord, WritingFigures
from contentgen_core.ports.repositories.agent_events import AgentEvents
from contentgen_core.ports.repositories.article_topics import ArticleTopics
from contentgen_core.ports.repositories.article_updates import ArticleUpdates, RefreshPolicies
from contentgen_core.ports.repositories.article_versions import ArticleVersions
from contentgen_core.ports.repositories.articles import Articles, Generations
from contentgen_core.ports.repositories.conflicts import Conflicts, ConflictSearches
from contentgen_core.ports.repositories.documents import Documents
from contentgen_core.ports.repositories.executions import Executions
from contentgen_core.ports.repositories.idempotency import Idempotency, IdempotencyRecord
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.publications import Publications
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.ports.repositories.schedules import ArticleSchedules
from contentgen_core.ports.repositories.sign_in import WebSessions
from contentgen_core.ports.repositories.synced_sources import SyncedSources
from contentgen_core.ports.repositories.tenants import ApiKeys, Tenants, Users
from contentgen_core.ports.repositories.webhooks import WebhookEndpoints, WebhookMessages
from contentgen_core.ports.repositories.writing_months import WritingMonths
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT

NICHE: Final = "home-energy"
TEXT: Final = "A heat pump moves heat from outside into the house, and 3 kWh of heat cost it 1 kWh of current."


@frozen
class Prototypes:
    """What the rows of each table are copies of, by the column that says whose they are."""

    tenant: str
    article: str
    document: str
    source: str
    scope: str

    NAMES: ClassVar = ("tenant", "article", "document", "source", "scope")

    def condition(self, columns: Sequence[str]) -> str:
        """SQL: the one row p of a table with these columns."""
        known = {
            "tenant_id": self.tenant,
            "scope_id": self.scope,
            "document_id": self.document,
            "article_id": self.article,
            "source_id": self.source,
            "id": self.tenant,
        }
        column = next(column for column in known if column in columns)
        return f"p.{column} = '{known[column]}'"


async def store(unit_of_work: UnitOfWork, connection: Connection) -> Prototypes:
    tenant, niche = builders.tenant(), builders.niche(niche_key=NICHE)
    article = builders.full_article(tenant_id=tenant.id, niche_key=NICHE, content=f"{TEXT} [1]\n\n" * 5)
    document = builders.kb_document(scope=KbScope(NICHE, tenant.id))
    async with unit_of_work() as tx:
        await tx[Tenants].add(tenant)
        await tx[Niches].add(niche)
        await _identity(tx, tenant)
        await _article(tx, article)
        source = await _knowledge(tx, tenant.id, document)
        await _agents(tx, tenant.id, niche)
        await _events(tx, tenant.id)
        await _conflict(tx, tenant.id, niche)
    found = await connection.execute("SELECT id::text FROM kb_scopes WHERE tenant_id = %s", (tenant.id,))
    [[scope]] = await found.fetchall()
    await connection.execute(
        "INSERT INTO kb_entities (scope_id, key, name, type, mentions, passages, documents)"
        " VALUES (%s, 'heat pump', 'Heat pump', 'concept', 1, 1, 1)",
        (scope,),
    )
    await connection.execute("DELETE FROM kb_terms WHERE scope_id = %s AND term <> 'heat'", (scope,))
    return Prototypes(tenant.id, article.id, document.id, source.id, scope)


async def _identity(tx: Transaction, tenant: Tenant) -> None:
    user = builders.user(tenant_id=tenant.id)
    await tx[Users].add(user)
    await tx[ApiKeys].add(builders.api_key(tenant_id=tenant.id, user_id=user.id))
    session = WebSession(WebSessionId(builders.new_id()), tenant.id, user.id, "digest", MOMENT, MOMENT, None)
    await tx[WebSessions].add(session)
    await tx[Quotas].consume(tenant.id, Quota.ARTICLES, date(2026, 1, 1), 1_000)
    await tx[Idempotency].add(IdempotencyRecord(tenant.id, "key", "fingerprint", "result", MOMENT))


async def _article(tx: Transaction, article: Article) -> None:
    await tx[Articles].add(article)
    ref = SourceRef(DocumentId("d"), 0)
    vector = tuple(np.random.default_rng(1).standard_normal(MODEL.dimension))
    topic = ReadTopic(
        article.id,
        article.revision,
        Language.EN,
        frozenset({"heat", "pump"}),
        vector,
        (SourcedSection("Costs", (ref,)),),
    )
    await tx[ArticleTopics].save(MODEL, [topic])
    version = ArticleVersion(
        article.tenant_id, article.id, 1, MOMENT, VersionCause.GENERATED, article.title, article.text_hash
    )
    await tx[ArticleVersions].add(version, VersionText.of(article))
    await tx[Generations].record(article.id, StageRecord(Stage.PLAN, MOMENT, 1.5, 1))
    change = StaleSentence(3, "It pays 4.", SentenceState.CHANGED, 1, "It pays 4.", "It pays 2.", ref, MOMENT, "")
    update = ArticleUpdate(
        id=ArticleUpdateId(builders.new_id()),
        tenant_id=article.tenant_id,
        article_id=article.id,
        niche_key=article.niche_key,
        title=article.title,
        sentences=12,
        changes=(change,),
        created_at=MOMENT,
    )
    await tx[ArticleUpdates].add(update)
    post = builders.publication(
        tenant_id=article.tenant_id,
        article_id=article.id,
        status=PublicationStatus.PUBLISHED,
        post_status="published",
        url="https://example.org/a",
        published_at=MOMENT,
    )
    await tx[Publications].add(post)


async def _knowledge(tx: Transaction, tenant_id: TenantId, document: KbDocument) -> SyncedSource:
    passage = builders.passage(document, TEXT, heading="Heat")
    await tx[Knowledge].add([(document, [passage])])
    await tx[Documents].add(builders.private_document(tenant_id=tenant_id))
    source = SyncedSource(
        id=SyncedSourceId(builders.new_id()),
        tenant_id=tenant_id,
        niche_key=NICHE,
        kind=SourceKind.FOLDER,
        name="Handbook",
        place="/srv/handbook",
        created_at=MOMENT,
        updated_at=MOMENT,
        next_sync_at=MOMENT,
    )
    await tx[SyncedSources].add(source)
    await tx[SyncedSources].save_items([SyncedItem(source.id, "a", MOMENT, "f", "A", document.id, "c", MOMENT)])
    return source


async def _agents(tx: Transaction, tenant_id: TenantId, niche: Niche) -> None:
    await tx[ArticleSchedules].save(builders.article_schedule(tenant_id=tenant_id, niche_id=niche.id))
    policy = RefreshPolicy(
        RefreshPolicyId(builders.new_id()), tenant_id, niche.id, NICHE, MOMENT, MOMENT, MOMENT + timedelta(days=1)
    )
    await tx[RefreshPolicies].add(policy)
    await tx[Executions].add(builders.execution(tenant_id=tenant_id))
    await tx[Jobs].enqueue(builders.job(tenant_id=tenant_id))
    figures = WritingFigures(written=1, words=900, covered=1, coverage=80.0, sentences=10, supported=9)
    await tx[WritingMonths].add(EndedWriting(tenant_id, date(2025, 1, 1), f"{NICHE}-GB", "model", figures))


async def _events(tx: Transaction, tenant_id: TenantId) -> None:
    await tx[AgentEvents].append(builders.agent_event(tenant_id=tenant_id))
    await tx[WebhookEndpoints].add(builders.webhook_endpoint(tenant_id=tenant_id))
    data: dict[str, str | int | bool | None] = {"articleId": "a", "words": 900}
    await tx[WebhookMessages].record(WebhookEvent(tenant_id, WebhookEventType.ARTICLE_GENERATED, MOMENT, data))


async def _conflict(tx: Transaction, tenant_id: TenantId, niche: Niche) -> None:
    search = ConflictSearch(ConflictSearchId(builders.new_id()), tenant_id, niche.id, NICHE, MOMENT)
    await tx[ConflictSearches].add(search)
    one, other = (_side(f"The grant pays {amount},000 pounds.") for amount in (4, 5))
    conflict = Conflict(
        id=ConflictId(builders.new_id()),
        tenant_id=tenant_id,
        search_id=search.id,
        niche_key=NICHE,
        key="key",
        kind=ConflictKind.FIGURE,
        one=one,
        other=other,
        found_at=MOMENT,
    )
    await tx[Conflicts].add([conflict])


def _side(sentence: str) -> Side:
    return Side(
        source=SourceRef(DocumentId(sentence), 3),
        span=Span(10, 40),
        sentence=sentence,
        value=Span(15, 27),
        title="Grants",
        url=None,
        published=date(2026, 3, 1),
        known_at=MOMENT,
        origin=Origin.WEB,
        site="example.org",
        content_hash="c",
    )
