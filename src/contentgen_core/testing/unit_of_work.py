"""The contract of the unit of work, for authors of adapters.

Inherit from `UnitOfWorkContract` in a test module and give it a fixture `unit_of_work`: a fresh, empty one per test.

    class TestMine(UnitOfWorkContract):
        @pytest.fixture
        def unit_of_work(self) -> UnitOfWork: ...

The suite demands what every adapter can offer: a task never writes in two open transactions at once, and a
transaction in which a method raised is left by that error."""

from __future__ import annotations

from contentgen_core.testing.repositories.agent_events import AgentEventsContract
from contentgen_core.testing.repositories.approval_policies import ApprovalPoliciesContract
from contentgen_core.testing.repositories.article_comments import (
    ArticleCommentsContract,
    SentenceReviewsContract,
)
from contentgen_core.testing.repositories.article_links import ArticleLinksContract
from contentgen_core.testing.repositories.article_list import (
    ArticleOrderContract,
    ArticlePagesContract,
    ArticleSearchContract,
    ChangedSourcesContract,
)
from contentgen_core.testing.repositories.article_topics import ArticleTopicsContract
from contentgen_core.testing.repositories.article_updates import ArticleUpdatesContract, RefreshPoliciesContract
from contentgen_core.testing.repositories.article_versions import ArticleVersionsContract
from contentgen_core.testing.repositories.articles import (
    ArticlesContract,
    GenerationsContract,
    ProgressContract,
    TopicsContract,
)
from contentgen_core.testing.repositories.budgets import BudgetsContract
from contentgen_core.testing.repositories.calendar import CalendarContract, CalendarLinksContract
from contentgen_core.testing.repositories.circuits import CircuitsContract
from contentgen_core.testing.repositories.conflicts import ConflictsContract, ConflictSearchesContract
from contentgen_core.testing.repositories.dispatch import (
    JobClaimOneContract,
    JobCrashesContract,
    JobDispatchContract,
    JobRecoveryContract,
)
from contentgen_core.testing.repositories.document_catalogue import DocumentCatalogueContract
from contentgen_core.testing.repositories.document_revisions import DocumentRevisionsContract
from contentgen_core.testing.repositories.documents import PrivateDocumentsContract
from contentgen_core.testing.repositories.duplicates import DuplicatesContract
from contentgen_core.testing.repositories.embeddings import EmbeddingsContract
from contentgen_core.testing.repositories.enrichments import EnrichmentsContract
from contentgen_core.testing.repositories.executions import ExecutionsContract
from contentgen_core.testing.repositories.free_articles import FreeArticlesContract
from contentgen_core.testing.repositories.governance import GovernanceFactsContract
from contentgen_core.testing.repositories.history import HistoryContract
from contentgen_core.testing.repositories.index_now import IndexNowSitesContract
from contentgen_core.testing.repositories.installation import InstallationContract
from contentgen_core.testing.repositories.job_waits import JobWaitsContract
from contentgen_core.testing.repositories.jobs import JobClaimsContract, JobEndsContract, JobFencingContract
from contentgen_core.testing.repositories.knowledge import DocumentsContract, IndexOutboxContract, ViewsContract
from contentgen_core.testing.repositories.model_batches import ModelBatchesContract
from contentgen_core.testing.repositories.niche_changes import (
    AgentChangesContract,
    NicheChangesContract,
    NicheRequestsContract,
)
from contentgen_core.testing.repositories.niches import AgentsContract, NichesContract
from contentgen_core.testing.repositories.overview import OverviewContract
from contentgen_core.testing.repositories.public_articles import PublicArticlesContract
from contentgen_core.testing.repositories.publishing import IntegrationsContract, PublicationsContract
from contentgen_core.testing.repositories.quotas import IdempotencyContract, QuotasContract
from contentgen_core.testing.repositories.reviews import ReviewsContract
from contentgen_core.testing.repositories.schedules import ArticleSchedulesContract
from contentgen_core.testing.repositories.search_demands import SearchDemandsContract
from contentgen_core.testing.repositories.search_reports import SearchReportsContract
from contentgen_core.testing.repositories.sign_in import SignInContract
from contentgen_core.testing.repositories.signing_keys import SigningKeysContract
from contentgen_core.testing.repositories.statistics import StatisticsContract
from contentgen_core.testing.repositories.synced_sources import SyncedItemsContract, SyncedSourcesContract
from contentgen_core.testing.repositories.team import InvitationsContract, MembersContract
from contentgen_core.testing.repositories.tenants import ApiKeysContract, TenantsContract, UsersContract
from contentgen_core.testing.repositories.topic_coverages import TopicCoveragesContract
from contentgen_core.testing.repositories.transactions import TransactionsContract
from contentgen_core.testing.repositories.translations import TranslationsContract
from contentgen_core.testing.repositories.trend_alerts import TrendAlertsContract, TrendClicksContract
from contentgen_core.testing.repositories.trends import TrendsContract
from contentgen_core.testing.repositories.turns import JobTurnsContract
from contentgen_core.testing.repositories.voices import VoicesContract
from contentgen_core.testing.repositories.webhooks import (
    WebhookDeliveriesContract,
    WebhookEndpointsContract,
    WebhookMessagesContract,
)
from contentgen_core.testing.repositories.work_leases import WorkLeasesContract
from contentgen_core.testing.repositories.writing_months import WritingMonthsContract


