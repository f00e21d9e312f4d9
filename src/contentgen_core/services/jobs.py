"""Jobs: the handlers of the work that use cases enqueue."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from attrs import frozen

from contentgen_core.model.job import Job, JobKind
from contentgen_core.services.shared import Shared
from contentgen_core.use_cases.agents.pick_topics import PickTopics
from contentgen_core.use_cases.agents.run import RunAgent
from contentgen_core.use_cases.agents.topic_sources import CoveredTopics, SuggestedTopics
from contentgen_core.use_cases.article_updates.refresh import RefreshArticles
from contentgen_core.use_cases.article_updates.translate_update import TranslateUpdate
from contentgen_core.use_cases.articles.languages import WritingLanguages
from contentgen_core.use_cases.conflicts.find_conflicts import FindConflicts
from contentgen_core.use_cases.documents.process import ProcessDocument
from contentgen_core.use_cases.enrichment.run import RunEnrichment
from contentgen_core.use_cases.generation.batched_models import BatchedModels
from contentgen_core.use_cases.generation.model_batch import RunModelBatch
from contentgen_core.use_cases.generation.publish_scheduled import PublishScheduled
from contentgen_core.use_cases.generation.write_article import WriteArticle
from contentgen_core.use_cases.host_places import HostPlaces
from contentgen_core.use_cases.index_now.submit import SubmitPages
from contentgen_core.use_cases.knowledge.chunk_document import SplitInThread
from contentgen_core.use_cases.knowledge.curate import CurateEntities
from contentgen_core.use_cases.publishing.deliver import DeliverPublication
from contentgen_core.use_cases.search_queries.answers import FindAnswers
from contentgen_core.use_cases.search_queries.console import ReadSearchConsole
from contentgen_core.use_cases.search_queries.map_queries import MapQueries
from contentgen_core.use_cases.sign_in.send_link import SendSignInLink
from contentgen_core.use_cases.synced_sources.follow import FollowItems
from contentgen_core.use_cases.synced_sources.moves import FollowMoves
from contentgen_core.use_cases.synced_sources.reading import ReadItems
from contentgen_core.use_cases.synced_sources.sync import SyncSource
from contentgen_core.use_cases.team.send import SendInvitation
from contentgen_core.use_cases.topic_coverage.compute import ComputeTopicCoverage
from contentgen_core.use_cases.topic_coverage.seeds import (
    ArticleTopics,
    EntityCommunities,
    KnowledgeTopics,
    NicheKeywords,
)
from contentgen_core.use_cases.translation.run import RunTranslation
from contentgen_core.use_cases.trends.topics import TrendingTopics
from contentgen_core.use_cases.webhooks.notice import SendWebhookNotice

JobHandler = Callable[[Job], Awaitable[None]]


@frozen(kw_only=True)
class JobHandlers:
    """The table from a job's kind to its handler: each field is named like a `JobKind`, so that `translate` handles
    jobs of `JobKind.TRANSLATE`."""

    generate_article: WriteArticle
    run_model_batch: RunModelBatch
    publish_scheduled: PublishScheduled
    enrich_topic: RunEnrichment
    process_document: ProcessDocument
    compute_topic_coverage: ComputeTopicCoverage
    curate_entities: CurateEntities
    publish: DeliverPublication
    send_invitation: SendInvitation
    execute_agent: RunAgent
    translate: RunTranslation
    sync_source: SyncSource
    refresh_articles: RefreshArticles
    find_conflicts: FindConflicts
    send_sign_in_link: SendSignInLink
    send_webhook_notice: SendWebhookNotice
    translate_update: TranslateUpdate
    map_queries: MapQueries
    submit_pages: SubmitPages

    def of(self, kind: JobKind) -> JobHandler:
        """Return the handler of jobs of this kind."""
        handler: JobHandler = getattr(self, kind.value)
        return handler

    @classmethod
    def compose(cls, shared: Shared) -> JobHandlers:
        p, runner, background = shared.ports, shared.runner, shared.background
        base = shared.options.public_url or ""
        return cls(
            generate_article=WriteArticle(
                runner("The generation", waits=True),
                shared.background_retrieve,
                p.model,
                p.analysis,
                p.renderer,
                p.entailment,
                shared.meaning,
                WritingLanguages(shared.options.crosses_languages),
                shared.budgets,
                _batched_models(shared),
            ),
            run_model_batch=RunModelBatch(runner("The batch"), _batched_models(shared)),
            publish_scheduled=PublishScheduled(background, shared.request_publication, p.clock),
            enrich_topic=_enrichment(shared),
            process_document=ProcessDocument(
                runner("The processing of the document"),
                p.objects,
                p.uploads,
                p.pages,
                p.splitter or SplitInThread(shared.chunk),
                p.detector,
                shared.background_apply,
                shared.retitle_document,
            ),
            compute_topic_coverage=_topic_coverage(shared),
            curate_entities=CurateEntities(runner("Looking through the entities", waits=True), p.model),
            publish=DeliverPublication(
                runner("The publishing"),
                p.targets,
                shared.connect,
                p.renderer,
                HostPlaces(p.clock, shared.options.calls_per_host),
            ),
            send_invitation=SendInvitation(runner("Sending the invitation"), p.mailer, p.invitation_tokens, base),
            send_sign_in_link=SendSignInLink(runner("Sending the link"), p.mailer, p.sign_in_tokens, base),
            execute_agent=_agent_run(shared),
            translate=RunTranslation(runner("The translation", waits=True), p.model, p.analysis, p.renderer),
            sync_source=_sync(shared),
            map_queries=_search_demand(shared),
            submit_pages=SubmitPages(runner("Telling search engines"), p.index_now),
            find_conflicts=FindConflicts(runner("The search for conflicts"), p.index, p.analysis, p.ids),
            refresh_articles=RefreshArticles(
                runner("Refreshing the articles"),
                shared.propose_update(background),
                shared.decide_update(background),
            ),
            translate_update=TranslateUpdate(
                runner("The translation of the update", waits=True),
                p.model,
                p.analysis,
                shared.apply_translation(background),
                shared.request_publication,
            ),
            send_webhook_notice=SendWebhookNotice(runner("Sending the notice of a disabled webhook"), p.mailer),
        )


def _batched_models(shared: Shared) -> BatchedModels | None:
    p = shared.ports
    if p.batched_planner is None or p.batched_model is None:
        return None
    return BatchedModels(p.batched_planner, p.batched_model, p.ids)


def _sync(shared: Shared) -> SyncSource:
    p, runner, imports = shared.ports, shared.runner("The sync"), shared.import_sources(shared.background)
    moves = FollowMoves(runner, imports)
    read = ReadItems(runner, imports, shared.background_apply, moves)
    follow = FollowItems(runner, p.sources, shared.source_secrets, moves, read)
    return SyncSource(runner, follow)


def _enrichment(shared: Shared) -> RunEnrichment:
    p = shared.ports
    return RunEnrichment(
        shared.runner("The enrichment", waits=True),
        p.searches,
        p.pages,
        shared.import_sources(shared.background),
        shared.background_apply,
        shared.background_retrieve,
        p.model,
        p.analysis,
    )


def _topic_coverage(shared: Shared) -> ComputeTopicCoverage:
    p, background = shared.ports, shared.background
    seeds = (
        NicheKeywords(),
        TrendingTopics(background, p.clock),
        ArticleTopics(background),
        EntityCommunities(shared.overview),
        KnowledgeTopics(background, p.model),
    )
    return ComputeTopicCoverage(
        shared.runner("The computation of the topic coverage"),
        shared.many_searches,
        seeds,
        p.analysis,
        shared.topic_meaning,
    )


def _search_demand(shared: Shared) -> MapQueries:
    p, meaning = shared.ports, shared.topic_meaning
    answers = FindAnswers(shared.background, p.analysis, meaning, shared.options.public_url)
    console = ReadSearchConsole(p.search_console, p.secret_box, p.clock, p.ids)
    runner = shared.runner("Looking at the queries")
    return MapQueries(runner, shared.many_searches, answers, console, p.analysis, meaning)


def _agent_run(shared: Shared) -> RunAgent:
    p, background = shared.ports, shared.background
    sources = (TrendingTopics(background, p.clock), CoveredTopics(background), SuggestedTopics(background, p.model))
    pick = PickTopics(background, shared.many_searches, sources, p.analysis, shared.topic_meaning)
    return RunAgent(shared.runner("The run of the agent", waits=True), pick, shared.admission, p.ids)
