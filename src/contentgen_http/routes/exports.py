"""An article's image, and its other forms."""

from __future__ import annotations

from typing import Final

from litestar import Controller, Response
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_http.operation import operation
from contentgen_http.requests import TenantRequest, read_query
from contentgen_http.routes.articles import TAG, article_id
from contentgen_http.services import Services
from contentgen_http.wire.exports import AutoImageAnswer, AutoImageQuery

# The page shows what a model or a person wrote: it may load pictures and nothing else, and runs no script.
PRINT_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src https: http: data:; base-uri 'none'"


class ExportRoutes(Controller):
    services: Services

    @operation("GET", "/writer/{id:str}/export-pdf", tag=TAG, answer=None, media="text/html", raises=(errors.NotFound,))
    async def export_pdf(self, request: TenantRequest, id: FromPath[str]) -> Response[str]:
        """Export an article for print.

        A whole HTML page ready to be printed or saved as PDF, with numbered sources that the citations link to.
        """
        page = await self.services.articles.printable(request.user, article_id(id))
        return Response(page, media_type="text/html", headers={"Content-Security-Policy": PRINT_POLICY})

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
    )
    async def auto_image(self, request: TenantRequest, id: FromPath[str]) -> AutoImageAnswer:
        """Find an image for an article.

        Platform admin only. Searches the picture service that is set up for the significant words of the title, then
        for fewer of them, the topic, the first keyword. An article that has an image keeps it unless force is true.
        Show the photographer and the service with the picture: imageCredit has the links that they ask for.
        """
        force = read_query(request, AutoImageQuery).force == "true"
        return AutoImageAnswer.from_model(await self.services.auto_image(request.user, article_id(id), force=force))
