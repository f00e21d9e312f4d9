"""POST /writer/generate-from-plan: write the article of a plan that a person reviewed and may have edited."""

from __future__ import annotations

from attrs import evolve, field, frozen

from contentgen_core.errors import AlreadyExists, ConcurrentChange, NoPlanAwaitingReview
from contentgen_core.model.article import Article
from contentgen_core.model.article_plan import ArticlePlan
from contentgen_core.model.ids import ArticleId, JobId
from contentgen_core.model.tenant import Caller, Quota, Role
from contentgen_core.model.webhook import WebhookEventType
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.policies.tenancy.quotas import month_window
from contentgen_core.ports.repositories.articles import Articles, Generations
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.articles.admission import enqueue_generation
from contentgen_core.use_cases.articles.edited_plan import EditedPlan, SeenPlan, apply_edited_plan, check_niche
from contentgen_core.use_cases.articles.look_up_plan import LookedUpPlan, LookUpPlan, PlanGap
from contentgen_core.use_cases.articles.without_effect import WithoutEffect
from contentgen_core.use_cases.budgets.keep_budgets import KeepBudgets
from contentgen_core.use_cases.idempotency import IdempotencyKey, previous_result, record_result
from contentgen_core.use_cases.quota import check_left, consume
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.webhooks.events import record_article_event


@frozen
class StartFromPlanCommand:
    """`plan`: the edited plan; None: the article's own. `seen`: the plan that a person has read; None: whatever it is
    now."""

    caller: Caller
    article_id: ArticleId
    plan: ArticlePlan | None = None
    niche_id: str | None = None
    idempotency: IdempotencyKey | None = None
    seen: SeenPlan | None = None


@frozen
class StartedFromPlan:
    """`gaps`: what the reviewer added and the knowledge base does not cover; `without_effect`: what was edited in vain;
    none where a request is repeated."""

    article: Article
    gaps: tuple[PlanGap, ...] = ()
    without_effect: WithoutEffect | None = None


@use_case
class StartFromPlan:
    unit_of_work: UnitOfWork
    look_up: LookUpPlan
    clock: Clock
    ids: Ids
    budgets: KeepBudgets = field(factory=KeepBudgets)

    async def __call__(self, command: StartFromPlanCommand) -> StartedFromPlan:
        """The article, generating. What a reviewer added without sources gets those that the knowledge base has.

        Raises InvalidInput (each fault of the plan), NotPermitted, QuotaExceeded, BudgetExceeded, NotFound,
        NoPlanAwaitingReview, TopicAlreadyGenerating, EditOvertaken, ConcurrentChange, IdempotencyKeyReused; then
        nothing is consumed."""
        require_role(command.caller, Role.EDITOR)
        looked_up = await self._look_up(command)
        try:
            article = await self._start(command, looked_up)
        except AlreadyExists:  # another request with this key was faster: now its result is recorded
            article = await self._start(command, looked_up)
        if looked_up is None:
            return StartedFromPlan(article)
        return StartedFromPlan(article, looked_up.gaps, looked_up.without_effect)

    async def _look_up(self, command: StartFromPlanCommand) -> LookedUpPlan | None:
        """Look up the additions of an edited plan; None for an unchanged plan, and for an article that cannot be
        written from one."""
        if command.plan is None:
            return None
        async with self.unit_of_work() as tx:
            earlier = await previous_result(tx, command.caller.tenant_id, command.idempotency, self.clock.now())
            article = await tx[Articles].get(command.caller.tenant_id, ArticleId(earlier or command.article_id))
            if earlier is not None or not article.awaits_review:
                return None
            await check_niche(tx, command.caller, command.niche_id, article)
            if article.quota_window is None:
                await check_left(tx, command.caller, Quota.ARTICLES, self.clock.now())
            edited = await EditedPlan.read(tx, command.caller, article, command.plan)
        edited.check(article)
        return await self.look_up(article.brief, edited.plan, article.plan, edited.view)

    async def _start(self, command: StartFromPlanCommand, looked_up: LookedUpPlan | None) -> Article:
        caller, now = command.caller, self.clock.now()
        async with self.unit_of_work() as tx:
            earlier = await previous_result(tx, caller.tenant_id, command.idempotency, now)
            article = await tx[Articles].get(caller.tenant_id, ArticleId(earlier or command.article_id))
            if earlier is not None:
                return article
            await check_niche(tx, caller, command.niche_id, article)
            if not article.awaits_review:
                raise NoPlanAwaitingReview()
            if command.plan is not None and looked_up is None:  # it awaits its review again
                raise ConcurrentChange.of("article")
            await record_result(tx, caller.tenant_id, command.idempotency, article.id, now)
            if looked_up is not None:
                article = await apply_edited_plan(tx, caller, article, looked_up, command.seen)
            elif command.seen is not None:
                command.seen.check(article)
            if article.quota_window is None:
                await consume(tx, caller, Quota.ARTICLES, now)
                article = evolve(article, quota_window=month_window(now))
            await tx[Generations].clear_drafts(article.id)
            article = await enqueue_generation(tx, article, JobId(self.ids.new()), now)
            saved = await tx[Articles].save(article)
            await self.budgets.reserve(tx, saved, now)
            await record_article_event(tx, WebhookEventType.PLAN_APPROVED, saved, now)
            return saved
