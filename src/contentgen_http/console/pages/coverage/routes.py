"""/console/coverage: whether a topic is covered, and the way from there to a plan."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post

from contentgen_core.errors import ContentgenError, InvalidInput
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.coverage import CoverageTooLow
from contentgen_core.model.vocabulary import ArticleLength
from contentgen_core.use_cases.articles.check_coverage import CheckCoverageCommand
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from contentgen_core.use_cases.articles.queries import available_lengths
from contentgen_http.console.errors import sentence
from contentgen_http.console.page import Page
from contentgen_http.console.rendering import to
from contentgen_http.console.visit import Form, Visit, texts_of
from contentgen_http.errors import rendering


class CoveragePage(Page):
    @get("/coverage")
    async def coverage(self, request: Visit) -> Response[str]:
        """With a topic in its address the page shows its coverage; that counts one of the day's checks."""
        asked = request.query_params
        return await self._page(request, asked.get("agent", ""), asked.get("topic", ""), asked.get("length", ""))

    @post("/coverage/plan", status_code=200)
    async def plan(self, request: Visit) -> Response[Any]:
        """Plan an article on the topic, and go on to its plan."""
        form = await self.form(request)
        agent, topic = form.text("agent"), form.text("topic")
        command = PlanArticleCommand(
            caller=request.user.caller,
            agent_key=agent,
            topic=topic,
            length=_length(form.text("length")),
            coverage_sources=_refs(form),
            allow_low_coverage=form.text("anyway") == "yes",
        )
        try:
            planned = await self.services.writing.plan(command)
        except CoverageTooLow as error:
            fault = sentence(error, texts_of(request))
            return await self._page(request, agent, topic, form.text("length"), fault=fault, status=422)
        return to(f"/console/articles/{planned.article.id}/plan", "note-planned")

    async def _page(
        self, request: Visit, agent: str, topic: str, length: str, *, fault: str = "", status: int = 200
    ) -> Response[str]:
        caller, report = request.user.caller, None
        agents, _ = await self.services.agents.list(caller, None, True)
        if topic and agent and not fault:
            command = CheckCoverageCommand(caller, agent, topic, _length(length))
            try:
                report = await self.services.writing.check_coverage(command)
            except ContentgenError as error:
                status = rendering(type(error)).status
                if status >= 500 and not isinstance(error, InvalidInput):
                    raise
                fault = sentence(error, texts_of(request))
        return self.show(
            request,
            "coverage/page.html",
            status=status,
            agents=agents,
            agent=agent,
            topic=topic,
            length=_length(length),
            lengths=[length for length, (_, included) in available_lengths(caller).items() if included],
            report=report,
            fault=fault,
        )


def _length(text: str) -> ArticleLength:
    return ArticleLength(text) if text in set(ArticleLength) else ArticleLength.STANDARD


def _refs(form: Form) -> tuple[SourceRef, ...]:
    """The passages that the check found; what cannot be one is left out."""
    found = []
    for text in form.texts("source")[:100]:
        try:
            found.append(SourceRef.parse(text))
        except ValueError:
            continue
    return tuple(found)