class UnitOfWorkContract(
    TransactionsContract,
    TenantsContract,
    UsersContract,
    ApiKeysContract,
    MembersContract,
    InvitationsContract,
    SignInContract,
    InstallationContract,
    NichesContract,
    AgentsContract,
    EmbeddingsContract,
    NicheChangesContract,
    NicheRequestsContract,
    AgentChangesContract,
    AgentEventsContract,
    ArticleSchedulesContract,
    ExecutionsContract,
    ArticlesContract,
    ProgressContract,
    TopicsContract,
    ArticlePagesContract,
    ChangedSourcesContract,
    ArticleSearchContract,
    ArticleOrderContract,
    GenerationsContract,
    WritingMonthsContract,
    BudgetsContract,
    ModelBatchesContract,
    FreeArticlesContract,
    DuplicatesContract,
    QuotasContract,
    IdempotencyContract,
    JobClaimsContract,
    JobFencingContract,
    JobEndsContract,
    JobWaitsContract,
    CircuitsContract,
    JobClaimOneContract,
    JobDispatchContract,
    JobCrashesContract,
    JobRecoveryContract,
    JobTurnsContract,
    DocumentsContract,
    DocumentRevisionsContract,
    DocumentCatalogueContract,
    ViewsContract,
    StatisticsContract,
    IndexOutboxContract,
    EnrichmentsContract,
    PrivateDocumentsContract,
    TopicCoveragesContract,
    TranslationsContract,
    ReviewsContract,
    SyncedSourcesContract,
    SyncedItemsContract,
    ArticleLinksContract,
    ArticleTopicsContract,
    ArticleUpdatesContract,
    RefreshPoliciesContract,
    ConflictSearchesContract,
    ConflictsContract,
    WebhookEndpointsContract,
    WebhookMessagesContract,
    WebhookDeliveriesContract,
    CalendarContract,
    CalendarLinksContract,
    ApprovalPoliciesContract,
    SearchReportsContract,
    ArticleVersionsContract,
    SearchDemandsContract,
    HistoryContract,
    IndexNowSitesContract,
    SigningKeysContract,
    ArticleCommentsContract,
    SentenceReviewsContract,
    VoicesContract,
    GovernanceFactsContract,
    IntegrationsContract,
    PublicationsContract,
    OverviewContract,
    PublicArticlesContract,
    TrendAlertsContract,
    TrendClicksContract,
    TrendsContract,
    WorkLeasesContract,
):
    """Every method, documented behaviour and error of `contentgen_core.ports.unit_of_work`."""
