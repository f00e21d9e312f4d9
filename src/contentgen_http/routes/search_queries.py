"""What people search for."""

from __future__ import annotations

from datetime import date
from typing import Final

from litestar import Controller

from contentgen_core import errors
from contentgen_core.model.search_report import MAX_EXPORT_BYTES
from contentgen_core.use_cases.search_queries.import_export import ImportSearchExport
from contentgen_http.operation import KIB, operation
from contentgen_http.requests import TenantRequest, path_id, read_upload
from contentgen_http.services import Services
from contentgen_http.wire.search_queries import SearchExportForm, SearchImport

TAG: Final = "Strategy"


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
        raises=(errors.NotPermitted, errors.NotFound, errors.UnreadableFile, errors.QuotaExceeded),
        slow=True,
    )
    async def import_search_queries(self, request: TenantRequest) -> SearchImport:
        """Import what people search for.

        An export of Search Console (queries, pages, both, two periods that are compared, or the ZIP of them, in any of
        its languages), Matomo or Plausible. Every row is stored, merged, or counted with the reason why not. Import an
        earlier period as well to see what loses. The same period again replaces what was there; six are kept.
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
        return SearchImport.from_model(await self.services.knowledge.import_search_queries(command))


def _day(field: str, fields: dict[str, str]) -> date | None:
    """Raises InvalidInput."""
    text = fields.get(field, "").strip()
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise errors.InvalidInput.of(field, "must be a day like 2026-10-31") from None
