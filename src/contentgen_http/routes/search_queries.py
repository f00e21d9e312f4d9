"""What people search for."""

from __future__ import annotations

from datetime import date
from typing import Final

from litestar import Controller
from litestar.params import FromPath
from msgspec import UNSET

from contentgen_core import errors
from contentgen_core.model.ids import SearchEntryId
from contentgen_core.model.search_report import MAX_EXPORT_BYTES
from contentgen_core.use_cases.search_queries.import_export import ImportSearchExport
from contentgen_http.api.operation import KIB, operation
from contentgen_http.api.requests import TenantRequest, path_id, read_body, read_query, read_upload
from contentgen_http.services import Services
from contentgen_http.wire.base import Done
from contentgen_http.wire.search_demand import (
    Dismissal,
    QueueEntry,
    QueueList,
    QueueQuery,
    SearchConsoleConnection,
    SearchDemand,
    SearchDemandSettings,
)
from contentgen_http.wire.search_queries import SearchExportForm, SearchImport

TAG: Final = "Strategy"
NICHES: Final = "Niches"


class SearchQueryRoutes(Controller):
    services: Services

    @operation(
        "POST",
        "/search-queries/import",
        tag=TAG,
        body=SearchExportForm,
        body_media="multipart/form-data",
        answer=SearchImport,
        max_body=MAX_EXPORT_BYTES + 64 * KIB,
        raises=(
            errors.NotPermitted,
            errors.NotFound,
            errors.UnreadableFile,
            errors.QuotaExceeded,
            errors.ConcurrentChange,
        ),
        slow=True,
    )
    async def import_search_queries(self, request: TenantRequest) -> SearchImport:
        """Import what people search for.

        An export of Search Console (queries, pages, both, two periods that are compared, or the ZIP of them, in any of
        its languages), Matomo or Plausible. Every row is stored, merged, or counted with the reason why not. Import an
        earlier period as well to see what loses. The same period again replaces what was there; six are kept.
        The queries are then looked at in the background: GET /search-queries/queues.
        """
        upload = await read_upload(request, "file", ("nicheKey", "start", "end"))
        niche = upload.fields.get("nicheKey", "").strip()
        if not niche:
            raise errors.InvalidInput.of("nicheKey", "is needed")
        command = ImportSearchExport(
            request.user,
            path_id("niche", niche),
            upload.file_name,
            upload.content,
            _day("start", upload.fields),
            _day("end", upload.fields),
        )
        return SearchImport.of(await self.services.knowledge.import_search_queries(command))

    @operation(
        "GET",
        "/search-queries/queues",
        tag=TAG,
        query=QueueQuery,
        answer=QueueList,
        raises=(errors.NotFound,),
    )
    async def list_search_queues(self, request: TenantRequest) -> QueueList:
        """List what to write, enrich, refresh and merge.

        Each query in one queue at most, with the clicks a month that are to be gained, how they are computed, the
        reason in a sentence, and the request that does it.
        """
        query = read_query(request, QueueQuery)
        queue = None if query.queue is UNSET else query.queue
        found = await self.services.knowledge.search_demand.entries(
            request.user,
            path_id("niche", query.niche_key),
            queue,
            query.page,
            query.limit,
            dismissed=query.dismissed,
        )
        return QueueList.of(found, query.page, query.limit)

    @operation(
        "POST",
        "/search-queries/queues/{id:str}/dismiss",
        tag=TAG,
        body=Dismissal,
        example={"days": 30},
        example_of="With an entry of a queue.",
        answer=QueueEntry,
        raises=(errors.NotPermitted, errors.NotFound),
    )
    async def dismiss_search_entry(self, request: TenantRequest, id: FromPath[str]) -> QueueEntry:
        """List an entry no more for some days.

        Also when its queries are looked at again. 0 days list it at once.
        """
        body = await read_body(request, Dismissal)
        entry_id = SearchEntryId(path_id("entry", id))
        entry = await self.services.knowledge.search_demand.dismiss(request.user, entry_id, body.days)
        return QueueEntry.of(entry, None)

    @operation("GET", "/niches/{id:str}/search-demand", tag=NICHES, answer=SearchDemand, raises=(errors.NotFound,))
    async def get_search_demand(self, request: TenantRequest, id: FromPath[str]) -> SearchDemand:
        """Read what people look for in a niche.

        What was imported, what the last look at the queries found, and the curve of clicks behind the gains.
        """
        found = await self.services.knowledge.search_demand.get(request.user, path_id("niche", id))
        return SearchDemand.of(found)

    @operation(
        "PATCH",
        "/niches/{id:str}/search-demand",
        tag=NICHES,
        body=SearchDemandSettings,
        example={"brandWords": ["acme"]},
        answer=SearchDemand,
        raises=(errors.NotPermitted, errors.NotFound, errors.ConcurrentChange),
    )
    async def set_search_demand(self, request: TenantRequest, id: FromPath[str]) -> SearchDemand:
        """Leave out queries for your brand.

        The queries are looked at anew.
        """
        body = await read_body(request, SearchDemandSettings)
        found = await self.services.knowledge.search_demand.set_brand_words(
            request.user, path_id("niche", id), body.brand_words
        )
        return SearchDemand.of(found)

    @operation(
        "DELETE",
        "/niches/{id:str}/search-demand",
        tag=NICHES,
        answer=Done,
        raises=(errors.NotPermitted, errors.NotFound),
    )
    async def delete_search_demand(self, request: TenantRequest, id: FromPath[str]) -> Done:
        """Forget what people look for in a niche.

        All figures that were imported, and all entries.
        """
        await self.services.knowledge.search_demand.delete(request.user, path_id("niche", id))
        return Done()

    @operation(
        "POST",
        "/niches/{id:str}/search-console",
        tag=NICHES,
        body=SearchConsoleConnection,
        example={
            "site": "sc-domain:example.org",
            "serviceAccount": '{"type": "service_account", "client_email": "reader@example.iam.gserviceaccount.com"}',
        },
        example_of="With the key file of a service account.",
        answer=SearchDemand,
        raises=(errors.NotPermitted, errors.NotFound, errors.ConcurrentChange),
    )
    async def connect_search_console(self, request: TenantRequest, id: FromPath[str]) -> SearchDemand:
        """Read a property of Search Console every day.

        Add the service account's address to the property's users first. The last 28 days whose figures are final, and
        the 28 before, are read at once and then once a day, before the queries are looked at. Where access is revoked,
        `console.error` says so, and what was read stays. For administrators.
        """
        body = await read_body(request, SearchConsoleConnection)
        found = await self.services.knowledge.search_console.connect(
            request.user, path_id("niche", id), body.site, body.service_account
        )
        return SearchDemand.of(found)

    @operation(
        "DELETE",
        "/niches/{id:str}/search-console",
        tag=NICHES,
        answer=Done,
        raises=(errors.NotPermitted, errors.NotFound, errors.ConcurrentChange),
    )
    async def disconnect_search_console(self, request: TenantRequest, id: FromPath[str]) -> Done:
        """Read a property no more.

        What was read stays, the key file is forgotten.
        """
        await self.services.knowledge.search_console.disconnect(request.user, path_id("niche", id))
        return Done()

    @operation(
        "POST",
        "/niches/{id:str}/search-demand/look",
        tag=NICHES,
        answer=SearchDemand,
        raises=(errors.NotPermitted, errors.NotFound, errors.ConcurrentChange),
    )
    async def look_at_search_demand(self, request: TenantRequest, id: FromPath[str]) -> SearchDemand:
        """Look at a niche's queries now.

        They are looked at after each import, and once a day. 404 where nothing was imported.
        """
        found = await self.services.knowledge.search_demand.look(request.user, path_id("niche", id))
        return SearchDemand.of(found)


def _day(field: str, fields: dict[str, str]) -> date | None:
    """Raises InvalidInput."""
    text = fields.get(field, "").strip()
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise errors.InvalidInput.of(field, "must be a day like 2026-10-31") from None
