"""The use cases, wired over ports. Adapters are named here only where there is no choice of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import timedelta
from secrets import token_bytes

import pycountry
from slugify import slugify

from contentgen_adapters.documents.catalog import FileReader
from contentgen_adapters.documents.uploads import FileUploadReader
from contentgen_adapters.entities.extractor import RuleExtractor
from contentgen_adapters.entities.graphs import NetworkxTools
from contentgen_adapters.exporting.exporter import FileExporter
from contentgen_adapters.images.catalog import SETTINGS as IMAGES
from contentgen_adapters.llm.extractive import writer as extractive
from contentgen_adapters.mail.addresses import ValidatedAddresses
from contentgen_adapters.mail.log import LogMailer
from contentgen_adapters.mail.tokens import SignedAlertTokens, SignedTokens
from contentgen_adapters.memory.objects import MemoryObjects
from contentgen_adapters.memory.publishing import MemoryTargets
from contentgen_adapters.memory.rate_limiter import MemoryRateLimiter
from contentgen_adapters.pages.addresses import bare_address
from contentgen_adapters.pages.memory import MemoryPageReader
from contentgen_adapters.queued import QueuedUnitOfWork
from contentgen_adapters.rendering.renderer import MarkdownRenderer
from contentgen_adapters.runtime import HmacKeyMaker, IanaTimeZones, SystemClock, Uuid7Ids
from contentgen_adapters.sealing import FernetBox
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_adapters.text.chunking import MarkdownChunker
from contentgen_adapters.text.language import LangidDetector
from contentgen_adapters.web_search.catalog import SETTINGS as WEB_SEARCHES
from contentgen_core.ports.agent_events import AgentEventWakeUps
from contentgen_core.ports.content_model import ContentModel
from contentgen_core.ports.counters import RateLimiter
from contentgen_core.ports.entailment import EntailmentModel
from contentgen_core.ports.exporting import ArticleExporter
from contentgen_core.ports.identity_changes import IdentityChanges
from contentgen_core.ports.images import Images
from contentgen_core.ports.knowledge_base import Embedder, PassageIndex
from contentgen_core.ports.mail import Mailer
from contentgen_core.ports.object_store import ObjectStore
from contentgen_core.ports.page_reader import PageReader
from contentgen_core.ports.publishing import PublishingTargets
from contentgen_core.ports.reranking import Reranker
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.sealing import SecretBox
from contentgen_core.ports.trends import TrendFinder
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.ports.web_search import Searches
from contentgen_core.use_cases.account.profile import ManageAccount
from contentgen_core.use_cases.agents.execute import ExecuteAgent, ReadExecutions
from contentgen_core.use_cases.agents.fire_schedules import FireSchedules
from contentgen_core.use_cases.agents.manage import ManageAgents
from contentgen_core.use_cases.agents.pick_topics import PickTopics
from contentgen_core.use_cases.agents.queries import ListAgents
from contentgen_core.use_cases.agents.run import RunAgent
from contentgen_core.use_cases.agents.system import AdministerSystemAgents
from contentgen_core.use_cases.agents.topic_sources import CoveredTopics
from contentgen_core.use_cases.agents.topic_sources import SuggestedTopics as SuggestedByModel
from contentgen_core.use_cases.articles.admission import Admission
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
from contentgen_core.use_cases.free_articles.from_link import FreeAllowance, GenerateFromLink
from contentgen_core.use_cases.free_articles.read_page import ReadPage
from contentgen_core.use_cases.generation.publish_scheduled import PublishScheduled
from contentgen_core.use_cases.generation.write_article import WriteArticle
from contentgen_core.use_cases.governance.evaluate import EvaluateGovernance
from contentgen_core.use_cases.integrations.connect import Connect
from contentgen_core.use_cases.integrations.manage import ManageIntegrations
from contentgen_core.use_cases.integrations.reseal import ResealSecrets
from contentgen_core.use_cases.jobs import JobFrame
from contentgen_core.use_cases.keys.authenticate import Authenticate
from contentgen_core.use_cases.keys.manage import ManageKeys
from contentgen_core.use_cases.knowledge.curate import CurateEntities
from contentgen_core.use_cases.knowledge.cut import CutDocument
from contentgen_core.use_cases.knowledge.embedding_weights import EmbeddingWeights
from contentgen_core.use_cases.knowledge.import_sources import ImportSources
from contentgen_core.use_cases.knowledge.keep_index import ApplyIndexChanges, KeepIndexFit, RebuildIndex
from contentgen_core.use_cases.knowledge.overview import ReadOverview
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
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
from contentgen_core.use_cases.publishing.start import WAIT_SECONDS, Publish, RequestPublication
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
from contentgen_core.use_cases.topic_coverage.seeds import (
    ArticleTopics,
    EntityCommunities,
    KnowledgeTopics,
    NicheKeywords,
)
from contentgen_core.use_cases.translation.credits import ReadTranslations
from contentgen_core.use_cases.translation.run import RunTranslation
from contentgen_core.use_cases.translation.start import StartTranslation
from contentgen_core.use_cases.trends.finders import NewKnowledge, SearchedPages
from contentgen_core.use_cases.trends.refresh import RefreshTrends
from contentgen_core.use_cases.trends.texts import ReadTexts
from contentgen_core.use_cases.trends.topics import TrendingTopics
from contentgen_http.services import Services
from contentgen_http.telemetry.telemetry import Telemetry


def assemble(
    *,
    unit_of_work: UnitOfWork,
    index: PassageIndex,
    embedder: Embedder,
    model: ContentModel,
    secret: bytes,
    page_reader: PageReader | None = None,
    objects: ObjectStore | None = None,
    searches: Searches | None = None,
    images: Images | None = None,
    exporter: ArticleExporter | None = None,
    reranker: Reranker | None = None,
    entailment: EntailmentModel | None = None,
    targets: PublishingTargets | None = None,
    box: SecretBox | None = None,
    clock: Clock | None = None,
    ids: Ids | None = None,
    rate_limiter: RateLimiter | None = None,
    wake_ups: Callable[[], AsyncIterator[None]] | None = None,
    identity_changes: IdentityChanges | None = None,
    agent_event_wake_ups: AgentEventWakeUps | None = None,
    mailer: Mailer | None = None,
    public_url: str | None = None,
    free_allowance: FreeAllowance | None = None,
    background_transactions: int = 5,
    publish_wait: float = WAIT_SECONDS,
    trend_finders: Sequence[TrendFinder] = (),
    trend_searches: int = 0,
    trends_every: timedelta | None = None,
    telemetry: Telemetry | None = None,
) -> Services:
    """Wire the use cases over these adapters. Without a page reader and searches there is no web, without a store of
    objects they are kept in memory. `background_transactions`: how many of them jobs may have open at once;
    what is left of the database's connections is for whoever waits for an answer. `publish_wait`: the seconds that a
    request to publish waits for the outcome. `free_allowance`: the free articles of a day. `public_url`: what the links
    of mail start with; without a mailer, mail is only logged. `trend_finders`: beside searches and the knowledge base;
    `trends_every`: None where nobody looks for trends unasked."""
    clock, ids = clock or SystemClock(), ids or Uuid7Ids()
    page_reader, objects = page_reader or MemoryPageReader({}, clock), objects or MemoryObjects()
    telemetry = telemetry or Telemetry()
    unit_of_work, index = telemetry.unit_of_work(unit_of_work), telemetry.index(index)
    embedder, model = telemetry.embedder(embedder), telemetry.model(model)
    searches = telemetry.searches(searches or Searches(None, None, WEB_SEARCHES))
    analysis, renderer = IcuTextAnalysis(), MarkdownRenderer()
    targets, box = telemetry.targets(targets or MemoryTargets()), box or FernetBox(lambda: [secret.hex()])
    connect, request_publication = Connect(targets, box), RequestPublication(targets, clock, ids)
    embedding_weight = EmbeddingWeights(embedder)
    retrieve = Retrieve(unit_of_work, index, embedder, analysis, embedding_weight, reranker)
    queued = QueuedUnitOfWork(unit_of_work, background_transactions)
    apply_queued, uploads = ApplyIndexChanges(queued, index, embedder, clock), FileUploadReader()
    retrieve_queued = Retrieve(queued, index, embedder, analysis, embedding_weight, reranker)
    cut, detector = CutDocument(MarkdownChunker(analysis), analysis, RuleExtractor(analysis)), LangidDetector()
    admission = Admission(unit_of_work, model, clock, ids)
    key_maker, tokens, alert_tokens = HmacKeyMaker(secret), SignedTokens(secret), SignedAlertTokens(secret)
    mailer, base = mailer or LogMailer(), public_url or ""
    countries = frozenset(country.alpha_2 for country in pycountry.countries)
    keys = ManageKeys(unit_of_work, key_maker, clock, ids)
    apply_changes = ApplyIndexChanges(unit_of_work, index, embedder, clock)
    time_zones = IanaTimeZones()

    overview = ReadOverview(unit_of_work, NetworkxTools(), clock, ids, curates=model.name != extractive.NAME)

    async def database_answers() -> None:
        async with unit_of_work() as tx:
            await tx.jobs.backlog(clock.now())

    return Services(
        clock=clock,
        unit_of_work=unit_of_work,
        index=index,
        reader=FileReader(),
        rate_limiter=telemetry.limiter(rate_limiter or MemoryRateLimiter()),
        authenticate=Authenticate(unit_of_work, key_maker, clock),
        keys=keys,
        tenants=AdministerTenants(unit_of_work, keys, clock, ids),
        tenant=ReadTenant(unit_of_work, clock),
        edit_tenant=EditTenant(unit_of_work, time_zones),
        account=ManageAccount(unit_of_work),
        team=ManageTeam(unit_of_work, clock),
        invite=InviteMember(unit_of_work, ValidatedAddresses(), tokens, clock, ids),
        accept_invitation=AcceptInvitation(unit_of_work, tokens, keys, clock, ids),
        send_invitation=SendInvitation(JobFrame(queued, clock, "Sending the invitation"), mailer, tokens, base),
        reviews=ReadReviews(unit_of_work),
        write_reviews=WriteReviews(unit_of_work, clock, ids),
        mark_helpful=MarkHelpful(unit_of_work, clock),
        catalogue=EnsureCatalogue(unit_of_work, clock, ids),
        niches=ManageNiches(unit_of_work, clock, ids, slugify, countries),
        edit_niches=EditNiches(unit_of_work),
        niche_settings=NicheSettings(unit_of_work),
        niche_dashboard=ShowDashboard(unit_of_work, clock),
        niche_requests=RequestNiches(unit_of_work, clock, ids),
        agents=ListAgents(unit_of_work),
        article_schedules=ManageArticleSchedules(unit_of_work, time_zones, clock),
        fire_schedules=FireSchedules(queued, time_zones, clock, ids),
        execute_agent=ExecuteAgent(unit_of_work, clock, ids),
        executions=ReadExecutions(unit_of_work),
        run_agent=RunAgent(
            JobFrame(queued, clock, "The run of the agent"),
            PickTopics(
                queued,
                Retrieve(queued, index, embedder, analysis, embedding_weight),
                (TrendingTopics(queued, clock), CoveredTopics(queued), SuggestedByModel(queued, model)),
                analysis,
            ),
            admission,
            ids,
        ),
        manage_agents=ManageAgents(unit_of_work, clock, ids, countries),
        system_agents=AdministerSystemAgents(unit_of_work, clock, ids, countries),
        articles=ReadArticles(unit_of_work),
        grounding_receipt=GroundingReceipt(unit_of_work),
        check_coverage=CheckCoverage(unit_of_work, retrieve, model, clock),
        check_duplicates=CheckDuplicates(unit_of_work, analysis),
        generate_from_link=GenerateFromLink(
            unit_of_work,
            ReadPage(page_reader, detector, cut, analysis, ids),
            renderer,
            key_maker,
            clock,
            ids,
            bare_address,
            free_allowance or FreeAllowance(),
        ),
        suggest_topics=SuggestTopics(unit_of_work, model),
        validate_topic=ValidateTopic(unit_of_work, model, retrieve),
        plan_article=PlanArticle(unit_of_work, retrieve, model, admission, clock),
        generate_article=GenerateArticle(unit_of_work, retrieve, admission, clock),
        start_from_plan=StartFromPlan(unit_of_work, clock, ids),
        edit_article=EditArticle(unit_of_work, analysis, renderer, clock, ids),
        delete_article=DeleteArticle(unit_of_work),
        auto_image=AutoImage(unit_of_work, images or Images(None, IMAGES), analysis, clock),
        export_article=ExportArticle(unit_of_work, renderer, exporter or FileExporter(renderer)),
        write_article=WriteArticle(
            JobFrame(queued, clock, "The generation"), retrieve_queued, model, analysis, renderer, entailment
        ),
        publish_scheduled=PublishScheduled(queued, request_publication, clock),
        integrations=ManageIntegrations(unit_of_work, targets, connect, clock, ids),
        publish=Publish(unit_of_work, targets, request_publication, clock, wait_seconds=publish_wait),
        publications=ManagePublications(unit_of_work, targets, request_publication, clock),
        reseal_secrets=ResealSecrets(unit_of_work, connect),
        deliver_publication=DeliverPublication(JobFrame(queued, clock, "The publishing"), targets, connect, renderer),
        add_document=AddDocument(unit_of_work, objects, uploads, page_reader, clock, ids),
        documents=ManageDocuments(unit_of_work, objects, apply_changes, clock),
        process_document=ProcessDocument(
            JobFrame(queued, clock, "The processing of the document"),
            objects,
            uploads,
            page_reader,
            cut,
            detector,
            apply_queued,
        ),
        search=SearchKnowledge(unit_of_work, retrieve, analysis),
        topic_coverages=ManageTopicCoverage(unit_of_work, clock, ids),
        compute_topic_coverage=ComputeTopicCoverage(
            JobFrame(queued, clock, "The computation of the topic coverage"),
            Retrieve(queued, index, embedder, analysis, embedding_weight),
            (
                NicheKeywords(),
                TrendingTopics(queued, clock),
                ArticleTopics(queued),
                EntityCommunities(overview),
                KnowledgeTopics(queued, model),
            ),
            analysis,
        ),
        evaluate_governance=EvaluateGovernance(unit_of_work, analysis, clock),
        overview=overview,
        curate_entities=CurateEntities(JobFrame(queued, clock, "Looking through the entities"), model),
        start_enrichment=StartEnrichment(unit_of_work, retrieve, model, searches, clock, ids),
        enrichments=ReadEnrichments(unit_of_work),
        run_enrichment=RunEnrichment(
            JobFrame(queued, clock, "The enrichment"),
            searches,
            page_reader,
            ImportSources(queued, cut, detector, clock, ids),
            apply_queued,
            retrieve_queued,
            model,
            analysis,
        ),
        start_translation=StartTranslation(
            unit_of_work, objects, uploads, detector, model, analysis, renderer, clock, ids
        ),
        translations=ReadTranslations(unit_of_work, clock),
        run_translation=RunTranslation(JobFrame(queued, clock, "The translation"), model, analysis, renderer),
        import_sources=ImportSources(unit_of_work, cut, detector, clock, ids),
        apply_index_changes=apply_changes,
        rebuild_index=RebuildIndex(unit_of_work, index, apply_changes),
        keep_index_fit=KeepIndexFit(queued, index, RebuildIndex(queued, index, apply_queued), clock),
        public=ReadPublic(unit_of_work, renderer),
        request_alerts=RequestAlerts(unit_of_work, ValidatedAddresses(), mailer, alert_tokens, clock, ids, base),
        confirm_alerts=ConfirmAlerts(unit_of_work, alert_tokens, clock, ids),
        end_alerts=EndAlerts(unit_of_work, alert_tokens),
        send_alerts=SendAlerts(queued, mailer, alert_tokens, clock, ids, base),
        count_click=CountClick(unit_of_work, clock, lambda: token_bytes(32)),
        refresh_trends=RefreshTrends(
            queued,
            (
                *trend_finders,
                SearchedPages(searches, detector, clock, trend_searches),
                NewKnowledge(queued, countries, clock),
            ),
            ReadTexts(queued, page_reader, clock),
            analysis,
            renderer,
            clock,
            trends_every,
        ),
        checks={"database": database_answers, "index": index.check, "objects": objects.check},
        wake_ups=wake_ups,
        identity_changes=identity_changes,
        agent_event_wake_ups=agent_event_wake_ups,
        public_url=public_url,
        telemetry=telemetry,
    )
