"""The contract of the unit of work, put together from those of its repositories.

Inherit from `UnitOfWorkContract` in a test module and give it a fixture `unit_of_work`: a fresh, empty one per test.

    class TestMine(UnitOfWorkContract):
        @pytest.fixture
        def unit_of_work(self) -> UnitOfWork: ...

The suite demands what every store can offer: a task never writes in two open transactions at once, and a
transaction in which a method raised is left by that error."""

from __future__ import annotations

from tests.contract.store.agent_events import AgentEventsContract
from tests.contract.store.approval_policies import ApprovalPoliciesContract
from tests.contract.store.article_comments import (
    ArticleCommentsContract,
    SentenceReviewsContract,
)
from tests.contract.store.article_links import ArticleLinksContract
from tests.contract.store.article_list import ArticleOrderContract, ArticlePagesContract, ArticleSearchContract
from tests.contract.store.article_topics import ArticleTopicsContract
from tests.contract.store.article_updates import ArticleUpdatesContract, RefreshPoliciesContract
from tests.contract.store.article_versions import ArticleVersionsContract
from tests.contract.store.articles import ArticlesContract, ProgressContract, TopicsContract
from tests.contract.store.budgets import BudgetsContract
from tests.contract.store.calendar import CalendarContract, CalendarLinksContract
from tests.contract.store.changed_sources import ChangedSourcesContract
from tests.contract.store.circuits import CircuitsContract
from tests.contract.store.conflicts import ConflictsContract, ConflictSearchesContract
from tests.contract.store.dispatch import (
    JobClaimOneContract,
    JobCrashesContract,
    JobDispatchContract,
    JobRecoveryContract,
)
from tests.contract.store.document_catalogue import DocumentCatalogueContract
from tests.contract.store.document_revisions import DocumentRevisionsContract
from tests.contract.store.documents import PrivateDocumentsContract
from tests.contract.store.duplicates import DuplicatesContract
from tests.contract.store.embeddings import EmbeddingsContract
from tests.contract.store.enrichments import EnrichmentsContract
from tests.contract.store.executions import ExecutionsContract
from tests.contract.store.free_articles import FreeArticlesContract
from tests.contract.store.generations import GenerationsContract
from tests.contract.store.governance import GovernanceFactsContract
from tests.contract.store.history import HistoryContract
from tests.contract.store.index_now import IndexNowSitesContract
from tests.contract.store.index_outbox import IndexOutboxContract
from tests.contract.store.installation import InstallationContract
from tests.contract.store.job_waits import JobWaitsContract
from tests.contract.store.jobs import JobClaimsContract, JobEndsContract, JobFencingContract
from tests.contract.store.knowledge import DocumentsContract, ViewsContract
from tests.contract.store.mail_counts import MailCountsContract
from tests.contract.store.model_batches import ModelBatchesContract
from tests.contract.store.niche_changes import (
    AgentChangesContract,
    NicheChangesContract,
    NicheRequestsContract,
)
from tests.contract.store.niches import AgentsContract, NichesContract
from tests.contract.store.overview import OverviewContract
from tests.contract.store.public_articles import PublicArticlesContract
from tests.contract.store.publishing import IntegrationsContract, PublicationsContract
from tests.contract.store.quotas import IdempotencyContract, QuotasContract
from tests.contract.store.reviews import ReviewsContract
from tests.contract.store.schedules import ArticleSchedulesContract
from tests.contract.store.search_demands import SearchDemandsContract
from tests.contract.store.search_reports import SearchReportsContract
from tests.contract.store.sign_in import SignInContract
from tests.contract.store.signing_keys import SigningKeysContract
from tests.contract.store.statistics import StatisticsContract
from tests.contract.store.synced_sources import SyncedItemsContract, SyncedSourcesContract
from tests.contract.store.team import InvitationsContract, MembersContract
from tests.contract.store.tenants import ApiKeysContract, TenantsContract, UsersContract
from tests.contract.store.topic_coverages import TopicCoveragesContract
from tests.contract.store.transactions import TransactionsContract
from tests.contract.store.translations import TranslationsContract
from tests.contract.store.trend_alerts import TrendAlertsContract, TrendClicksContract
from tests.contract.store.trends import TrendsContract
from tests.contract.store.turns import JobTurnsContract
from tests.contract.store.voices import VoicesContract
from tests.contract.store.webhooks import (
    WebhookDeliveriesContract,
    WebhookEndpointsContract,
    WebhookMessagesContract,
)
from tests.contract.store.work_leases import WorkLeasesContract
from tests.contract.store.writing_months import WritingMonthsContract


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
    MailCountsContract,
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
