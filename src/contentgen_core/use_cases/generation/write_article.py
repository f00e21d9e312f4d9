"""The generation pipeline: retrieve → plan → draft sections concurrently → check grounding → assemble. Each stage ends
in a checkpoint."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from attrs import evolve, field

from contentgen_core.concurrency import run_concurrently
from contentgen_core.errors import BudgetExceeded, InvalidInput, ProviderFailed
from contentgen_core.model.article import Article, ArticleStatus, Brief, ProviderWait, Usage
from contentgen_core.model.article_plan import ArticlePlan, SourceRef
from contentgen_core.model.article_version import VersionCause
from contentgen_core.model.budget import Spending
from contentgen_core.model.drafting import DraftSentence, SectionDraft
from contentgen_core.model.grounding import SentenceReceipt
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.job import Job
from contentgen_core.model.knowledge import KbView, Passage, RankedPassage
from contentgen_core.model.model_batch import PLAN, ModelAnswer, PartState
from contentgen_core.model.tenant import Quota
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import LENGTHS, Processing
from contentgen_core.model.voice import ChosenVoice
from contentgen_core.model.webhook import WebhookEventType
from contentgen_core.model.writing import MAX_STAGE_HEADING, EndedWriting, Stage, StageRecord
from contentgen_core.policies.articles.assembly import compose
from contentgen_core.policies.articles.own_words import NOTHING_LEFT, says_anything
from contentgen_core.policies.coverage.named_things import without_unwritten
from contentgen_core.policies.coverage.of_article import article_coverage, sources_on_topic, within_coverage
from contentgen_core.policies.grounding.context import Context, in_context
from contentgen_core.policies.grounding.evidence import ParsedPassages
from contentgen_core.policies.grounding.named_things import named_things
from contentgen_core.policies.grounding.verifier import Receipts, Verifier
from contentgen_core.policies.tenancy.budgets import parts_of
from contentgen_core.policies.text.remembered import RememberedAnalysis
from contentgen_core.policies.voice.deviations import deviations
from contentgen_core.ports.batched_model import BatchedModel
from contentgen_core.ports.content_model import ContentModel, PlanRequest, SectionRequest
from contentgen_core.ports.entailment import EntailmentModel
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.ports.repositories.articles import Articles, Generations
from contentgen_core.ports.repositories.free_articles import FreeArticles
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.model_batches import ModelBatches
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.ports.repositories.writing_months import WritingMonths
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.articles.batched_parts import forget_parts
from contentgen_core.use_cases.articles.languages import WritingLanguages
from contentgen_core.use_cases.articles.private_docs import retrieve_sources
from contentgen_core.use_cases.articles.section_requests import section_requests
from contentgen_core.use_cases.budgets.keep_budgets import KeepBudgets, Payer, settle, spend
from contentgen_core.use_cases.context import niche_brief
from contentgen_core.use_cases.generation.batched_models import COLLECT, LOOK_EVERY, BatchedModels
from contentgen_core.use_cases.generation.lost_calls import counting_lost_calls
from contentgen_core.use_cases.generation.repetitions import drop_repetitions
from contentgen_core.use_cases.generation.support import supported_draft
from contentgen_core.use_cases.grounding.checking import check
from contentgen_core.use_cases.grounding.meaning import Meaning
from contentgen_core.use_cases.grounding.plan_texts import supported_plan
from contentgen_core.use_cases.jobs import AttemptRunner, JobFailed, JobLost, subject_of
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.versions.keep_versions import keep_version
from contentgen_core.use_cases.webhooks.events import record_article_event

SECTIONS_AT_ONCE = 4
RETRIEVED, PLANNED, DRAFTED = 10, 25, 90  # progress in percent at the end of each stage


@use_case
class WriteArticle:
    """The job GENERATE_ARTICLE. `entailment`: judges what the rules of the grounding check leave open; `meaning`: tells
    it how near sentences are to what they cite; `languages`: which passages the model can write from; `batched`: asks
    for parts that are not in a hurry, where a vendor of batches writes."""

    runner: AttemptRunner
    retrieve: Retrieve
    model: ContentModel
    analysis: TextAnalysis
    renderer: ArticleRenderer
    entailment: EntailmentModel | None = None
    meaning: Meaning | None = None
    languages: WritingLanguages = field(factory=WritingLanguages)
    budgets: KeepBudgets = field(factory=KeepBudgets)
    batched: BatchedModels | None = None

    async def __call__(self, job: Job) -> None:
        """Bring the article of a claimed job to `generated` or `failed`, or the job back into the queue.

        Raises only Unavailable, while the database is unavailable; the lease then runs out."""
        await self.runner.run(job, counting_lost_calls(self.runner, self._run), self._fail, self._show_wait)

    async def _run(self, job: Job) -> None:
        async with self.runner.unit_of_work() as tx:  # no fence: nothing is written here
            article = await self._article(tx, job)
            sources = await tx[Generations].sources(article.id)
            drafts = await tx[Generations].drafts(article.id)
            niche = await tx[Niches].get(article.tenant_id, article.niche_key)
        if sources is None:
            sources, article = await self._retrieve_stage(job, article)
        if article.plan is None:
            planned = await self._plan_stage(job, article, PlanRequest(article.brief, niche_brief(niche), sources))
            if planned is None:
                return
            article = planned
        plan = article.plan
        assert plan is not None
        by_ref = {source.ref: source.passage for source in sources}
        of_plan = await asyncio.to_thread(section_requests, article.brief, plan, by_ref)
        requests = [request for request in of_plan if request.position not in drafts]
        writer = None if self.batched is None else self.batched.writer
        answers = await self._answers(
            job, article, writer, lambda model: {r.position: model.section_question(r) for r in requests}
        )
        if answers is None:
            return
        parsed = ParsedPassages(RememberedAnalysis(self.analysis))
        receipts = await self._draft_stage(job, article, requests, drafts, parsed, answers)
        await self._assemble_stage(job, article.brief, plan, by_ref, drafts, receipts, parsed)

    async def _retrieve_stage(self, job: Job, article: Article) -> tuple[tuple[RankedPassage, ...], Article]:
        begun = self.runner.clock.now()
        async with self.runner.unit_of_work() as tx:
            view = await _view_of(tx, article)
        limit = LENGTHS[article.brief.length].passages
        found, coverage = await retrieve_sources(self.retrieve, view, article.brief, limit)
        sources = sources_on_topic(found, coverage, article.brief.document_ids)
        try:
            sources = self.languages.usable(sources, article.brief.language)
        except InvalidInput as error:
            raise JobFailed(error.detail) from error
        async with self.runner.fenced(job) as tx:
            article = await self._article(tx, job)
            article = await tx[Articles].save(evolve(article, coverage=article_coverage(coverage), progress=RETRIEVED))
            await tx[Generations].save_sources(article.id, sources)
            await tx[Generations].record(article.id, self._end_stage(job, Stage.SOURCES, begun))
        return sources, article

    async def _plan_stage(self, job: Job, article: Article, request: PlanRequest) -> Article | None:
        """The article with its plan. None: the job waits for that, back in the queue."""
        planner = None if self.batched is None else self.batched.planner
        answers = await self._answers(job, article, planner, lambda model: {PLAN: model.plan_question(request)})
        if answers is None:
            return None
        begun = self.runner.clock.now()
        request = evolve(request, vectors=await self.retrieve.vectors_of(request.sources))
        if planner is not None and (answer := answers.get(PLAN)) is not None:
            planned = await planner.read_plan(request, answer)
        else:
            if article.brief.processing is Processing.BATCH:
                await self._reserve_at_once(article)
            planned = await self.model.plan(request)
        planned = await supported_plan(planned, article.brief, request.sources, self.analysis, self.meaning)
        return await self._save_plan(job, planned.value, planned.usage, begun)

    async def _answers(
        self,
        job: Job,
        article: Article,
        model: BatchedModel | None,
        questions: Callable[[BatchedModel], Mapping[int, str]],
    ) -> Mapping[int, ModelAnswer] | None:
        """Return the answers of a batch, by position. None: the job waits for one, back in the queue."""
        if self.batched is None or model is None or article.brief.processing is not Processing.BATCH:
            return {}
        async with self.runner.unit_of_work() as tx:
            parts = await tx[ModelBatches].parts(article.id)
        if not parts and (asked := await asyncio.to_thread(questions, model)):
            async with self.runner.fenced(job) as tx:
                now = self.runner.clock.now()
                await self.batched.ask(tx, article, model, asked, now)
                await tx[Jobs].postpone(job, now + COLLECT + LOOK_EVERY)
            return None
        if any(part.state is PartState.WAITING for part in parts.values()):
            async with self.runner.fenced(job) as tx:
                await tx[Jobs].postpone(job, self.runner.clock.now() + LOOK_EVERY)
            return None
        return {position: part.answer for position, part in parts.items() if part.answer is not None}

    async def _save_plan(self, job: Job, plan: ArticlePlan, usage: Usage, begun: datetime) -> Article:
        async with self.runner.fenced(job) as tx:
            article = await self._article(tx, job)
            planned = evolve(article, plan=plan, title=plan.title, usage=_add_usage(article, usage), progress=PLANNED)
            article = await tx[Articles].save(planned)
            await self._show_progress(tx, job)
            await self._forget_batch(tx, article)
            await tx[Generations].record(article.id, self._end_stage(job, Stage.PLAN, begun, usage))
            await spend(tx, Payer.of_article(article), usage, self.runner.clock.now())
            return article

    async def _draft_stage(
        self,
        job: Job,
        article: Article,
        requests: Sequence[SectionRequest],
        drafts: dict[int, SectionDraft],
        parsed: ParsedPassages,
        answers: Mapping[int, ModelAnswer],
    ) -> Receipts:
        """Write the sections without a checkpoint, a few at a time, and return their receipts.

        `requests`: for them. `drafts`: those with a checkpoint, by position; completed in place. `parsed`: the
        article's passages. `answers`: those that a batch gave, by position."""
        slots = asyncio.Semaphore(SECTIONS_AT_ONCE)
        failures: list[ProviderFailed] = []
        total = len(requests) + len(drafts)
        unanswered = [r for r in requests if r.position not in answers]
        if total > parts_of(article.brief.length) or (unanswered and article.brief.processing is Processing.BATCH):
            await self._extend(article, drafts, len(requests))
        receipts: dict[DraftSentence, SentenceReceipt] = {}

        async def write(request: SectionRequest) -> None:
            async with slots:
                if failures:
                    return
                begun, first = self.runner.clock.now(), None
                if self.batched is not None and (answer := answers.get(request.position)) is not None:
                    first = await self.batched.writer.read_section(request, answer)
                try:
                    checked = await supported_draft(
                        self.model, request, parsed.analysis, self.entailment, {**receipts}, self.meaning, parsed, first
                    )
                except ProviderFailed as error:
                    failures.append(error)  # the sections under way are paid for: they end, and are kept
                    return
            draft = drafts[request.position] = checked.draft
            receipts.update(checked.receipts)
            written = self._end_stage(job, Stage.SECTION, begun, draft.usage, draft.heading)
            progress = PLANNED + (DRAFTED - PLANNED) * len(drafts) // total
            async with self.runner.unit_of_work() as tx:
                if not await tx[Generations].save_draft(job, article.id, request.position, draft, written, progress):
                    raise JobLost
            if job.waiting_since is not None:
                async with self.runner.fenced(job) as tx:
                    await self._show_progress(tx, job)
            if self.budgets.needs_more(article, _spending_of(drafts), len(drafts)) and len(drafts) < total:
                await self._extend(article, drafts, total - len(drafts))

        await run_concurrently(write(request) for request in requests)
        if failures:
            raise next((failure for failure in failures if not failure.retryable), failures[0])
        return receipts

    async def _forget_batch(self, tx: Transaction, article: Article) -> None:
        if article.brief.processing is Processing.BATCH:  # no other has asked for parts
            await tx[ModelBatches].forget(article.id)

    async def _reserve_at_once(self, article: Article) -> None:
        """Reserve the budget where an article is not planned in a batch after all. Raises JobFailed when the budget
        does not suffice."""
        try:
            async with self.runner.unit_of_work() as tx:
                await self.budgets.reserve_at_once(tx, article, self.runner.clock.now())
        except BudgetExceeded as error:
            raise JobFailed(error.detail) from error

    async def _extend(self, article: Article, drafts: Mapping[int, SectionDraft], left: int) -> None:
        """Extend the reservation where an article takes more than estimated. Raises JobFailed when the budget does not
        suffice."""
        try:
            async with self.runner.unit_of_work() as tx:
                await self.budgets.extend(tx, article, _spending_of(drafts), left, self.runner.clock.now())
        except BudgetExceeded as error:
            raise JobFailed(error.detail) from error

    async def _assemble_stage(
        self,
        job: Job,
        brief: Brief,
        plan: ArticlePlan,
        passages: Mapping[SourceRef, Passage],
        drafts: dict[int, SectionDraft],
        receipts: Receipts,
        parsed: ParsedPassages,
    ) -> None:
        """Check what has no receipt yet (sections of an earlier attempt, and what the model failed to judge), assemble
        and store the article."""
        begun = self.runner.clock.now()
        sentences = [sentence for position in sorted(drafts) for sentence in drafts[position].sentences]
        analysis = parsed.analysis
        verifier = Verifier(passages, analysis, parsed)
        receipts = await check(sentences, verifier, brief.language, self.entailment, receipts, self.meaning)
        faq = drafts.get(len(plan.sections))
        in_order = [drafts[position] for position in range(len(plan.sections))]
        sections = await drop_repetitions(in_order, passages, receipts, brief.language, analysis, self.meaning)
        context = Context.of(brief.topic, passages.values())
        shown = dict(enumerate([*sections, *([faq] if faq else [])]))
        if context.subjects.several:
            receipts = await asyncio.to_thread(in_context, context, plan, shown, receipts)
        things = await asyncio.to_thread(named_things, brief.topic, passages.values())
        composed = await asyncio.to_thread(compose, plan, sections, faq, passages, brief, analysis, receipts)
        if not says_anything(composed.content, brief.language):
            raise JobFailed(NOTHING_LEFT)
        deviating = None
        if brief.voice is not None:
            deviating = await asyncio.to_thread(self._deviations, brief.voice, brief, plan, [*shown.values()])
        now = self.runner.clock.now()
        async with self.runner.fenced(job) as tx:
            article = await self._article(tx, job)
            former, coverage = article, article.coverage
            if coverage is not None:
                coverage = without_unwritten(coverage, things, composed.sources)
            for draft in drafts.values():
                article = evolve(article, usage=_add_usage(article, draft.usage))
            article = evolve(
                article,
                content=composed.content,
                excerpt=composed.excerpt,
                sources=composed.sources,
                coverage=coverage,
                grounding=within_coverage(composed.grounding, coverage),
                seo=composed.seo,
                word_count=composed.word_count,
                voice_deviations=deviating,
                slug=(article.slug if article.is_public else None) or self.renderer.slug(article.title),
            )
            article = article.moved_to(ArticleStatus.GENERATED, now)
            await keep_version(tx, article, VersionCause.GENERATED, article.created_by, former=former)
            article = await tx[Articles].save(article)
            await record_article_event(tx, WebhookEventType.ARTICLE_GENERATED, article, now)
            await tx[Generations].clear_drafts(article.id)
            await self._forget_batch(tx, article)
            await tx[Generations].record(article.id, self._end_stage(job, Stage.CHECK, begun))
            await tx[Jobs].finish(job)
            # Sums of all that the tenant has written: until the commit, others wait to add to them.
            await tx[WritingMonths].add(EndedWriting.of(article, now))
            await settle(tx, article, [draft.usage for draft in drafts.values()], now)

    def _deviations(
        self, voice: ChosenVoice, brief: Brief, plan: ArticlePlan, drafts: Sequence[SectionDraft]
    ) -> tuple[str, ...]:
        headings = (plan.title, *(draft.heading for draft in drafts), *(entry.question for entry in plan.faq))
        paragraphs = [[s.text for s in paragraph.sentences] for draft in drafts for paragraph in draft.paragraphs]
        return deviations(voice, brief.language, self.analysis, headings, paragraphs)

    async def _show_wait(self, tx: Transaction, job: Job, wait: ProviderWait) -> None:
        await tx[Articles].set_waiting(job.tenant_id, ArticleId(job.subject_id), wait)

    async def _show_progress(self, tx: Transaction, job: Job) -> None:
        """Show no longer that the article waits, once the provider that was away gave a new part."""
        if await self.runner.progressed(tx, job):
            await tx[Articles].set_waiting(job.tenant_id, ArticleId(job.subject_id), None)

    async def _fail(self, tx: Transaction, job: Job, reason: str) -> None:
        """Fail the article and refund its quota: once, since a failed article has no `quota_window`."""
        article = await self._article(tx, job)
        if article.quota_window is not None:
            await tx[Quotas].refund(article.tenant_id, Quota.ARTICLES, article.quota_window)
        elif article.is_free_generation:
            # Counted for a visitor and not for a tenant: the day's count is refunded, and the topic is free for others
            # again.
            await tx[FreeArticles].refund(article.id)
            article = evolve(article, free_topic=None)
        drafts = await tx[Generations].drafts(article.id)
        used = [draft.usage for draft in drafts.values()] + await forget_parts(tx, article, drafts)
        for usage in used:
            article = evolve(article, usage=_add_usage(article, usage))
        now = self.runner.clock.now()
        article = evolve(article, error=reason, quota_window=None).moved_to(ArticleStatus.FAILED, now)
        await tx[Articles].save(article)
        await record_article_event(tx, WebhookEventType.ARTICLE_FAILED, article, now)
        await tx[Generations].clear_drafts(article.id)
        await tx[WritingMonths].add(EndedWriting.of(article, now))
        await settle(tx, article, used, now)

    def _end_stage(
        self, job: Job, stage: Stage, begun: datetime, usage: Usage | None = None, heading: str | None = None
    ) -> StageRecord:
        seconds = (self.runner.clock.now() - begun).total_seconds()
        return StageRecord(stage, begun, seconds, job.attempts, usage, heading and heading[:MAX_STAGE_HEADING])

    async def _article(self, tx: Transaction, job: Job) -> Article:
        found = tx[Articles].get(job.tenant_id, ArticleId(job.subject_id))
        return await subject_of(job, found, lambda article: article.status is ArticleStatus.GENERATING)


async def _view_of(tx: Transaction, article: Article) -> KbView:
    """The tenant's present view of the niche; a deactivated niche still serves articles that were requested before."""
    if article.agent_key is not None:
        return KbView(article.niche_key, article.tenant_id, frozenset({article.agent_key.country}))
    niche = await tx[Niches].get(article.tenant_id, article.niche_key)
    countries = frozenset(niche.activation.countries if niche.activation else ())
    return KbView(article.niche_key, article.tenant_id, countries)


def _add_usage(article: Article, usage: Usage) -> Usage:
    return article.usage.plus(usage) if article.usage else usage


def _spending_of(drafts: Mapping[int, SectionDraft]) -> Spending:
    return Spending.of(draft.usage for draft in drafts.values())
