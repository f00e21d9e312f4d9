"""The unit of work on PostgreSQL."""

from __future__ import annotations

from functools import cached_property
from types import TracebackType
from typing import Self

from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from contentgen_adapters.postgres.agent_events import PostgresAgentEvents
from contentgen_adapters.postgres.agents import PostgresAgents
from contentgen_adapters.postgres.approval_policies import PostgresApprovalPolicies
from contentgen_adapters.postgres.article_comments import PostgresArticleComments, PostgresSentenceReviews
from contentgen_adapters.postgres.article_links import PostgresArticleLinks
from contentgen_adapters.postgres.article_topics import PostgresArticleTopics
from contentgen_adapters.postgres.article_updates import PostgresArticleUpdates, PostgresRefreshPolicies
from contentgen_adapters.postgres.article_versions import PostgresArticleVersions
from contentgen_adapters.postgres.articles import PostgresArticles
from contentgen_adapters.postgres.budgets import PostgresBudgets
from contentgen_adapters.postgres.calendar import PostgresCalendar, PostgresCalendarLinks
from contentgen_adapters.postgres.circuits import PostgresCircuits
from contentgen_adapters.postgres.conflicts import PostgresConflicts, PostgresConflictSearches
from contentgen_adapters.postgres.document_catalogue import PostgresDocumentCatalogue
from contentgen_adapters.postgres.documents import PostgresDocuments
from contentgen_adapters.postgres.duplicates import PostgresDuplicates
from contentgen_adapters.postgres.embeddings import PostgresEmbeddings
from contentgen_adapters.postgres.enrichments import PostgresEnrichments
from contentgen_adapters.postgres.executions import PostgresExecutions
from contentgen_adapters.postgres.free_articles import PostgresFreeArticles
from contentgen_adapters.postgres.generations import PostgresGenerations
from contentgen_adapters.postgres.governance import PostgresGovernanceFacts
from contentgen_adapters.postgres.history import PostgresHistories
from contentgen_adapters.postgres.idempotency import PostgresIdempotency
from contentgen_adapters.postgres.index_now import PostgresIndexNowSites
from contentgen_adapters.postgres.installation import PostgresInstallation
from contentgen_adapters.postgres.integrations import PostgresIntegrations
from contentgen_adapters.postgres.jobs import PostgresJobs
from contentgen_adapters.postgres.knowledge import PostgresKnowledge
from contentgen_adapters.postgres.mail_counts import PostgresMailCounts
from contentgen_adapters.postgres.model_batches import PostgresModelBatches
from contentgen_adapters.postgres.niche_requests import PostgresNicheRequests
from contentgen_adapters.postgres.niches import PostgresNiches
from contentgen_adapters.postgres.overview import PostgresOverview
from contentgen_adapters.postgres.pool import Pool
from contentgen_adapters.postgres.public_articles import PostgresPublicArticles
from contentgen_adapters.postgres.publications import PostgresPublications
from contentgen_adapters.postgres.quotas import PostgresQuotas
from contentgen_adapters.postgres.reviews import PostgresReviews
from contentgen_adapters.postgres.schedules import PostgresArticleSchedules
from contentgen_adapters.postgres.search_demands import PostgresSearchDemands
from contentgen_adapters.postgres.search_reports import PostgresSearchReports
from contentgen_adapters.postgres.session import Session
from contentgen_adapters.postgres.sign_in import PostgresSignInLinks, PostgresWebSessions
from contentgen_adapters.postgres.signing_keys import PostgresSigningKeys
from contentgen_adapters.postgres.synced_sources import PostgresSyncedSources
from contentgen_adapters.postgres.team import PostgresInvitations
from contentgen_adapters.postgres.tenants import PostgresApiKeys, PostgresTenants, PostgresUsers
from contentgen_adapters.postgres.topic_coverages import PostgresTopicCoverages
from contentgen_adapters.postgres.translations import PostgresTranslations
from contentgen_adapters.postgres.trend_alerts import PostgresTrendAlerts, PostgresTrendClicks
from contentgen_adapters.postgres.trends import PostgresTrends
from contentgen_adapters.postgres.voices import PostgresVoices
from contentgen_adapters.postgres.webhooks import (
    PostgresWebhookDeliveries,
    PostgresWebhookEndpoints,
    PostgresWebhookMessages,
)
from contentgen_adapters.postgres.work_leases import PostgresWorkLeases
from contentgen_adapters.postgres.writing_months import PostgresWritingMonths


