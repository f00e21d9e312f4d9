"""/console/knowledge/enrich: looking for a topic on the web, and what that brought into the knowledge base."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import ContentgenError
from contentgen_core.model.enrichment import ENDED
from contentgen_core.use_cases.enrichment.start import MIN_TOPIC, EnrichCommand, Rejected
from contentgen_http.api.requests import path_id
from contentgen_http.console.errors import sentence, status_of
from contentgen_http.console.pages.knowledge.shared import KnowledgePage
from contentgen_http.console.rendering import to
from contentgen_http.console.sent_once import sent_once
from contentgen_http.console.visit import Visit, texts_of

ENRICH: Final = "/console/knowledge/enrich"
MAX_TOPIC: Final = 500


class EnrichPages(KnowledgePage):
    @get("/knowledge/enrich")
    async def ask(self, request: Visit) -> Response[str]:
        """`agent`, `topic`: what stands in the form."""
        asked = request.query_params
        return await self._page(request, asked.get("agent", ""), asked.get("topic", "")[:MAX_TOPIC])

    @post("/knowledge/enrich", status_code=200, slow=True)
    @sent_once
    async def enrich(self, request: Visit) -> Response[Any]:
        form, t = await self.form(request), texts_of(request)
        agent, topic = form.text("agent"), form.text("topic")
        try:
            outcome = await self.services.knowledge.enrich(EnrichCommand(request.user.caller, agent, topic))
        except ContentgenError as error:
            status = status_of(error)
            return await self._page(request, agent, topic, fault=sentence(error, t), status=status)
        if isinstance(outcome, Rejected):
            fault = t("knowledge-rejected", reason=outcome.reason)
            return await self._page(request, agent, topic, fault=fault, status=422)
        return to(f"{ENRICH}/{outcome.enrichment.id}", "note-enriching")

    @get("/knowledge/enrich/{id:str}")
    async def enrichment(self, request: Visit, id: FromPath[str]) -> Response[str]:
        return await self._enrichment(request, id, "knowledge/enrichment.html")

    @get("/knowledge/enrich/{id:str}/part")
    async def part(self, request: Visit, id: FromPath[str]) -> Response[str]:
        """How far it is."""
        return await self._enrichment(request, id, "knowledge/enrichment_part.html")

    async def _enrichment(self, request: Visit, id: str, template: str) -> Response[str]:
        get_one = self.services.knowledge.enrichments.get
        found = await get_one(request.user.caller, path_id("enrichment", id))
        return self.show(request, template, enrichment=found, ended=found.status in ENDED)

    async def _page(
        self, request: Visit, agent: str, topic: str, *, fault: str = "", status: int = 200
    ) -> Response[str]:
        agents, _ = await self.services.agents.list(request.user.caller, None, True)
        return self.show(
            request,
            "knowledge/enrich.html",
            status=status,
            agents=agents,
            agent=agent,
            topic=topic,
            fault=fault,
            bounds={"least": MIN_TOPIC, "most": MAX_TOPIC},
        )
