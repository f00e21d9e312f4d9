"""One transaction over all durable data.

`async with unit_of_work() as tx:` commits when the block ends, rolls back when it raises. No slow work happens inside:
models and providers are called between transactions. Any method may raise Unavailable while the database is
unavailable. Every method that takes a tenant sees only that tenant's rows (and the platform's where stated)."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from contentgen_core.ports.repositories.agent_events import AgentEvents
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.article_updates import ArticleUpdates, RefreshPolicies
from contentgen_core.ports.repositories.articles import Articles, Generations
from contentgen_core.ports.repositories.documents import Documents
from contentgen_core.ports.repositories.duplicates import Duplicates
from contentgen_core.ports.repositories.embeddings import Embeddings
from contentgen_core.ports.repositories.enrichments import Enrichments
from contentgen_core.ports.repositories.executions import Executions
from contentgen_core.ports.repositories.free_articles import FreeArticles
from contentgen_core.ports.repositories.governance import GovernanceFacts
from contentgen_core.ports.repositories.idempotency import Idempotency
from contentgen_core.ports.repositories.installation import Installation
from contentgen_core.ports.repositories.integrations import Integrations
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.niches import NicheRequests, Niches
from contentgen_core.ports.repositories.overview import Overview
from contentgen_core.ports.repositories.public_articles import PublicArticles
from contentgen_core.ports.repositories.publications import Publications
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.ports.repositories.reviews import Reviews
from contentgen_core.ports.repositories.schedules import ArticleSchedules
from contentgen_core.ports.repositories.synced_sources import SyncedSources
from contentgen_core.ports.repositories.team import Invitations
from contentgen_core.ports.repositories.tenants import ApiKeys, Tenants, Users
from contentgen_core.ports.repositories.topic_coverages import TopicCoverages
from contentgen_core.ports.repositories.translations import Translations
from contentgen_core.ports.repositories.trend_alerts import TrendAlerts, TrendClicks
from contentgen_core.ports.repositories.trends import Trends
from contentgen_core.ports.repositories.voices import Voices
from contentgen_core.ports.repositories.work_leases import WorkLeases


class Transaction(Protocol):
    """The repositories of one transaction. Not to be used after it has ended, nor by several tasks at once."""

    @property
    def tenants(self) -> Tenants: ...
    @property
    def users(self) -> Users: ...
    @property
    def api_keys(self) -> ApiKeys: ...
    @property
    def invitations(self) -> Invitations: ...
    @property
    def installation(self) -> Installation: ...
    @property
    def niches(self) -> Niches: ...
    @property
    def niche_requests(self) -> NicheRequests: ...
    @property
    def agents(self) -> Agents: ...
    @property
    def agent_events(self) -> AgentEvents: ...
    @property
    def article_schedules(self) -> ArticleSchedules: ...
    @property
    def executions(self) -> Executions: ...
    @property
    def articles(self) -> Articles: ...
    @property
    def public_articles(self) -> PublicArticles: ...
    @property
    def free_articles(self) -> FreeArticles: ...
    @property
    def duplicates(self) -> Duplicates: ...
    @property
    def generations(self) -> Generations: ...
    @property
    def quotas(self) -> Quotas: ...
    @property
    def jobs(self) -> Jobs: ...
    @property
    def embeddings(self) -> Embeddings: ...
    @property
    def knowledge(self) -> Knowledge: ...
    @property
    def idempotency(self) -> Idempotency: ...
    @property
    def enrichments(self) -> Enrichments: ...
    @property
    def documents(self) -> Documents: ...
    @property
    def topic_coverages(self) -> TopicCoverages: ...
    @property
    def integrations(self) -> Integrations: ...
    @property
    def publications(self) -> Publications: ...
    @property
    def translations(self) -> Translations: ...
    @property
    def synced_sources(self) -> SyncedSources: ...
    @property
    def article_updates(self) -> ArticleUpdates: ...
    @property
    def refresh_policies(self) -> RefreshPolicies: ...

    @property
    def voices(self) -> Voices: ...
    @property
    def reviews(self) -> Reviews: ...
    @property
    def governance(self) -> GovernanceFacts: ...
    @property
    def overview(self) -> Overview: ...
    @property
    def trends(self) -> Trends: ...
    @property
    def trend_alerts(self) -> TrendAlerts: ...
    @property
    def trend_clicks(self) -> TrendClicks: ...
    @property
    def work_leases(self) -> WorkLeases: ...


class UnitOfWork(Protocol):
    """Opens transactions."""

    def __call__(self) -> AbstractAsyncContextManager[Transaction]: ...