class PostgresTransaction:
    """Repositories are made when first asked for: most transactions use one or two."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._connection: AsyncConnection[TupleRow] | None = None

    async def __aenter__(self) -> Self:
        self._connection = await self._pool.acquire()
        self._session = Session(self._connection)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._connection is not None
        try:
            await self._session.end(kind, exc, traceback)
        finally:
            connection, self._connection = self._connection, None
            await self._pool.release(connection)

    @cached_property
    def tenants(self) -> PostgresTenants:
        return PostgresTenants(self._session)

    @cached_property
    def users(self) -> PostgresUsers:
        return PostgresUsers(self._session)

    @cached_property
    def api_keys(self) -> PostgresApiKeys:
        return PostgresApiKeys(self._session)

    @cached_property
    def invitations(self) -> PostgresInvitations:
        return PostgresInvitations(self._session)

    @cached_property
    def sign_in_links(self) -> PostgresSignInLinks:
        return PostgresSignInLinks(self._session)

    @cached_property
    def web_sessions(self) -> PostgresWebSessions:
        return PostgresWebSessions(self._session)

    @cached_property
    def signing_keys(self) -> PostgresSigningKeys:
        return PostgresSigningKeys(self._session)

    @cached_property
    def installation(self) -> PostgresInstallation:
        return PostgresInstallation(self._session)

    @cached_property
    def niches(self) -> PostgresNiches:
        return PostgresNiches(self._session)

    @cached_property
    def niche_requests(self) -> PostgresNicheRequests:
        return PostgresNicheRequests(self._session)

    @cached_property
    def agents(self) -> PostgresAgents:
        return PostgresAgents(self._session)

    @cached_property
    def agent_events(self) -> PostgresAgentEvents:
        return PostgresAgentEvents(self._session)

    @cached_property
    def article_schedules(self) -> PostgresArticleSchedules:
        return PostgresArticleSchedules(self._session)

    @cached_property
    def executions(self) -> PostgresExecutions:
        return PostgresExecutions(self._session)

    @cached_property
    def articles(self) -> PostgresArticles:
        return PostgresArticles(self._session)

    @cached_property
    def public_articles(self) -> PostgresPublicArticles:
        return PostgresPublicArticles(self._session)

    @cached_property
    def free_articles(self) -> PostgresFreeArticles:
        return PostgresFreeArticles(self._session)

    @cached_property
    def duplicates(self) -> PostgresDuplicates:
        return PostgresDuplicates(self._session)

    @cached_property
    def generations(self) -> PostgresGenerations:
        return PostgresGenerations(self._session)

    @cached_property
    def quotas(self) -> PostgresQuotas:
        return PostgresQuotas(self._session)

    @cached_property
    def jobs(self) -> PostgresJobs:
        return PostgresJobs(self._session)

    @cached_property
    def embeddings(self) -> PostgresEmbeddings:
        return PostgresEmbeddings(self._session)

    @cached_property
    def knowledge(self) -> PostgresKnowledge:
        return PostgresKnowledge(self._session)

    @cached_property
    def idempotency(self) -> PostgresIdempotency:
        return PostgresIdempotency(self._session)

    @cached_property
    def enrichments(self) -> PostgresEnrichments:
        return PostgresEnrichments(self._session)

    @cached_property
    def document_catalogue(self) -> PostgresDocumentCatalogue:
        return PostgresDocumentCatalogue(self._session)

    @cached_property
    def documents(self) -> PostgresDocuments:
        return PostgresDocuments(self._session)

    @cached_property
    def topic_coverages(self) -> PostgresTopicCoverages:
        return PostgresTopicCoverages(self._session)

    @cached_property
    def integrations(self) -> PostgresIntegrations:
        return PostgresIntegrations(self._session)

    @cached_property
    def publications(self) -> PostgresPublications:
        return PostgresPublications(self._session)

    @cached_property
    def translations(self) -> PostgresTranslations:
        return PostgresTranslations(self._session)

    @cached_property
    def synced_sources(self) -> PostgresSyncedSources:
        return PostgresSyncedSources(self._session)

    @cached_property
    def article_links(self) -> PostgresArticleLinks:
        return PostgresArticleLinks(self._session)

    @cached_property
    def article_topics(self) -> PostgresArticleTopics:
        return PostgresArticleTopics(self._session)

    @cached_property
    def article_updates(self) -> PostgresArticleUpdates:
        return PostgresArticleUpdates(self._session)

    @cached_property
    def refresh_policies(self) -> PostgresRefreshPolicies:
        return PostgresRefreshPolicies(self._session)

    @cached_property
    def calendar(self) -> PostgresCalendar:
        return PostgresCalendar(self._session)

    @cached_property
    def calendar_links(self) -> PostgresCalendarLinks:
        return PostgresCalendarLinks(self._session)

    @cached_property
    def webhook_endpoints(self) -> PostgresWebhookEndpoints:
        return PostgresWebhookEndpoints(self._session)

    @cached_property
    def webhook_messages(self) -> PostgresWebhookMessages:
        return PostgresWebhookMessages(self._session)

    @cached_property
    def webhook_deliveries(self) -> PostgresWebhookDeliveries:
        return PostgresWebhookDeliveries(self._session)

    @cached_property
    def article_versions(self) -> PostgresArticleVersions:
        return PostgresArticleVersions(self._session)

    @cached_property
    def article_comments(self) -> PostgresArticleComments:
        return PostgresArticleComments(self._session)

    @cached_property
    def sentence_reviews(self) -> PostgresSentenceReviews:
        return PostgresSentenceReviews(self._session)

    @cached_property
    def approval_policies(self) -> PostgresApprovalPolicies:
        return PostgresApprovalPolicies(self._session)

    @cached_property
    def conflict_searches(self) -> PostgresConflictSearches:
        return PostgresConflictSearches(self._session)

    @cached_property
    def conflicts(self) -> PostgresConflicts:
        return PostgresConflicts(self._session)

    @cached_property
    def writing_months(self) -> PostgresWritingMonths:
        return PostgresWritingMonths(self._session)

    @cached_property
    def budgets(self) -> PostgresBudgets:
        return PostgresBudgets(self._session)

    @cached_property
    def mail_counts(self) -> PostgresMailCounts:
        return PostgresMailCounts(self._session)

    @cached_property
    def circuits(self) -> PostgresCircuits:
        return PostgresCircuits(self._session)

    @cached_property
    def model_batches(self) -> PostgresModelBatches:
        return PostgresModelBatches(self._session)

    @cached_property
    def voices(self) -> PostgresVoices:
        return PostgresVoices(self._session)

    @cached_property
    def reviews(self) -> PostgresReviews:
        return PostgresReviews(self._session)

    @cached_property
    def governance(self) -> PostgresGovernanceFacts:
        return PostgresGovernanceFacts(self._session)

    @cached_property
    def overview(self) -> PostgresOverview:
        return PostgresOverview(self._session)

    @cached_property
    def search_reports(self) -> PostgresSearchReports:
        return PostgresSearchReports(self._session)

    @cached_property
    def search_demands(self) -> PostgresSearchDemands:
        return PostgresSearchDemands(self._session)

    @cached_property
    def index_now_sites(self) -> PostgresIndexNowSites:
        return PostgresIndexNowSites(self._session)

    @cached_property
    def trends(self) -> PostgresTrends:
        return PostgresTrends(self._session)

    @cached_property
    def trend_alerts(self) -> PostgresTrendAlerts:
        return PostgresTrendAlerts(self._session)

    @cached_property
    def trend_clicks(self) -> PostgresTrendClicks:
        return PostgresTrendClicks(self._session)

    @cached_property
    def history(self) -> PostgresHistories:
        return PostgresHistories(self._session)

    @cached_property
    def work_leases(self) -> PostgresWorkLeases:
        return PostgresWorkLeases(self._session)


class PostgresUnitOfWork:
    """Transactions on one pool, READ COMMITTED, each on a connection of its own."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def __call__(self) -> PostgresTransaction:
        return PostgresTransaction(self._pool)
