"""/console/articles/{id}/plan: read, change and approve a plan, or have another one made."""

from __future__ import annotations

import re
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import ContentgenError, EditOvertaken, InvalidInput, NoPlanAwaitingReview
from contentgen_core.model.article import Article
from contentgen_core.model.article_plan import ArticlePlan
from contentgen_core.model.ids import ArticleId
from contentgen_core.use_cases.articles.admission import ReplacedDraft
from contentgen_core.use_cases.articles.forecast_plan import ForecastedPlan, ForecastPlanCommand
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from contentgen_core.use_cases.articles.start_from_plan import StartFromPlanCommand
from contentgen_http.api.requests import path_id
from contentgen_http.console.errors import sentence, status_of
from contentgen_http.console.faults import said_fault
from contentgen_http.console.page import Page
from contentgen_http.console.pages.plan.edited import Editing, plan_of, seen_plan, without_sources
from contentgen_http.console.rendering import to
from contentgen_http.console.sent_once import sent_once
from contentgen_http.console.visit import Form, Visit, texts_of
from contentgen_http.texts import Texts


class PlanPage(Page):
    @get("/articles/{id:str}/plan", slow=True)
    async def plan(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        article = await self._article(request, id)
        if not article.awaits_review or article.plan is None:
            return to(f"/console/articles/{article.id}")
        asked = ForecastPlanCommand(request.user.caller, article.id)
        forecasted = await self.services.writing.forecast_plan(asked)
        return await self._page(request, forecasted, forecasted.plan, Editing.begun(article.plan))

    @post("/articles/{id:str}/plan", status_code=200)
    async def change(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """The plan as it was changed, which is kept, with its forecast; or, by the button that approves it, the article
        is written."""
        form = await self.form(request)
        caller, article = request.user.caller, await self._article(request, id)
        if article.plan is None or not article.awaits_review:
            return await self._gone(request, article, form)
        plan, seen = plan_of(form, article.plan), seen_plan(form)
        writing = self.services.writing
        try:
            if form.text("do") == "approve":
                await writing.start_from_plan(StartFromPlanCommand(caller, article.id, plan, seen=seen))
                return to(f"/console/articles/{article.id}", "note-writing")
            kept = await writing.edit_plan(ForecastPlanCommand(caller, article.id, plan, seen=seen))
            return await self._page(request, kept, kept.plan, Editing.of(form, kept.article.plan))
        except InvalidInput as error:
            faults = {fault.field: said_fault(fault.message, texts_of(request)) for fault in error.errors}
            former = await writing.forecast_plan(ForecastPlanCommand(caller, article.id))
            return await self._page(request, former, plan, Editing.of(form), faults)
        except NoPlanAwaitingReview:  # approved since it was read above
            return await self._gone(request, await self._article(request, id), form)
        except EditOvertaken:
            former = await writing.forecast_plan(ForecastPlanCommand(caller, article.id))
            return await self._page(request, former, plan, Editing.of(form), theirs=former.plan)

    @get("/articles/{id:str}/plan/again")
    async def ask_for_another(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """Whether it is meant."""
        article = await self._article(request, id)
        if not article.awaits_review or article.agent_key is None:
            return to(f"/console/articles/{article.id}")
        return self.show(request, "plan/again.html", article=article, fault="")

    @post("/articles/{id:str}/plan/again", status_code=200, slow=True)
    @sent_once
    async def plan_again(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """Another plan of the same brief, from what the knowledge base has now, in the place of this one."""
        form = await self.form(request)
        caller, article = request.user.caller, await self._article(request, id)
        if not article.awaits_review or article.agent_key is None:
            return to(f"/console/articles/{article.id}")
        brief = article.brief
        command = PlanArticleCommand(
            caller,
            str(article.agent_key),
            topic=brief.topic,
            tone=brief.tone,
            language=brief.language,
            keywords=brief.keywords,
            length=brief.length,
            include_mermaid=brief.include_mermaid,
            private_docs_mode=brief.private_docs_mode,
            document_ids=brief.document_ids,
            allow_low_coverage=True,
            replaced=ReplacedDraft(article.id, seen_plan(form)),
        )
        try:
            planned = await self.services.writing.plan(command)
        except ContentgenError as error:
            fault, status = sentence(error, texts_of(request)), status_of(error)
            return self.show(request, "plan/again.html", status=status, article=article, fault=fault)
        return to(f"/console/articles/{planned.article.id}/plan", "note-planned")

    async def _article(self, request: Visit, id: str) -> Article:
        """Raises NotFound."""
        return await self.services.writing.articles.one(request.user.caller, ArticleId(path_id("article", id)))

    async def _gone(self, request: Visit, article: Article, form: Form) -> Response[Any]:
        """The form of a plan that awaits its review no more, with all that was typed, where the article has another."""
        former = article.plan or ArticlePlan("")
        typed, in_place = plan_of(form, former), request.headers.get("hx-request") is not None
        if not in_place and without_sources(typed).text_hash == without_sources(former).text_hash:
            return to(f"/console/articles/{article.id}", "note-plan-gone")
        return self.show(
            request,
            "plan/page.html",
            status=200 if in_place else 409,
            article=article,
            plan=typed,
            forecast=None,
            gaps={},
            passages=await self.services.writing.passages.of_plan(request.user.caller, article.id, typed),
            editing=Editing.of(form),
            theirs=None,
            faults={},
            named=[],
        )

    async def _page(
        self,
        request: Visit,
        forecasted: ForecastedPlan,
        plan: ArticlePlan,
        editing: Editing,
        faults: dict[str, str] | None = None,
        theirs: ArticlePlan | None = None,
    ) -> Response[str]:
        """`plan`: as it was typed where it has faults, or where somebody else has changed it meanwhile to `theirs`."""
        article = forecasted.article
        passages = await self.services.writing.passages.of_plan(request.user.caller, article.id, plan)
        in_place = request.headers.get("hx-request") is not None  # htmx takes answers of success alone
        return self.show(
            request,
            "plan/page.html",
            status=200 if in_place else 400 if faults else 409 if theirs else 200,
            article=article,
            plan=plan,
            forecast=forecasted.forecast,
            gaps={} if theirs else {gap.path: gap.reason for gap in forecasted.gaps},
            passages=passages,
            editing=editing,
            theirs=theirs,
            faults=faults or {},
            named=[(_place(path, texts_of(request)), said) for path, said in (faults or {}).items()],
        )


def _place(path: str, texts: Texts) -> str:
    """Which part of the form a path of the plan is, in words; "" for the plan as a whole."""
    for kind, text in (("sections", "plan-section"), ("faq", "plan-question")):
        if found := re.match(rf"plan\.{kind}\[(\d+)\]", path):
            return texts(text, number=int(found[1]) + 1)
    return texts("plan-headline") if path == "plan.title" else ""
