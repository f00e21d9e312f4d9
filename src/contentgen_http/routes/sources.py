"""Sources that keep a knowledge base in sync."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath
from msgspec import UNSET

from contentgen_core import errors
from contentgen_core.model.ids import SyncedSourceId
from contentgen_core.use_cases.synced_sources.manage_sources import NothingDoubtful
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, path_id, read_body, read_query
from contentgen_http.services import Services
from contentgen_http.wire.base import Done, absent_as_none
from contentgen_http.wire.sources import (
    Item,
    ItemList,
    ItemQuery,
    Kind,
    KindList,
    NewSource,
    Source,
    SourceChanges,
    SourceList,
)

TAG: Final = "Knowledge base"


def source_id(text: str) -> SyncedSourceId:
    return SyncedSourceId(path_id("source", text))


class SourceRoutes(Controller):
    services: Services

    @operation("GET", "/sources", tag=TAG, answer=SourceList)
    async def list_sources(self, request: TenantRequest) -> SourceList:
        """List synced sources.

        With what the last sync of each found: added, changed, removed, and what was skipped and why.
        """
        found = await self.services.knowledge.sources.list(request.user)
        return SourceList(sources=[Source.of(source) for source in found])

    @operation(
        "POST",
        "/sources",
        tag=TAG,
        body=NewSource,
        answer=Source,
        raises=(errors.NotPermitted, errors.NotFound, errors.QuotaExceeded),
        example={
            "kind": "pages",
            "name": "Rules of the county",
            "place": "https://www.example.org/rules",
            "nicheKey": "home-energy",
        },
    )
    async def create_source(self, request: TenantRequest) -> Source:
        """Follow a source.

        Its first sync begins at once, the others by themselves. What is new there comes into the niche's knowledge
        base, what changes is changed, and what is gone leaves it after the grace period. A source that cannot be
        listed, or lists suspiciously little, removes nothing.
        """
        body = await read_body(request, NewSource)
        return Source.of(await self.services.knowledge.sources.create(body.to_command(request.user)))

    @operation("GET", "/sources/kinds", tag=TAG, answer=KindList)
    async def list_source_kinds(self, request: TenantRequest) -> KindList:
        """List the kinds of sources.

        What each calls its place, and the settings that it needs.
        """
        return KindList(kinds=[Kind.of(info) for info in self.services.knowledge.sources.kinds()])

    @operation("GET", "/sources/{id:str}", tag=TAG, answer=Source, raises=(errors.NotFound,))
    async def get_source(self, request: TenantRequest, id: FromPath[str]) -> Source:
        """Read a synced source."""
        return Source.of(await self.services.knowledge.sources.get(request.user, source_id(id)))

    @operation(
        "PATCH",
        "/sources/{id:str}",
        tag=TAG,
        body=SourceChanges,
        answer=Source,
        raises=(errors.NotPermitted, errors.NotFound, errors.ConcurrentChange),
        example={"everyHours": 6},
    )
    async def change_source(self, request: TenantRequest, id: FromPath[str]) -> Source:
        """Change a synced source."""
        body = await read_body(request, SourceChanges)
        command = body.to_command(request.user, source_id(id))
        return Source.of(await self.services.knowledge.sources.change(command))

    @operation(
        "DELETE",
        "/sources/{id:str}",
        tag=TAG,
        answer=Done,
        raises=(errors.NotPermitted, errors.NotFound, errors.ConcurrentChange),
    )
    async def delete_source(self, request: TenantRequest, id: FromPath[str]) -> Done:
        """Delete a synced source.

        With the documents that came from it. Articles keep what they were written from.
        """
        await self.services.knowledge.sources.delete(request.user, source_id(id))
        return Done()

    @operation(
        "POST",
        "/sources/{id:str}/sync",
        tag=TAG,
        answer=Source,
        raises=(errors.NotPermitted, errors.NotFound, errors.ConcurrentChange),
    )
    async def sync_source(self, request: TenantRequest, id: FromPath[str]) -> Source:
        """Sync a source now.

        One that is under way goes on. `syncing` says when it has ended.
        """
        return Source.of(await self.services.knowledge.sources.sync(request.user, source_id(id)))

    @operation(
        "POST",
        "/sources/{id:str}/accept",
        tag=TAG,
        answer=Source,
        raises=(errors.NotPermitted, errors.NotFound, NothingDoubtful, errors.ConcurrentChange),
    )
    async def accept_source(self, request: TenantRequest, id: FromPath[str]) -> Source:
        """Accept what a source says now.

        After a sync that was `doubtful`: a sync begins that takes over what the source says, even if its pages all say
        the same, and lets what it does not list any more go missing. It holds for this one sync.
        """
        return Source.of(await self.services.knowledge.sources.accept(request.user, source_id(id)))

    @operation("GET", "/sources/{id:str}/items", tag=TAG, query=ItemQuery, answer=ItemList, raises=(errors.NotFound,))
    async def list_source_items(self, request: TenantRequest, id: FromPath[str]) -> ItemList:
        """List the items of a source.

        What is stored, what is missing since when, and what is skipped and why.
        """
        query = read_query(request, ItemQuery)
        state = None if query.state is UNSET else query.state
        found = await self.services.knowledge.sources.items(
            request.user, source_id(id), state, absent_as_none(query.after), query.limit
        )
        more = found[-1].key if len(found) == query.limit else UNSET
        return ItemList(items=[Item.of(item) for item in found], after=more)
