"""Everything a composition root can do: the use cases, wired to whatever adapters bootstrap chose."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

from attrs import field, frozen

from contentgen_core.model.job import Job, JobKind
from contentgen_core.ports.agent_events import AgentEventWakeUps
from contentgen_core.ports.counters import RateLimiter
from contentgen_core.ports.documents import DocumentReader
from contentgen_core.ports.identity_changes import IdentityChanges
from contentgen_core.ports.knowledge_base import PassageIndex
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.account.profile import ManageAccount
from contentgen_core.use_cases.agents.execute import ExecuteAgent, ReadExecutions
from contentgen_core.use_cases.agents.fire_schedules import FireSchedules
from contentgen_core.use_cases.agents.manage import ManageAgents
from contentgen_core.use_cases.agents.queries import ListAgents
from contentgen_core.use_cases.agents.run import RunAgent
from contentgen_core.use_cases.agents.system import AdministerSystemAgents
from contentgen_core.use_cases.articles.auto_image import AutoImage
from contentgen_core.use_cases.articles.check_coverage import CheckCoverage
from contentgen_core.use_cases.articles.check_duplicates import CheckDuplicates
from contentgen_core.use_cases.articles.delete import DeleteArticle
from contentgen_core.use_cases.articles.edit import EditArticle
from contentgen_core.use_cases.articles.export import ExportArticle
from contentgen_core.use_cases.articles.generate import GenerateArticle
from contentgen_core.use_cases.articles.grounding_receipt import GroundingReceipt
from contentgen_core.use_cases.articles.plan import PlanArticle
from contentgen_core.use_cases.articles.queries import ReadArticles
from contentgen_core.use_cases.articles.start_from_plan import StartFromPlan
from contentgen_core.use_cases.articles.topics import SuggestTopics, ValidateTopic
from contentgen_core.use_cases.documents.add import AddDocument
from contentgen_core.use_cases.documents.edit import ManageDocuments
from contentgen_core.use_cases.documents.process import ProcessDocument
from contentgen_core.use_cases.documents.search import SearchKnowledge
from contentgen_core.use_cases.enrichment.run import RunEnrichment
from contentgen_core.use_cases.enrichment.start import ReadEnrichments, StartEnrichment
from contentgen_core.use_cases.free_articles.from_link import GenerateFromLink
from contentgen_core.use_cases.generation.publish_scheduled import PublishScheduled
from contentgen_core.use_cases.generation.write_article import WriteArticle
from contentgen_core.use_cases.governance.evaluate import EvaluateGovernance
from contentgen_core.use_cases.integrations.manage import ManageIntegrations
from contentgen_core.use_cases.integrations.reseal import ResealSecrets
from contentgen_core.use_cases.keys.authenticate import Authenticate
from contentgen_core.use_cases.keys.manage import ManageKeys
from contentgen_core.use_cases.knowledge.curate import CurateEntities
from contentgen_core.use_cases.knowledge.import_sources import ImportSources
from contentgen_core.use_cases.knowledge.keep_index import ApplyIndexChanges, KeepIndexFit, RebuildIndex
from contentgen_core.use_cases.knowledge.overview import ReadOverview
from contentgen_core.use_cases.niches.article_schedule import ManageArticleSchedules
from contentgen_core.use_cases.niches.catalogue import EnsureCatalogue
from contentgen_core.use_cases.niches.dashboard import ShowDashboard
from contentgen_core.use_cases.niches.edit import EditNiches
from contentgen_core.use_cases.niches.manage import ManageNiches
from contentgen_core.use_cases.niches.requests import RequestNiches
from contentgen_core.use_cases.niches.settings import NicheSettings
from contentgen_core.use_cases.public.alerts import ConfirmAlerts, EndAlerts, RequestAlerts
from contentgen_core.use_cases.public.clicks import CountClick
from contentgen_core.use_cases.public.read import ReadPublic
from contentgen_core.use_cases.public.send_alerts import SendAlerts
from contentgen_core.use_cases.publishing.deliver import DeliverPublication
from contentgen_core.use_cases.publishing.manage import ManagePublications
from contentgen_core.use_cases.publishing.start import Publish
from contentgen_core.use_cases.reviews.mark import MarkHelpful
from contentgen_core.use_cases.reviews.read import ReadReviews
from contentgen_core.use_cases.reviews.write import WriteReviews
from contentgen_core.use_cases.team.accept import AcceptInvitation
from contentgen_core.use_cases.team.invite import InviteMember
from contentgen_core.use_cases.team.manage import ManageTeam
from contentgen_core.use_cases.team.send import SendInvitation
from contentgen_core.use_cases.tenants.administer import AdministerTenants
from contentgen_core.use_cases.tenants.queries import ReadTenant
from contentgen_core.use_cases.tenants.settings import EditTenant
from contentgen_core.use_cases.topic_coverage.compute import ComputeTopicCoverage
from contentgen_core.use_cases.topic_coverage.manage import ManageTopicCoverage
from contentgen_core.use_cases.translation.credits import ReadTranslations
from contentgen_core.use_cases.translation.run import RunTranslation
from contentgen_core.use_cases.translation.start import StartTranslation
from contentgen_core.use_cases.trends.refresh import RefreshTrends
from contentgen_http.telemetry.telemetry import Telemetry


@frozen(kw_only=True)
class Services:
    """`checks`: the parts that readiness depends on; each raises when its part is away, with a text for an operator.
    `wake_ups`: yields whenever a job may have been enqueued by any process, `agent_event_wake_ups` whenever something
    happened to an agent; None where only polling finds out. `identity_changes`: None where no changed
    keys are announced. `public_url`: where people reach the service, without a slash at its end, where it is set."""

    clock: Clock
    unit_of_work: UnitOfWork
    index: PassageIndex
    reader: DocumentReader
    rate_limiter: RateLimiter
    authenticate: Authenticate
    keys: ManageKeys
    tenants: AdministerTenants
    tenant: ReadTenant
    edit_tenant: EditTenant
    account: ManageAccount
    team: ManageTeam
    invite: InviteMember
    accept_invitation: AcceptInvitation
    send_invitation: SendInvitation
    reviews: ReadReviews
    write_reviews: WriteReviews
    mark_helpful: MarkHelpful
    catalogue: EnsureCatalogue
    niches: ManageNiches
    edit_niches: EditNiches
    niche_settings: NicheSettings
    niche_dashboard: ShowDashboard
    niche_requests: RequestNiches
    agents: ListAgents
    article_schedules: ManageArticleSchedules
    fire_schedules: FireSchedules
    execute_agent: ExecuteAgent
    executions: ReadExecutions
    run_agent: RunAgent
    manage_agents: ManageAgents
    system_agents: AdministerSystemAgents
    articles: ReadArticles
    grounding_receipt: GroundingReceipt
    check_coverage: CheckCoverage
    check_duplicates: CheckDuplicates
    generate_from_link: GenerateFromLink
    suggest_topics: SuggestTopics
    validate_topic: ValidateTopic
    plan_article: PlanArticle
    generate_article: GenerateArticle
    start_from_plan: StartFromPlan
    edit_article: EditArticle
    delete_article: DeleteArticle
    auto_image: AutoImage
    export_article: ExportArticle
    write_article: WriteArticle
    publish_scheduled: PublishScheduled
    integrations: ManageIntegrations
    publish: Publish
    publications: ManagePublications
    reseal_secrets: ResealSecrets
    deliver_publication: DeliverPublication
    start_enrichment: StartEnrichment
    enrichments: ReadEnrichments
    run_enrichment: RunEnrichment
    start_translation: StartTranslation
    translations: ReadTranslations
    run_translation: RunTranslation
    add_document: AddDocument
    documents: ManageDocuments
    process_document: ProcessDocument
    search: SearchKnowledge
    topic_coverages: ManageTopicCoverage
    compute_topic_coverage: ComputeTopicCoverage
    evaluate_governance: EvaluateGovernance
    overview: ReadOverview
    curate_entities: CurateEntities
    import_sources: ImportSources
    apply_index_changes: ApplyIndexChanges
    rebuild_index: RebuildIndex
    keep_index_fit: KeepIndexFit
    public: ReadPublic
    request_alerts: RequestAlerts
    confirm_alerts: ConfirmAlerts
    end_alerts: EndAlerts
    send_alerts: SendAlerts
    count_click: CountClick
    refresh_trends: RefreshTrends
    checks: dict[str, Callable[[], Awaitable[None]]]
    wake_ups: Callable[[], AsyncIterator[None]] | None = None
    identity_changes: IdentityChanges | None = None
    agent_event_wake_ups: AgentEventWakeUps | None = None
    public_url: str | None = None
    telemetry: Telemetry = field(factory=Telemetry)

    @property
    def handlers(self) -> dict[JobKind, Callable[[Job], Awaitable[None]]]:
        """Who does the jobs of each kind."""
        doing: dict[JobKind, Callable[[Job], Awaitable[None]]] = {
            JobKind.GENERATE_ARTICLE: self.write_article,
            JobKind.PUBLISH_SCHEDULED: self.publish_scheduled,
            JobKind.ENRICH_TOPIC: self.run_enrichment,
            JobKind.PROCESS_DOCUMENT: self.process_document,
            JobKind.COMPUTE_TOPIC_COVERAGE: self.compute_topic_coverage,
            JobKind.CURATE_ENTITIES: self.curate_entities,
            JobKind.PUBLISH: self.deliver_publication,
            JobKind.SEND_INVITATION: self.send_invitation,
            JobKind.EXECUTE_AGENT: self.run_agent,
            JobKind.TRANSLATE: self.run_translation,
        }
        return {kind: self.telemetry.handler(handler) for kind, handler in doing.items()}
