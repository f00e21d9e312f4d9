"""What a niche's knowledge base holds."""

from __future__ import annotations

from typing import Final

from litestar import Controller, Response
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_core.model.ids import DocumentId
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, path_id, read_query
from contentgen_http.services import Services
from contentgen_http.wire import knowledge as wire
from contentgen_http.wire.base import absent_as_none
from contentgen_http.wire.documents import SearchQuery, SearchResults

TAG: Final = "Knowledge base"
SVG: Final = "image/svg+xml"
# Opened by its address, the picture is a document of this origin: nothing in it may run or load.
_PICTURE: Final = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}


class KnowledgeRoutes(Controller):
    services: Services

    @operation(
        "GET",
        "/kb/search",
        tag=TAG,
        query=SearchQuery,
        answer=SearchResults,
        raises=(errors.NotFound, errors.StaleIndex),
        slow=True,
    )
    async def search_kb(self, request: TenantRequest) -> SearchResults:
        """Search a knowledge base.

        By words and by meaning, best first, each passage with why it was found and its nearest sentence. With agentKey
        or nicheKey only there; else in private documents and all activated niches, as POST /documents/search.
        """
        query = read_query(request, SearchQuery)
        found = await self.services.knowledge.search(
            request.user, query.query, query.limit, absent_as_none(query.agent_key), absent_as_none(query.niche_key)
        )
        return SearchResults.of(found)

    @operation(
        "GET",
        "/kb/documents/{id:str}/versions",
        tag=TAG,
        answer=wire.DocumentVersions,
        raises=(errors.NotFound,),
    )
    async def list_document_versions(self, request: TenantRequest, id: FromPath[str]) -> wire.DocumentVersions:
        """List the versions of a document.

        Of a source of an article (its `parentId`), of a result of a search, or of a private document: since when it is
        as it is, and what it was before, as far as that is kept.
        """
        found = await self.services.knowledge.history.versions(request.user, _document_id(id))
        return wire.DocumentVersions.of(found)

    @operation(
        "GET",
        "/kb/documents/{id:str}/text",
        tag=TAG,
        query=wire.FormerTextQuery,
        answer=wire.FormerText,
        raises=(errors.NotFound,),
    )
    async def get_document_text(self, request: TenantRequest, id: FromPath[str]) -> wire.FormerText:
        """Read what a document said at a time.

        With `asOf` as it stood then, else as it stands now, passage by passage. 400 for a time before what is kept.
        """
        query = read_query(request, wire.FormerTextQuery)
        found = await self.services.knowledge.history.text(
            request.user, _document_id(id), absent_as_none(query.as_of), query.offset, query.limit
        )
        return wire.FormerText.of(found)

    @operation("GET", "/kb/{nicheKey:str}/stats", tag=TAG, answer=wire.KbStats, raises=(errors.NotFound,))
    async def get_kb_stats(self, request: TenantRequest, nicheKey: FromPath[str]) -> wire.KbStats:
        """Read the statistics of a knowledge base.

        Of all that you see in a niche: what everybody shares and what is yours, for the countries you activated it in.
        An agent's key narrows to its country.
        """
        return wire.KbStats.of(await self.services.knowledge.overview.statistics(request.user, _key(nicheKey)))

    @operation(
        "GET",
        "/kb/{nicheKey:str}/entities",
        tag=TAG,
        query=wire.EntityQuery,
        answer=wire.EntityList,
        raises=(errors.NotFound,),
        slow=True,
    )
    async def get_kb_entities(self, request: TenantRequest, nicheKey: FromPath[str]) -> wire.EntityList:
        """List what a knowledge base names.

        People, organisations, places, products, laws and concepts, those in most passages first. Rules find them in all
        languages; where a model is configured it looks through the strongest in the background, merges what is one and
        drops what is none.
        """
        query = read_query(request, wire.EntityQuery)
        found = await self.services.knowledge.overview.entities(request.user, _key(nicheKey), query.limit)
        return wire.EntityList.of(found)

    @operation(
        "GET",
        "/kb/{nicheKey:str}/graph",
        tag=TAG,
        query=wire.GraphQuery,
        answer=wire.EntityGraph,
        other_media=(SVG,),
        raises=(errors.NotFound,),
        slow=True,
    )
    async def get_kb_graph(self, request: TenantRequest, nicheKey: FromPath[str]) -> wire.EntityGraph | Response[str]:
        """See how what a knowledge base names hangs together.

        The strongest entities, with an edge where two meet in passages more often than by chance, and the communities
        they form. format=svg answers with a picture.
        """
        query = read_query(request, wire.GraphQuery)
        overview, key = self.services.knowledge.overview, _key(nicheKey)
        if query.format == "svg":
            picture = await overview.picture(request.user, key, query.limit)
            return Response(picture, media_type=SVG, headers=_PICTURE)
        return wire.EntityGraph.of(await overview.graph(request.user, key, query.limit))


def _document_id(text: str) -> DocumentId:
    return DocumentId(path_id("document", text))


def _key(text: str) -> str:
    return path_id("niche or agent", text)
