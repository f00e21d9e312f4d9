"""POST /writer/generate-plan: a plan to review, or with autoValidate the generation at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from attrs import evolve, field, frozen

from contentgen_core.errors import Faults, TopicAlreadyGenerating
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.article import Article, Brief
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.coverage import REQUEST_LEVELS, ArticleCoverage, CoverageLevel, CoverageTooLow, WordForecast
from contentgen_core.model.ids import ArticleId, DocumentId, VoiceId
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.model.similar_article import SimilarArticle
from contentgen_core.model.tenant import Caller, Quota, Role
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import LENGTHS, PLAN_TONES, ArticleLength, Language, PrivateDocsMode, Tone
from contentgen_core.model.writing import Stage, StageRecord
from contentgen_core.policies.coverage.assessment import Enforcement, enforce
from contentgen_core.policies.coverage.of_article import article_coverage, sources_on_topic
from contentgen_core.policies.tenancy.access import check_length, check_mermaid, require_role
from contentgen_core.policies.topics.validation import check_keywords, check_topic, topic_key
from contentgen_core.ports.content_model import ContentModel, PlanRequest
from contentgen_core.ports.lost_usage import lost_if_failed, note_lost_usage
from contentgen_core.ports.repositories.articles import Articles, Generations
from contentgen_core.ports.repositories.documents import Documents
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.articles.admission import Admission, Admitted, ReplacedDraft
from contentgen_core.use_cases.articles.forecast import ForecastWords
from contentgen_core.use_cases.articles.languages import WritingLanguages
from contentgen_core.use_cases.articles.private_docs import (
    ChosenDocuments,
    check_documents,
    chosen_documents,
    private_views,
    retrieve_sources,
)
from contentgen_core.use_cases.articles.similar import FindSimilar, SimilarTo
from contentgen_core.use_cases.articles.without_effect import IgnoredFields, WithoutEffect
from contentgen_core.use_cases.budgets.keep_budgets import KeepBudgets, Payer
from contentgen_core.use_cases.budgets.lost_calls import count_lost_calls
from contentgen_core.use_cases.context import WritingContext, check_switched_on, context_of_agent
from contentgen_core.use_cases.grounding.meaning import Meaning
from contentgen_core.use_cases.grounding.plan_texts import supported_plan
from contentgen_core.use_cases.idempotency import IdempotencyKey, previous_result
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_core.use_cases.quota import check_left
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.voices.choose import chosen_voice
from contentgen_core.use_cases.while_there import while_there

MAX_DOCUMENTS = 10
MAX_COVERAGE_SOURCES = 100


@frozen
class PlanArticleCommand:
    """`language`: None: the agent's, else the knowledge base's. `coverage_level`: a level in either vocabulary;
    `coverage_sources`: passages that the client names, which are looked up again since they are untrusted; `voice_id`:
    None takes the default of the language; `replaced`: the draft that goes in the same moment."""

    caller: Caller
    agent_key: str
    topic: str | None = None
    tone: Tone = Tone.PROFESSIONAL
    language: Language | None = None
    keywords: tuple[str, ...] = ()
    length: ArticleLength = ArticleLength.STANDARD
    auto_validate: bool = False
    include_mermaid: bool = False
    private_docs_mode: PrivateDocsMode = PrivateDocsMode.DISABLED
    document_ids: tuple[DocumentId, ...] = ()
    coverage_level: str | None = None
    coverage_sources: tuple[SourceRef, ...] = ()
    allow_low_coverage: bool = False
    voice_id: VoiceId | None = None
    idempotency: IdempotencyKey | None = None
    replaced: ReplacedDraft | None = None


@frozen
class Planned:
    """`article`: generating if the plan was validated automatically, else a draft with its plan. `sources`: the
    passages planned from. `forecast`: the words that they carry by the plan; None without one. `documents`: what became
    of the documents that were chosen; None where none was. `without_effect`: what was asked for in vain.
    `similar`: while the plan awaits its review, articles that already answer the topic, or a part of it."""

    article: Article
    sources: tuple[RankedPassage, ...]
    forecast: WordForecast | None = None
    documents: ChosenDocuments | None = None
    without_effect: WithoutEffect | None = None
    similar: tuple[SimilarArticle, ...] = ()


@use_case
class PlanArticle:
    unit_of_work: UnitOfWork
    retrieve: Retrieve
    model: ContentModel
    admission: Admission
    clock: Clock
    analysis: TextAnalysis
    forecast: ForecastWords
    similar: FindSimilar
    languages: WritingLanguages = field(factory=WritingLanguages)
    ignored_fields: IgnoredFields = field(factory=IgnoredFields)
    budgets: KeepBudgets = field(factory=KeepBudgets)
    meaning: Meaning | None = None

    async def __call__(self, command: PlanArticleCommand) -> Planned:
        """Plan an article; consumes one article of the month's quota.

        Raises InvalidInput, NotPermitted, PlanForbids, QuotaExceeded, BudgetExceeded, NotFound, AgentSwitchedOff,
        TopicAlreadyGenerating, IdempotencyKeyReused, CoverageTooLow, ProviderFailed, NotConfigured, and for a replaced
        draft NoPlanAwaitingReview and EditOvertaken; then nothing is consumed."""
        caller = command.caller
        topic, keywords, agent_key = self._check_command(command)
        self._check_permission(command)
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            earlier = await previous_result(tx, caller.tenant_id, command.idempotency, now)
            if earlier is None:
                await check_left(tx, caller, Quota.ARTICLES, now)
                context = await context_of_agent(tx, caller.tenant_id, agent_key)
                check_switched_on(context)
                await check_documents(tx, caller.tenant_id, command.document_ids)
                private = private_views(caller.tenant_id, command.private_docs_mode, command.document_ids)
                language = await self.languages.chosen(tx, context, command.language, private)
                voice = await chosen_voice(tx, caller.tenant_id, command.voice_id, language)
                going = command.auto_validate and topic is not None
                if going and await tx[Articles].is_generating(caller.tenant_id, topic_key(topic or "")):
                    raise TopicAlreadyGenerating()
        if earlier is not None:
            return await self._earlier(caller, ArticleId(earlier))
        brief = Brief(
            topic=topic or await self.admission.suggest_topic(caller, context, language),
            language=language,
            tone=command.tone,
            length=command.length,
            keywords=keywords,
            include_mermaid=command.include_mermaid,
            private_docs_mode=command.private_docs_mode,
            document_ids=command.document_ids,
            voice=voice,
        )
        sources, coverage = await self._sources(command, context, brief)
        admit = partial(
            self.admission.admit,
            caller,
            context,
            brief,
            idempotency=command.idempotency,
            sources=sources,
            coverage=coverage,
            replaced=command.replaced,
        )
        if command.auto_validate:
            admitted = await admit()
        else:
            payer = Payer(caller.tenant_id, agent_key, self.admission.ids.new())
            async with count_lost_calls(self.unit_of_work, self.clock, payer):
                try:
                    admitted = await self._plan_and_admit(command, context, brief, sources, payer, admit)
                except BaseException:
                    await self.budgets.release(self.unit_of_work, payer, now)
                    raise
        if admitted.earlier:
            return await self._earlier(caller, admitted.article.id)
        return await self._planned_article(admitted.article, sources)

    async def _plan_and_admit(
        self,
        command: PlanArticleCommand,
        context: WritingContext,
        brief: Brief,
        sources: tuple[RankedPassage, ...],
        payer: Payer,
        admit: Callable[..., Awaitable[Admitted]],
    ) -> Admitted:
        """Ask the model for a plan, and admit the article with it."""
        begun = self.clock.now()
        async with self.unit_of_work() as tx:
            agent_key, length = AgentKey.parse(command.agent_key), command.length
            await self.budgets.reserve_plan(tx, payer.tenant_id, agent_key, length, payer.reservation, begun)
        vectors = await self.retrieve.vectors_of(sources)
        request = PlanRequest(brief, context.niche_brief, sources, vectors)
        answer = await while_there(self.model.plan(request), partial(self._check, command))
        with lost_if_failed([answer.usage]):
            answer = await supported_plan(answer, brief, sources, self.analysis, self.meaning)
            took = (self.clock.now() - begun).total_seconds()
            planning = StageRecord(Stage.PLAN, begun, took, 0, answer.usage)
            admitted = await admit(
                plan=answer.value, usage=answer.usage, planning=planning, reservation=payer.reservation
            )
        if admitted.earlier:  # another request with the same key was faster
            note_lost_usage(answer.usage)
        return admitted

    async def _check(self, command: PlanArticleCommand) -> None:
        """Check that the plan still has a place. Raises NotFound where the agent, or the draft to replace, is gone."""
        tenant_id = command.caller.tenant_id
        async with self.unit_of_work() as tx:
            await context_of_agent(tx, tenant_id, AgentKey.parse(command.agent_key))
            if command.replaced is not None:
                await tx[Articles].listed(tenant_id, command.replaced.id)

    def _check_command(self, command: PlanArticleCommand) -> tuple[str | None, tuple[str, ...], AgentKey]:
        faults = Faults()
        agent_key = faults.checked(AgentKey.parse, command.agent_key)
        topic = None if command.topic is None else faults.checked(check_topic, command.topic)
        keywords = faults.checked(check_keywords, command.keywords)
        if command.tone not in PLAN_TONES:
            faults.add("tone", f"one of {', '.join(sorted(PLAN_TONES))}")
        if len(command.document_ids) > MAX_DOCUMENTS:
            faults.add("documentIds", f"at most {MAX_DOCUMENTS}")
        if command.document_ids and command.private_docs_mode is not PrivateDocsMode.MANUAL:
            faults.add("documentIds", "goes with privateDocsMode manual only")
        if command.private_docs_mode is PrivateDocsMode.MANUAL and not command.document_ids:
            faults.add("documentIds", "privateDocsMode manual needs at least one")
        if len(command.coverage_sources) > MAX_COVERAGE_SOURCES:
            faults.add("coverageSources", f"at most {MAX_COVERAGE_SOURCES}")
        if command.coverage_level is not None and command.coverage_level not in REQUEST_LEVELS:
            faults.add("coverageLevel", f"one of {', '.join(REQUEST_LEVELS)}")
        faults.require_none()
        return topic, keywords, agent_key

    def _check_permission(self, command: PlanArticleCommand) -> None:
        require_role(command.caller, Role.EDITOR)
        check_length(command.caller.plan, command.length)
        if command.include_mermaid:
            check_mermaid(command.caller.plan)

    async def _sources(
        self, command: PlanArticleCommand, context: WritingContext, brief: Brief
    ) -> tuple[tuple[RankedPassage, ...], ArticleCoverage]:
        """The passages to plan from, and the coverage of the topic, which no client's word changes. Raises
        CoverageTooLow."""
        limit = LENGTHS[brief.length].passages
        # The client's passages come from the niche alone: with private documents there is more to search.
        shown = command.coverage_sources if brief.private_docs_mode is PrivateDocsMode.DISABLED else ()
        named = await self.retrieve.named(context.view, brief.topic, shown, limit)
        found, coverage = await retrieve_sources(self.retrieve, context.view, brief, limit)
        admitted = coverage
        # The client's level is accepted for the passages it named, or where our own search finds something too.
        if command.coverage_level is not None and (named.ranked or coverage.level is not CoverageLevel.INSUFFICIENT):
            admitted = evolve(coverage, level=REQUEST_LEVELS[command.coverage_level])
        if enforce(admitted.level, command.allow_low_coverage, command.caller.plan) is Enforcement.BLOCKED:
            raise CoverageTooLow(
                f"The knowledge base covers this topic too little (level {admitted.level}). "
                "Enrich it, choose another topic, or allow low coverage.",
                admitted,
            )
        ranked = named.ranked or found
        sources = sources_on_topic(ranked, coverage, brief.document_ids)
        return self.languages.usable(sources, brief.language), article_coverage(coverage)

    async def _earlier(self, caller: Caller, article_id: ArticleId) -> Planned:
        """The answer to an earlier request with the same key, as it would be now."""
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(caller.tenant_id, article_id)
            sources = await tx[Generations].sources(article_id)
        return await self._planned_article(article, sources or ())

    async def _planned_article(self, article: Article, sources: Sequence[RankedPassage]) -> Planned:
        async with self.unit_of_work() as tx:
            held = await tx[Documents].named(article.tenant_id, article.brief.document_ids)
        forecast: WordForecast | None = None
        similar: tuple[SimilarArticle, ...] = ()
        if article.plan is not None and article.awaits_review:
            forecast = await self.forecast.of_plan(article.brief, article.plan, sources)
            asked = SimilarTo(article.brief.topic, sources, article.brief.language, leaving_out=article.id)
            similar = await self.similar.to(article.tenant_id, asked)
        documents = chosen_documents(article, sources, held, self.languages)
        in_vain = self.ignored_fields.of_request(article.brief.tone, article.brief.keywords)
        return Planned(article, tuple(sources), forecast, documents, in_vain, similar)
