"""An article's image, and its other forms."""

from __future__ import annotations

from typing import Final

from litestar import Controller, Response
from litestar.params import FromPath
from msgspec import UNSET

from contentgen_core import errors
from contentgen_core.ports.exporting import ExportFormat
from contentgen_http.api.media_types import preferred
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, read_query
from contentgen_http.routes.articles import TAG, article_id
from contentgen_http.services import Services
from contentgen_http.wire.exports import AutoImageAnswer, AutoImageQuery, ExportQuery

# The page has untrusted content: it may load pictures and nothing else, and run no scripts.
PRINT_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src https: http: data:; base-uri 'none'"


_BY_MEDIA: Final = {format.media_type: format for format in ExportFormat}


def accepted(accept: str) -> ExportFormat:
    """The format that an Accept header asks for; HTML by default."""
    return _BY_MEDIA[preferred(accept, tuple(_BY_MEDIA))]


class ExportRoutes(Controller):
    services: Services

    @operation(
        "GET",
        "/writer/{id:str}/export-pdf",
        tag=TAG,
        query=ExportQuery,
        answer=None,
        media=ExportFormat.HTML.media_type,
        other_media=tuple(format.media_type for format in ExportFormat if format is not ExportFormat.HTML),
        raises=(errors.NotFound, errors.NotConfigured, errors.ProviderFailed),
        slow=True,
    )
    async def export_pdf(self, request: TenantRequest, id: FromPath[str]) -> Response[bytes]:
        """Export an article for print.

        A whole HTML page ready to be printed or saved as PDF, with numbered sources that the citations link to, one
        entry a document. It is for readers: the grounding receipt is in it with receipt=true alone. With format the PDF
        itself (where the service has the extra for it; 501 otherwise), Markdown, or an office document.
        """
        query = read_query(request, ExportQuery)
        format = accepted(request.headers.get("accept", "")) if query.format is UNSET else query.format
        receipt = query.receipt == "true"
        mark = None if query.ai_mark is UNSET else query.ai_mark == "true"
        export = self.services.writing.export
        made = await export(request.user, article_id(id), format, receipt=receipt, ai_mark=mark)
        headers = {"Vary": "Accept"}
        if format is ExportFormat.HTML:
            headers["Content-Security-Policy"] = PRINT_POLICY
        else:
            headers["Content-Disposition"] = f'attachment; filename="{made.file_name}"'
        return Response(made.content, media_type=format.media_type, headers=headers)

    @operation(
        "POST",
        "/writer/{id:str}/auto-image",
        tag=TAG,
        query=AutoImageQuery,
        answer=AutoImageAnswer,
        raises=(
            errors.NotPermitted,
            errors.NotFound,
            errors.Conflict,
            errors.ConcurrentChange,
            errors.NotConfigured,
            errors.ProviderFailed,
        ),
        slow=True,
    )
    async def auto_image(self, request: TenantRequest, id: FromPath[str]) -> AutoImageAnswer:
        """Find an image for an article.

        Platform admin only. Searches the picture service that is set up for the significant words of the title, then
        for fewer of them, the topic, the first keyword. An article that has an image keeps it unless force is true.
        Show the photographer and the service with the picture: imageCredit has the links that they ask for.
        """
        force = read_query(request, AutoImageQuery).force == "true"
        return AutoImageAnswer.of(await self.services.writing.auto_image(request.user, article_id(id), force=force))
