"""Creating an article: quota, same-topic rule, idempotency and job in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import evolve, field, frozen

from contentgen_core.errors import AlreadyExists, InvalidInput, NoPlanAwaitingReview
from contentgen_core.model.article import Article, ArticleStatus, Brief, Usage
from contentgen_core.model.article_plan import ArticlePlan
from contentgen_core.model.coverage import ArticleCoverage
from contentgen_core.model.ids import ArticleId, JobId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.model.tenant import Caller, Quota
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.webhook import WebhookEventType
from contentgen_core.model.writing import StageRecord
from contentgen_core.policies.tenancy.quotas import month_window
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.ports.content_model import ContentModel
from contentgen_core.ports.repositories.articles import Articles, Generations
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.articles.edited_plan import SeenPlan
from contentgen_core.use_cases.articles.removal import remove_article
from contentgen_core.use_cases.budgets.keep_budgets import KeepBudgets, settle
from contentgen_core.use_cases.context import WritingContext
from contentgen_core.use_cases.idempotency import IdempotencyKey, previous_result, record_result
from contentgen_core.use_cases.quota import consume
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.webhooks.events import record_article_event

SUGGESTION_PASSAGES = 60
RECENT_TOPICS = 100


@use_case
class ReplacedDraft:
    """A draft in whose place another one comes. `seen`: its plan, as the person who replaces it has read it; None:
    whatever it is now."""

    id: ArticleId
    seen: SeenPlan | None = None

    async def remove(self, tx: Transaction, caller: Caller, now: datetime) -> None:
        """Raises NotFound, NoPlanAwaitingReview where it is no draft any more, EditOvertaken."""
        draft = await tx[Articles].get(caller.tenant_id, self.id)
        if not draft.awaits_review:
            raise NoPlanAwaitingReview()
        if self.seen is not None:
            self.seen.check(draft)
        await remove_article(tx, draft, now)


@frozen
class Admitted:
    """An article as it was created; `earlier`: by another request with the same key, which was faster."""

    article: Article
    earlier: bool = False


@use_case
class Admission:
    """Creates every article that counts against a tenant's quota."""

    unit_of_work: UnitOfWork
    model: ContentModel
    clock: Clock
    ids: Ids
    budgets: KeepBudgets = field(factory=KeepBudgets)

    async def admit(
        self,
        caller: Caller,
        context: WritingContext,
        brief: Brief,
        *,
        idempotency: IdempotencyKey | None,
        sources: Sequence[RankedPassage] | None,
        plan: ArticlePlan | None = None,
        usage: Usage | None = None,
        planning: StageRecord | None = None,
        coverage: ArticleCoverage | None = None,
        replaced: ReplacedDraft | None = None,
        reservation: str | None = None,
    ) -> Admitted:
        """Create an article: a draft awaiting review if `plan` is given, else generating. Consumes one article of the
        quota.

        `sources`: the passages to write from; None: retrieved by the job. `planning`: how the plan came about.
        `coverage`: of the topic. `replaced`: the draft in whose place the article comes. `reservation`: the id of what
        was reserved for the plan. Raises QuotaExceeded, BudgetExceeded, NotFound when the niche or that draft is
        deleted meanwhile, NoPlanAwaitingReview and EditOvertaken as `ReplacedDraft.remove`, TopicAlreadyGenerating,
        IdempotencyKeyReused; then nothing is consumed."""
        now = self.clock.now()
        article = evolve(self._new_article(caller, context, brief, plan, usage, now), coverage=coverage)
        job_id = None if plan else JobId(self.ids.new())
        try:
            async with self.unit_of_work() as tx:
                await record_result(tx, caller.tenant_id, idempotency, article.id, now)
                if replaced is not None:
                    await replaced.remove(tx, caller, now)
                article = await self._store(tx, caller, context, article, job_id, sources, now)
                if planning is not None:
                    await tx[Generations].record(article.id, planning)
                if reservation is not None:
                    await settle(tx, article, [] if usage is None else [usage], now, reservation)
                if plan is not None:
                    await record_article_event(tx, WebhookEventType.PLAN_CREATED, article, now)
        except AlreadyExists:
            async with self.unit_of_work() as tx:
                earlier = await previous_result(tx, caller.tenant_id, idempotency, now)
                if earlier is None:
                    raise
                return Admitted(await tx[Articles].get(caller.tenant_id, ArticleId(earlier)), earlier=True)
        return Admitted(article)

    async def admit_in(self, tx: Transaction, caller: Caller, context: WritingContext, brief: Brief) -> ArticleId:
        """Create a generating article in the caller's transaction.

        Raises QuotaExceeded, BudgetExceeded, NotFound when the niche is deleted meanwhile, TopicAlreadyGenerating."""
        now = self.clock.now()
        article = self._new_article(caller, context, brief, None, None, now)
        await self._store(tx, caller, context, article, JobId(self.ids.new()), None, now)
        return article.id

    async def _store(
        self,
        tx: Transaction,
        caller: Caller,
        context: WritingContext,
        article: Article,
        job_id: JobId | None,
        sources: Sequence[RankedPassage] | None,
        now: datetime,
    ) -> Article:
        """The article as it is stored."""
        await consume(tx, caller, Quota.ARTICLES, now)
        if context.niche.custom:
            await tx[Niches].lock(caller.tenant_id, article.niche_key)
        if job_id is not None:
            article = await enqueue_generation(tx, article, job_id, now)
        await tx[Articles].add(article)
        if job_id is not None:
            await self.budgets.reserve(tx, article, now)
        if sources is not None:
            await tx[Generations].save_sources(article.id, sources)
        return article

    def _new_article(
        self,
        caller: Caller,
        context: WritingContext,
        brief: Brief,
        plan: ArticlePlan | None,
        usage: Usage | None,
        now: datetime,
    ) -> Article:
        return Article(
            id=ArticleId(self.ids.new()),
            tenant_id=caller.tenant_id,
            niche_key=context.niche.niche_key,
            agent_key=context.agent_key,
            created_by=caller.user_id,
            brief=brief,
            topic_key=topic_key(brief.topic),
            title=plan.title if plan else brief.topic,
            status=ArticleStatus.DRAFT,
            plan=plan,
            usage=usage,
            quota_window=month_window(now),
            created_at=now,
            updated_at=now,
        )

    async def suggest_topic(self, caller: Caller, context: WritingContext, language: Language) -> str:
        """A topic for a caller who gave none, from the knowledge base. Raises InvalidInput when it offers no new
        one."""
        async with self.unit_of_work() as tx:
            passages = await tx[Knowledge].sample(context.view, SUGGESTION_PASSAGES)
            avoid = await tx[Articles].recent_topics(caller.tenant_id, context.niche.niche_key, RECENT_TOPICS)
        answer = await self.model.suggest_topics(context.niche_brief, passages, avoid, language, 1)
        if not answer.value:
            raise InvalidInput.of("topic", "give one: the knowledge base of this niche suggests no new topic")
        return answer.value[0].topic


async def enqueue_generation(tx: Transaction, article: Article, job_id: JobId, now: datetime) -> Article:
    """Enqueue the job that writes the article; returns the article as generating, for the caller to store."""
    job = Job(
        id=job_id,
        kind=JobKind.GENERATE_ARTICLE,
        tenant_id=article.tenant_id,
        subject_id=article.id,
        run_at=now,
    )
    await tx[Jobs].enqueue(job)
    return evolve(article.moved_to(ArticleStatus.GENERATING, now), job_id=job.id)
