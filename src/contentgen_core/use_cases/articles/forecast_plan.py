"""POST /writer/forecast-plan: how long the article of an edited plan would be, before anything is consumed."""

from __future__ import annotations

from attrs import frozen

from contentgen_core.errors import NoPlanAwaitingReview
from contentgen_core.model.article import Article
from contentgen_core.model.article_plan import ArticlePlan
from contentgen_core.model.coverage import WordForecast
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.articles.edited_plan import EditedPlan, SeenPlan, check_niche
from contentgen_core.use_cases.articles.forecast import ForecastWords
from contentgen_core.use_cases.articles.look_up_plan import LookedUpPlan, LookUpPlan, PlanGap
from contentgen_core.use_cases.articles.without_effect import WithoutEffect
from contentgen_core.use_cases.use_case import use_case


@frozen
class ForecastPlanCommand:
    """`plan`: the edited plan; None: the article's own. `seen`: the plan that was edited, where it is to be kept; None:
    whatever it is now."""

    caller: Caller
    article_id: ArticleId
    plan: ArticlePlan | None = None
    niche_id: str | None = None
    seen: SeenPlan | None = None


@frozen
class ForecastedPlan:
    """`looked_up`: the plan with the sources that its additions would get; `sources`: all that it may rest on."""

    article: Article
    looked_up: LookedUpPlan
    forecast: WordForecast
    sources: tuple[RankedPassage, ...]

    @property
    def plan(self) -> ArticlePlan:
        return self.looked_up.plan

    @property
    def gaps(self) -> tuple[PlanGap, ...]:
        return self.looked_up.gaps

    @property
    def without_effect(self) -> WithoutEffect | None:
        return self.looked_up.without_effect


@use_case
class ForecastPlan:
    unit_of_work: UnitOfWork
    look_up: LookUpPlan
    forecast: ForecastWords

    async def __call__(self, command: ForecastPlanCommand) -> ForecastedPlan:
        """Forecast the article of this plan. Stores and consumes nothing. Raises InvalidInput (each fault of the plan),
        NotPermitted, NotFound, NoPlanAwaitingReview, and what `Retrieve` raises."""
        caller = command.caller
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(caller.tenant_id, command.article_id)
            await check_niche(tx, caller, command.niche_id, article)
            if not article.awaits_review or article.plan is None:
                raise NoPlanAwaitingReview()
            edited = await EditedPlan.read(tx, caller, article, command.plan or article.plan)
        if command.plan is not None:
            edited.check(article)
        looked_up = await self.look_up(article.brief, edited.plan, article.plan, edited.view)
        given = (RankedPassage(passage, 0.0, 0.0, 0.0) for passage in edited.passages.values())
        sources = (*given, *looked_up.found.values())
        forecast = await self.forecast.of_plan(article.brief, looked_up.plan, sources)
        return ForecastedPlan(article, looked_up, forecast, sources)
