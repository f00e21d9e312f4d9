"""/console/agents/niches/{key}/demand: what people look for in a niche, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from attrs import frozen
from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import ContentgenError, InvalidInput
from contentgen_core.model.ids import SearchEntryId
from contentgen_core.model.niche import Niche
from contentgen_core.model.search_demand import SearchEntry, SearchQueue
from contentgen_core.model.search_report import MAX_EXPORT_BYTES
from contentgen_core.model.tenant import Role
from contentgen_core.use_cases.search_queries.import_export import ImportSearchExport
from contentgen_core.use_cases.search_queries.next_step import next_step
from contentgen_http.api.requests import path_id
from contentgen_http.console.errors import sentence, status_of
from contentgen_http.console.faults import said_faults
from contentgen_http.console.page import Page
from contentgen_http.console.pages.agents.view import Section
from contentgen_http.console.rendering import to
from contentgen_http.console.visit import Visit, texts_of, whole_number
from contentgen_http.texts import Texts

PER_PAGE: Final = 20
MAX_PAGE: Final = 1_000
DISMISSED_DAYS: Final = 30
_FORM: Final = 64 * 1024
"""Of a form with an export: what its other fields take."""


@frozen
class ShownEntry:
    """A query with why it is in its queue. `topic`: what the page of coverage is asked, by its parameters; None where
    an article is to be refreshed, or pages are to be merged."""

    entry: SearchEntry
    reasons: tuple[str, ...]
    topic: Mapping[str, str] | None


class DemandPages(Page):
    @get("/agents/niches/{key:str}/demand")
    async def demand(self, request: Visit, key: FromPath[str]) -> Response[str]:
        return await self._page(request, key)

    @post(
        "/agents/niches/{key:str}/demand/import",
        status_code=200,
        request_max_body_size=MAX_EXPORT_BYTES + _FORM,
        slow=True,
    )
    async def import_export(self, request: Visit, key: FromPath[str]) -> Response[Any]:
        """An export of a search engine or of a site's analytics; its queries are then looked at."""
        form = await self.form(request)
        start, end = form.text("start"), form.text("end")
        try:
            if not form.files:
                raise InvalidInput.of("file", texts_of(request)("demand-no-file"))
            [file, *_] = form.files
            imported = await self.services.knowledge.import_search_queries(
                ImportSearchExport(
                    request.user.caller,
                    path_id("niche", key),
                    file.name,
                    await file.content(),
                    _day("start", start),
                    _day("end", end),
                )
            )
        except ContentgenError as error:
            fault = sentence(error, texts_of(request))
            if isinstance(error, InvalidInput):
                fault = "; ".join(said_faults(error, texts_of(request)))
            section = Section("import", fault, {"start": start, "end": end})
            return await self._page(request, key, section, status_of(error))
        read = sum(table.rows for table in imported.export.tables)
        left = sum(sum(table.skipped.values()) for table in imported.export.tables)
        return to(f"{_address(key)}?read={read}&left={left}", "note-demand-imported")

    @post("/agents/niches/{key:str}/demand/look", status_code=200)
    async def look(self, request: Visit, key: FromPath[str]) -> Response[Any]:
        await self.form(request)
        await self.services.knowledge.search_demand.look(request.user.caller, path_id("niche", key))
        return to(_address(key), "note-demand-looked-at")

    @post("/agents/niches/{key:str}/demand/brand", status_code=200)
    async def brand(self, request: Visit, key: FromPath[str]) -> Response[Any]:
        """Words of the team's own name, whose queries are left out."""
        form = await self.form(request)
        words = [word.strip() for word in form.text("words").split(",") if word.strip()]
        try:
            await self.services.knowledge.search_demand.set_brand_words(
                request.user.caller, path_id("niche", key), words
            )
        except InvalidInput as error:
            fault = "; ".join(said_faults(error, texts_of(request)))
            return await self._page(request, key, Section("brand", fault, {"words": form.text("words")}), 400)
        return to(_address(key), "note-demand-looked-at")

    @post("/agents/niches/{key:str}/demand/dismiss", status_code=200)
    async def dismiss(self, request: Visit, key: FromPath[str]) -> Response[Any]:
        form = await self.form(request)
        entry = SearchEntryId(path_id("entry", form.text("entry")))
        await self.services.knowledge.search_demand.dismiss(request.user.caller, entry, DISMISSED_DAYS)
        queue = form.text("queue")
        back = f"{_address(key)}?queue={queue}" if queue in set(SearchQueue) else _address(key)
        return to(back, "note-demand-dismissed")

    async def _page(self, request: Visit, key: str, section: Section | None = None, status: int = 200) -> Response[str]:
        caller, asked, niche = request.user.caller, request.query_params, path_id("niche", key)
        queue = SearchQueue(asked["queue"]) if asked.get("queue") in set(SearchQueue) else None
        number = whole_number(asked.get("page", ""), 1)
        manage = self.services.knowledge.search_demand
        found = await manage.get(caller, niche)
        shown = await manage.entries(caller, niche, queue, min(max(number, 1), MAX_PAGE), PER_PAGE)
        texts = texts_of(request)
        return self.show(
            request,
            "agents/demand.html",
            status=status,
            niche=found.niche,
            demand=found.demand,
            reports=found.reports,
            entries=[_shown(entry, found.niche, texts) for entry in shown.found.entries],
            running=shown.running,
            queue=queue,
            counts=dict(found.demand.last.queues) if found.demand and found.demand.last else {},
            queues=list(SearchQueue),
            page=number,
            pages=max(1, -(-shown.found.total // PER_PAGE)),
            read=whole_number(asked.get("read", ""), -1),
            left=whole_number(asked.get("left", ""), 0),
            section=section or Section(),
            may_edit=caller.role.includes(Role.EDITOR),
        )


def _shown(entry: SearchEntry, niche: Niche, texts: Texts) -> ShownEntry:
    step = next_step(entry, niche)
    topic = None
    if step is not None and "topic" in step.body:
        topic = {"agent": step.body["agentKey"], "topic": step.body["topic"]}
    return ShownEntry(entry, tuple(_reasons(entry, texts)), topic)


def _reasons(entry: SearchEntry, texts: Texts) -> list[str]:
    """Why a query is in its queue, in sentences."""
    demand, queue = entry.demand, entry.decision.queue
    reasons = [texts("demand-clicks", clicks=demand.now.clicks)]
    if demand.now.impressions is not None:
        reasons.append(texts("demand-shown", times=texts.number(demand.now.impressions)))
    if demand.now.position is not None:
        reasons.append(texts("demand-position", position=texts.number(round(demand.now.position, 1))))
    match queue:
        case SearchQueue.WRITE:
            reasons.append(texts("demand-why-write", level=texts(f"level-{demand.coverage.level.value}")))
        case SearchQueue.ENRICH:
            reasons.append(texts(f"level-{demand.coverage.level.value}") + ".")
            if demand.coverage.missing:
                reasons.append(texts("demand-missing", words=", ".join(demand.coverage.missing)))
        case SearchQueue.REFRESH:
            if demand.before is not None and demand.before.clicks > demand.now.clicks:
                reasons.append(texts("demand-lost", before=texts.number(demand.before.clicks)))
            if any(article.stale for article in demand.articles):
                reasons.append(texts("demand-stale"))
        case SearchQueue.MERGE:
            reasons.append(texts("demand-why-merge", count=len(demand.pages)))
    return reasons


def _day(field: str, text: str) -> date | None:
    """Raises InvalidInput."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise InvalidInput.of(field, "must be a day, such as 2026-11-25") from error


def _address(key: str) -> str:
    return f"/console/agents/niches/{key}/demand"
