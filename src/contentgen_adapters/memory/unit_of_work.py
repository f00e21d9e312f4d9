"""The unit of work in memory: what it holds lives as long as the object."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Generic, TypeVar

from contentgen_adapters.memory.agent_events import MemoryAgentEvents, MemoryWakeUps
from contentgen_adapters.memory.agents import MemoryAgents
from contentgen_adapters.memory.approval_policies import MemoryApprovalPolicies
from contentgen_adapters.memory.article_comments import MemoryArticleComments, MemorySentenceReviews
from contentgen_adapters.memory.article_links import MemoryArticleLinks
from contentgen_adapters.memory.article_topics import MemoryArticleTopics
from contentgen_adapters.memory.article_updates import MemoryArticleUpdates, MemoryRefreshPolicies
from contentgen_adapters.memory.article_versions import MemoryArticleVersions
from contentgen_adapters.memory.articles import MemoryArticles
from contentgen_adapters.memory.budgets import MemoryBudgets
from contentgen_adapters.memory.calendar import MemoryCalendar, MemoryCalendarLinks
from contentgen_adapters.memory.circuits import MemoryCircuits
from contentgen_adapters.memory.conflicts import MemoryConflicts, MemoryConflictSearches
from contentgen_adapters.memory.document_catalogue import MemoryDocumentCatalogue
from contentgen_adapters.memory.documents import MemoryDocuments
from contentgen_adapters.memory.duplicates import MemoryDuplicates
from contentgen_adapters.memory.embeddings import MemoryEmbeddings
from contentgen_adapters.memory.enrichments import MemoryEnrichments
from contentgen_adapters.memory.executions import MemoryExecutions
from contentgen_adapters.memory.free_articles import MemoryFreeArticles
from contentgen_adapters.memory.generations import MemoryGenerations
from contentgen_adapters.memory.governance import MemoryGovernanceFacts
from contentgen_adapters.memory.history import MemoryHistories
from contentgen_adapters.memory.idempotency import MemoryIdempotency
from contentgen_adapters.memory.index_now import MemoryIndexNowSites
from contentgen_adapters.memory.installation import MemoryInstallation
from contentgen_adapters.memory.integrations import MemoryIntegrations
from contentgen_adapters.memory.jobs import MemoryJobs
from contentgen_adapters.memory.knowledge import MemoryKnowledge
from contentgen_adapters.memory.mail_counts import MemoryMailCounts
from contentgen_adapters.memory.model_batches import MemoryModelBatches
from contentgen_adapters.memory.niche_requests import MemoryNicheRequests
from contentgen_adapters.memory.niches import MemoryNiches
from contentgen_adapters.memory.overview import MemoryOverview
from contentgen_adapters.memory.public_articles import MemoryPublicArticles
from contentgen_adapters.memory.publications import MemoryPublications
from contentgen_adapters.memory.quotas import MemoryQuotas
from contentgen_adapters.memory.reviews import MemoryReviews
from contentgen_adapters.memory.schedules import MemoryArticleSchedules
from contentgen_adapters.memory.search_demands import MemorySearchDemands
from contentgen_adapters.memory.search_reports import MemorySearchReports
from contentgen_adapters.memory.session import Session, WriteTurn
from contentgen_adapters.memory.sign_in import MemorySignInLinks, MemoryWebSessions
from contentgen_adapters.memory.signing_keys import MemorySigningKeys
from contentgen_adapters.memory.synced_sources import MemorySyncedSources
from contentgen_adapters.memory.tables import Store
from contentgen_adapters.memory.team import MemoryInvitations
from contentgen_adapters.memory.tenants import MemoryApiKeys, MemoryTenants, MemoryUsers
from contentgen_adapters.memory.topic_coverages import MemoryTopicCoverages
from contentgen_adapters.memory.translations import MemoryTranslations
from contentgen_adapters.memory.trend_alerts import MemoryTrendAlerts, MemoryTrendClicks
from contentgen_adapters.memory.trends import MemoryTrends
from contentgen_adapters.memory.voices import MemoryVoices
from contentgen_adapters.memory.webhooks import MemoryWebhookDeliveries, MemoryWebhookEndpoints, MemoryWebhookMessages
from contentgen_adapters.memory.work_leases import MemoryWorkLeases
from contentgen_adapters.memory.writing_months import MemoryWritingMonths

R = TypeVar("R")


class _Part(Generic[R]):
    """A repository of a transaction, which makes it when it is first asked for: most transactions need few of them."""

    def __init__(self, repository: Callable[[Session], R]) -> None:
        self._repository = repository

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, transaction: MemoryTransaction, owner: type) -> R:
        repository = vars(transaction)[self._name] = self._repository(transaction.session)
        return repository


class MemoryTransaction:
    tenants = _Part(MemoryTenants)
    users = _Part(MemoryUsers)
    api_keys = _Part(MemoryApiKeys)
    invitations = _Part(MemoryInvitations)
    sign_in_links = _Part(MemorySignInLinks)
    web_sessions = _Part(MemoryWebSessions)
    signing_keys = _Part(MemorySigningKeys)
    installation = _Part(MemoryInstallation)
    niches = _Part(MemoryNiches)
    niche_requests = _Part(MemoryNicheRequests)
    agents = _Part(MemoryAgents)
    agent_events = _Part(MemoryAgentEvents)
    article_schedules = _Part(MemoryArticleSchedules)
    executions = _Part(MemoryExecutions)
    articles = _Part(MemoryArticles)
    public_articles = _Part(MemoryPublicArticles)
    free_articles = _Part(MemoryFreeArticles)
    duplicates = _Part(MemoryDuplicates)
    generations = _Part(MemoryGenerations)
    quotas = _Part(MemoryQuotas)
    jobs = _Part(MemoryJobs)
    knowledge = _Part(MemoryKnowledge)
    embeddings = _Part(MemoryEmbeddings)
    idempotency = _Part(MemoryIdempotency)
    enrichments = _Part(MemoryEnrichments)
    document_catalogue = _Part(MemoryDocumentCatalogue)
    documents = _Part(MemoryDocuments)
    topic_coverages = _Part(MemoryTopicCoverages)
    integrations = _Part(MemoryIntegrations)
    publications = _Part(MemoryPublications)
    translations = _Part(MemoryTranslations)
    synced_sources = _Part(MemorySyncedSources)
    article_links = _Part(MemoryArticleLinks)
    article_topics = _Part(MemoryArticleTopics)
    article_updates = _Part(MemoryArticleUpdates)
    refresh_policies = _Part(MemoryRefreshPolicies)
    calendar = _Part(MemoryCalendar)
    calendar_links = _Part(MemoryCalendarLinks)
    webhook_endpoints = _Part(MemoryWebhookEndpoints)
    webhook_messages = _Part(MemoryWebhookMessages)
    webhook_deliveries = _Part(MemoryWebhookDeliveries)
    article_versions = _Part(MemoryArticleVersions)
    article_comments = _Part(MemoryArticleComments)
    sentence_reviews = _Part(MemorySentenceReviews)
    approval_policies = _Part(MemoryApprovalPolicies)
    search_reports = _Part(MemorySearchReports)
    index_now_sites = _Part(MemoryIndexNowSites)
    search_demands = _Part(MemorySearchDemands)
    conflict_searches = _Part(MemoryConflictSearches)
    conflicts = _Part(MemoryConflicts)
    voices = _Part(MemoryVoices)
    writing_months = _Part(MemoryWritingMonths)
    budgets = _Part(MemoryBudgets)
    circuits = _Part(MemoryCircuits)
    mail_counts = _Part(MemoryMailCounts)
    model_batches = _Part(MemoryModelBatches)
    reviews = _Part(MemoryReviews)
    governance = _Part(MemoryGovernanceFacts)
    overview = _Part(MemoryOverview)
    trends = _Part(MemoryTrends)
    trend_alerts = _Part(MemoryTrendAlerts)
    trend_clicks = _Part(MemoryTrendClicks)
    history = _Part(MemoryHistories)
    work_leases = _Part(MemoryWorkLeases)

    def __init__(self, session: Session) -> None:
        self.session = session


class MemoryUnitOfWork:
    """For one event loop. Transactions may overlap freely, with one exception: a task that has written in one
    transaction must leave it before it writes in another."""

    def __init__(self) -> None:
        self._store = Store()
        self._turn = WriteTurn()
        self.agent_event_wake_ups = MemoryWakeUps()

    def __call__(self) -> AbstractAsyncContextManager[MemoryTransaction]:
        return self._transaction()

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[MemoryTransaction]:
        session = Session(self._store, self._turn)
        try:
            yield MemoryTransaction(session)
            session.commit()
            self.agent_event_wake_ups.tell(session.to_tell)
        finally:
            session.end()
