"""POST /writer/generate: write an article on a topic, without a review of its plan."""

from __future__ import annotations

import asyncio

from attrs import field, frozen

from contentgen_core.errors import Faults, TopicAlreadyGenerating
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.article import Brief
from contentgen_core.model.coverage import ArticleCoverage, CoverageTooLow
from contentgen_core.model.ids import ArticleId, VoiceId
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.model.tenant import Caller, Quota, Role
from contentgen_core.model.vocabulary import DIRECT_TONES, LENGTHS, Language, Tone
from contentgen_core.policies.coverage.assessment import Enforcement, enforce
from contentgen_core.policies.coverage.of_article import article_coverage, sources_on_topic
from contentgen_core.policies.tenancy.access import check_mermaid, require_role
from contentgen_core.policies.topics.validation import check_keywords, check_topic, topic_key
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.articles.admission import Admission
from contentgen_core.use_cases.articles.languages import WritingLanguages
from contentgen_core.use_cases.context import WritingContext, check_switched_on, context_of_niche
from contentgen_core.use_cases.idempotency import IdempotencyKey, previous_result
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_core.use_cases.quota import check_left
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.voices.choose import chosen_voice


@frozen
class GenerateArticleCommand:
    """`voice_id`: None takes the default of the language."""

    caller: Caller
    niche_id: str
    topic: str | None = None
    agent_key: str | None = None
    tone: Tone = Tone.PROFESSIONAL
    language: Language | None = None
    keywords: tuple[str, ...] = ()
    include_mermaid: bool = False
    voice_id: VoiceId | None = None
    idempotency: IdempotencyKey | None = None


@use_case
class GenerateArticle:
    unit_of_work: UnitOfWork
    retrieve: Retrieve
    admission: Admission
    clock: Clock
    languages: WritingLanguages = field(factory=WritingLanguages)

    async def __call__(self, command: GenerateArticleCommand) -> ArticleId:
        """Start an article; it is generating when this returns.

        Raises InvalidInput, NotPermitted, PlanForbids, QuotaExceeded, NotFound, AgentSwitchedOff,
        TopicAlreadyGenerating, IdempotencyKeyReused, CoverageTooLow (only with an agent key and a topic); then nothing
        is consumed."""
        caller = command.caller
        topic, keywords, agent_key = self._check_command(command)
        require_role(caller, Role.EDITOR)
        if command.include_mermaid:
            check_mermaid(caller.plan)
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            earlier = await previous_result(tx, caller.tenant_id, command.idempotency, now)
            if earlier is not None:
                return ArticleId(earlier)
            await check_left(tx, caller, Quota.ARTICLES, now)
            context = await context_of_niche(tx, caller.tenant_id, command.niche_id, agent_key)
            check_switched_on(context)
            language = await self.languages.chosen(tx, context, command.language)
            if topic is not None and await tx[Articles].is_generating(caller.tenant_id, topic_key(topic)):
                raise TopicAlreadyGenerating()
            voice = await chosen_voice(tx, caller.tenant_id, command.voice_id, language)
        brief = Brief(
            topic=topic or await self.admission.suggest_topic(caller, context, language),
            language=language,
            tone=command.tone,
            keywords=keywords,
            include_mermaid=command.include_mermaid,
            voice=voice,
        )
        sources, coverage = None, None
        if topic is not None and agent_key is not None:
            sources, coverage = await self._covered_sources(caller, context, brief)
        admitted = await self.admission.admit(
            caller, context, brief, idempotency=command.idempotency, sources=sources, coverage=coverage
        )
        return admitted.article.id

    def _check_command(self, command: GenerateArticleCommand) -> tuple[str | None, tuple[str, ...], AgentKey | None]:
        faults = Faults()
        if command.tone not in DIRECT_TONES:
            faults.add("tone", f"one of {', '.join(sorted(DIRECT_TONES))}")
        topic = None if command.topic is None else faults.checked(check_topic, command.topic)
        keywords = faults.checked(check_keywords, command.keywords)
        agent_key = None if command.agent_key is None else faults.checked(AgentKey.parse, command.agent_key)
        faults.require_none()
        return topic, keywords, agent_key

    async def _covered_sources(
        self, caller: Caller, context: WritingContext, brief: Brief
    ) -> tuple[tuple[RankedPassage, ...], ArticleCoverage]:
        retrieved = await self.retrieve(context.view, brief.topic, LENGTHS[brief.length].passages)
        coverage = await asyncio.to_thread(retrieved.coverage, brief.length)
        if enforce(coverage.level, False, caller.plan) is Enforcement.BLOCKED:
            raise CoverageTooLow(
                f"The knowledge base covers this topic too little (level {coverage.level}). "
                "Enrich it, or choose another topic.",
                coverage,
            )
        sources = sources_on_topic(retrieved.ranked, coverage)
        return self.languages.usable(sources, brief.language), article_coverage(coverage)
