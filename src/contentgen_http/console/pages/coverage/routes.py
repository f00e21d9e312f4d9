"""/console/coverage: whether a topic is covered, and the way from there to a plan."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen
from litestar import Response, get, post

from contentgen_core.errors import ContentgenError
from contentgen_core.model.agent import Agent
from contentgen_core.model.niche import Niche
from contentgen_core.model.vocabulary import ArticleLength, Language, PrivateDocsMode
from contentgen_core.use_cases.articles.check_coverage import CheckCoverageCommand, CoverageReport
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from contentgen_core.use_cases.articles.queries import available_lengths
from contentgen_http.console.errors import sentence, status_of
from contentgen_http.console.page import Page
from contentgen_http.console.rendering import to
from contentgen_http.console.sent_once import sent_once
from contentgen_http.console.visit import Visit, source_refs, texts_of


@frozen
class Asked:
    """What a person wants to know. `with_own`: whether documents that people added count, which they do unless
    somebody says otherwise."""

    agent: str
    topic: str
    length: ArticleLength
    with_own: bool

    @classmethod
    def of(cls, text: Callable[[str, str], str]) -> Asked:
        """`text`: the value of a field, with another for one that is missing."""
        own = text("own", "")
        return cls(text("agent", ""), text("topic", ""), _length(text("length", "")), own != "no")


class CoveragePage(Page):
    @get("/coverage", slow=True)
    async def coverage(self, request: Visit) -> Response[str]:
        """With a topic in its address the page shows its coverage; that counts one of the day's checks."""
        return await self._page(request, Asked.of(request.query_params.get))

    @post("/coverage/plan", status_code=200, slow=True)
    @sent_once
    async def plan(self, request: Visit) -> Response[Any]:
        """Plan an article on the topic, and go on to its plan."""
        form = await self.form(request)
        asked, language = Asked.of(form.text), form.text("language")
        command = PlanArticleCommand(
            caller=request.user.caller,
            agent_key=asked.agent,
            topic=asked.topic,
            length=asked.length,
            language=Language(language) if language in set(Language) else None,
            coverage_sources=source_refs(form, "source"),
            private_docs_mode=PrivateDocsMode.AUTO if asked.with_own else PrivateDocsMode.DISABLED,
            allow_low_coverage=form.text("anyway") == "yes",
        )
        try:
            planned = await self.services.writing.plan(command)
        except ContentgenError as error:
            return await self._page(request, asked, **self._told(request, error))
        return to(f"/console/articles/{planned.article.id}/plan", "note-planned")

    def _told(self, request: Visit, error: ContentgenError) -> dict[str, Any]:
        """What the page says of an error; raises as `status_of`."""
        return {"fault": sentence(error, texts_of(request)), "status": status_of(error)}

    async def _page(self, request: Visit, asked: Asked, *, fault: str = "", status: int = 200) -> Response[str]:
        caller, report = request.user.caller, None
        agents, niches = await asyncio.gather(
            self.services.agents.list(caller, None, True), self.services.agents.niches.activated(caller)
        )
        if asked.topic and asked.agent and not fault:
            command = CheckCoverageCommand(caller, asked.agent, asked.topic, asked.length, asked.with_own)
            try:
                report = await self.services.writing.check_coverage(command)
            except ContentgenError as error:
                told = self._told(request, error)
                fault, status = told["fault"], told["status"]
        return self.show(
            request,
            "coverage/page.html",
            status=status,
            agents=agents[0],
            agent=asked.agent or _proposed(agents[0], niches, texts_of(request).language),
            topic=asked.topic,
            length=asked.length,
            own="yes" if asked.with_own else "no",
            lengths=[length for length, (_, included) in available_lengths(caller).items() if included],
            writable=_languages(report, asked.agent, niches) if report else (),
            report=report,
            fault=fault,
        )


def _languages(report: CoverageReport, agent: str, niches: Sequence[Niche]) -> list[Language]:
    """Languages to write in, the first one proposed: those of the sources, of which the agent's go first; then those of
    the agent, which take a writer that crosses languages."""
    own = _languages_of(agent, niches)
    found = Counter(ranked.passage.document.language for ranked in report.coverage.ranked)
    of_sources = sorted(found, key=lambda language: (language not in own, -found[language], language.value))
    return list(dict.fromkeys((*of_sources, *own)))


def _proposed(agents: Sequence[Agent], niches: Sequence[Niche], language: str) -> str:
    """The first agent that writes in the language of the page; else the page's first. Empty without agents."""
    keys = [str(agent.key) for agent in agents]
    return next((key for key in keys if language in _languages_of(key, niches)[:1]), keys[0] if keys else "")


def _languages_of(agent: str, niches: Sequence[Niche]) -> list[Language]:
    """The agent's languages, its default first."""
    return [
        language
        for niche in niches
        if niche.activation and agent.rpartition("-")[0] == niche.niche_key
        for language in niche.activation.languages
    ]


def _length(text: str) -> ArticleLength:
    return ArticleLength(text) if text in set(ArticleLength) else ArticleLength.STANDARD
