"""/console/knowledge/sources: what the knowledge base follows, how each sync went, and syncing now."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.model.ids import SyncedSourceId
from contentgen_core.model.synced_source import MAX_KEY, ItemState, SyncedSource
from contentgen_core.use_cases.synced_sources.manage_sources import ChangedSource, ManageSources
from contentgen_http.api.requests import path_id
from contentgen_http.console.pages.knowledge.shared import KnowledgePage
from contentgen_http.console.rendering import to
from contentgen_http.console.visit import Visit

SOURCES: Final = "/console/knowledge/sources"
ITEMS: Final = 50


def source_id(text: str) -> SyncedSourceId:
    return SyncedSourceId(path_id("source", text))


class SourcePages(KnowledgePage):
    @get("/knowledge/sources")
    async def sources(self, request: Visit) -> Response[str]:
        return await self._list(request, "knowledge/sources.html")

    @get("/knowledge/sources/part")
    async def part(self, request: Visit) -> Response[str]:
        """The list alone, while a sync is under way."""
        return await self._list(request, "knowledge/sources_part.html")

    async def _list(self, request: Visit, template: str) -> Response[str]:
        sources = await self._manage.list(request.user.caller)
        return self.show(request, template, sources=sources, **await self._names(request))

    @get("/knowledge/sources/{id:str}")
    async def source(self, request: Visit, id: FromPath[str]) -> Response[str]:
        """With its items: `state` and `after` of those that are shown."""
        asked, caller = request.query_params, request.user.caller
        state, after = asked.get("state", ""), asked.get("after", "")[:MAX_KEY]
        wanted = ItemState(state) if state in set(ItemState) else None
        source = await self._source(request, id)
        items = await self._manage.items(caller, source.id, wanted, after or None, ITEMS + 1)
        return self.show(
            request,
            "knowledge/source.html",
            source=source,
            items=items[:ITEMS],
            after=items[ITEMS - 1].key if len(items) > ITEMS else "",
            state=state,
            states=list(ItemState),
            **await self._names(request),
        )

    @get("/knowledge/sources/{id:str}/part")
    async def source_part(self, request: Visit, id: FromPath[str]) -> Response[str]:
        """What the last sync found, while one is under way."""
        source = await self._source(request, id)
        return self.show(request, "knowledge/source_part.html", source=source, **await self._names(request))

    @post("/knowledge/sources/{id:str}/sync")
    async def sync(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        await self.form(request)
        source = await self._manage.sync(request.user.caller, source_id(id))
        return to(f"{SOURCES}/{source.id}", "note-syncing")

    @post("/knowledge/sources/{id:str}/accept")
    async def accept(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """Take over what the source says now, after a doubtful sync."""
        await self.form(request)
        source = await self._manage.accept(request.user.caller, source_id(id))
        return to(f"{SOURCES}/{source.id}", "note-source-accepted")

    @post("/knowledge/sources/{id:str}/pause")
    async def pause(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """`paused=yes`: no sync begins by itself any more."""
        form = await self.form(request)
        paused = form.text("paused") == "yes"
        source = await self._manage.change(ChangedSource(request.user.caller, source_id(id), paused=paused))
        return to(f"{SOURCES}/{source.id}", "note-source-paused" if paused else "note-source-resumed")

    @get("/knowledge/sources/{id:str}/delete")
    async def ask_to_delete(self, request: Visit, id: FromPath[str]) -> Response[str]:
        return self.show(request, "knowledge/delete_source.html", source=await self._source(request, id))

    @post("/knowledge/sources/{id:str}/delete")
    async def delete(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        await self.form(request)
        await self._manage.delete(request.user.caller, source_id(id))
        return to(SOURCES, "note-source-deleted")

    async def _source(self, request: Visit, id: str) -> SyncedSource:
        return await self._manage.get(request.user.caller, source_id(id))

    async def _names(self, request: Visit) -> dict[str, Any]:
        kinds = self._manage.kinds()
        return {
            "niche_names": {niche.niche_key: niche.name for niche in await self.niches(request)},
            "kind_names": {info.kind: info.name for info in kinds},
            "setting_labels": {(info.kind, field.name): field.label for info in kinds for field in info.fields},
        }

    @property
    def _manage(self) -> ManageSources:
        return self.services.knowledge.sources
