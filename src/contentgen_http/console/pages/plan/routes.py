"""/console/articles/{id}/plan: read, change and approve a plan."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import InvalidInput
from contentgen_core.model.article_plan import ArticlePlan
from contentgen_core.model.ids import ArticleId
from contentgen_core.use_cases.articles.forecast_plan import ForecastedPlan, ForecastPlanCommand
from contentgen_core.use_cases.articles.start_from_plan import StartFromPlanCommand
from contentgen_http.console.page import Page
from contentgen_http.console.pages.plan.edited import plan_of
from contentgen_http.console.rendering import to
from contentgen_http.console.visit import Visit
from contentgen_http.requests import path_id


class PlanPage(Page):
    @get("/articles/{id:str}/plan")
    async def plan(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        article_id = ArticleId(path_id("article", id))
        article = await self.services.writing.articles.one(request.user.caller, article_id)
        if not article.awaits_review or article.plan is None:
            return to(f"/console/articles/{article.id}")
        asked = ForecastPlanCommand(request.user.caller, article_id)
        forecasted = await self.services.writing.forecast_plan(asked)
        return await self._page(request, forecasted, forecasted.plan)

    @post("/articles/{id:str}/plan", status_code=200)
    async def change(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """The plan as it was changed, which is kept, with its forecast; or, by the button that approves it, the article
        is written."""
        form = await self.form(request)
        caller, article_id = request.user.caller, ArticleId(path_id("article", id))
        article = await self.services.writing.articles.one(caller, article_id)
        if article.plan is None or not article.awaits_review:
            return to(f"/console/articles/{article.id}")
        plan = plan_of(form, article.plan)
        try:
            if form.text("do") == "approve":
                await self.services.writing.start_from_plan(StartFromPlanCommand(caller, article_id, plan))
                return to(f"/console/articles/{article_id}", "note-writing")
            kept = await self.services.writing.edit_plan(ForecastPlanCommand(caller, article_id, plan))
            return await self._page(request, kept, kept.plan)
        except InvalidInput as error:
            faults = {fault.field: fault.message for fault in error.errors}
            former = await self.services.writing.forecast_plan(ForecastPlanCommand(caller, article_id))
            return await self._page(request, former, plan, faults)

    async def _page(
        self, request: Visit, forecasted: ForecastedPlan, plan: ArticlePlan, faults: dict[str, str] | None = None
    ) -> Response[str]:
        """`plan`: as it was typed where it has faults."""
        article = forecasted.article
        passages = await self.services.writing.passages.of_plan(request.user.caller, article.id, plan)
        return self.show(
            request,
            "plan/page.html",
            status=400 if faults else 200,
            article=article,
            plan=plan,
            forecast=forecasted.forecast,
            gaps={gap.path: gap.reason for gap in forecasted.gaps},
            passages=passages,
            faults=faults or {},
        )
