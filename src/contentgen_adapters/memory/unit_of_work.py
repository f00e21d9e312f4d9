"""The unit of work in memory: what it holds lives as long as the object."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

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


class MemoryTransaction:
    def __init__(self, session: Session) -> None:
        self.tenants = MemoryTenants(session)
        self.users = MemoryUsers(session)
        self.api_keys = MemoryApiKeys(session)
        self.invitations = MemoryInvitations(session)
        self.sign_in_links = MemorySignInLinks(session)
        self.web_sessions = MemoryWebSessions(session)
        self.signing_keys = MemorySigningKeys(session)
        self.installation = MemoryInstallation(session)
        self.niches = MemoryNiches(session)
        self.niche_requests = MemoryNicheRequests(session)
        self.agents = MemoryAgents(session)
        self.agent_events = MemoryAgentEvents(session)
        self.article_schedules = MemoryArticleSchedules(session)
        self.executions = MemoryExecutions(session)
        self.articles = MemoryArticles(session)
        self.public_articles = MemoryPublicArticles(session)
        self.free_articles = MemoryFreeArticles(session)
        self.duplicates = MemoryDuplicates(session)
        self.generations = MemoryGenerations(session)
        self.quotas = MemoryQuotas(session)
        self.jobs = MemoryJobs(session)
        self.knowledge = MemoryKnowledge(session)
        self.embeddings = MemoryEmbeddings(session)
        self.idempotency = MemoryIdempotency(session)
        self.enrichments = MemoryEnrichments(session)
        self.document_catalogue = MemoryDocumentCatalogue(session)
        self.documents = MemoryDocuments(session)
        self.topic_coverages = MemoryTopicCoverages(session)
        self.integrations = MemoryIntegrations(session)
        self.publications = MemoryPublications(session)
        self.translations = MemoryTranslations(session)
        self.synced_sources = MemorySyncedSources(session)
        self.article_links = MemoryArticleLinks(session)
        self.article_topics = MemoryArticleTopics(session)
        self.article_updates = MemoryArticleUpdates(session)
        self.refresh_policies = MemoryRefreshPolicies(session)
        self.calendar = MemoryCalendar(session)
        self.calendar_links = MemoryCalendarLinks(session)
        self.webhook_endpoints = MemoryWebhookEndpoints(session)
        self.webhook_messages = MemoryWebhookMessages(session)
        self.webhook_deliveries = MemoryWebhookDeliveries(session)
        self.article_versions = MemoryArticleVersions(session)
        self.article_comments = MemoryArticleComments(session)
        self.sentence_reviews = MemorySentenceReviews(session)
        self.approval_policies = MemoryApprovalPolicies(session)
        self.search_reports = MemorySearchReports(session)
        self.index_now_sites = MemoryIndexNowSites(session)
        self.search_demands = MemorySearchDemands(session)
        self.conflict_searches = MemoryConflictSearches(session)
        self.conflicts = MemoryConflicts(session)
        self.voices = MemoryVoices(session)
        self.writing_months = MemoryWritingMonths(session)
        self.budgets = MemoryBudgets(session)
        self.model_batches = MemoryModelBatches(session)
        self.reviews = MemoryReviews(session)
        self.governance = MemoryGovernanceFacts(session)
        self.overview = MemoryOverview(session)
        self.trends = MemoryTrends(session)
        self.trend_alerts = MemoryTrendAlerts(session)
        self.trend_clicks = MemoryTrendClicks(session)
        self.history = MemoryHistories(session)
        self.work_leases = MemoryWorkLeases(session)


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
