"""Checking texts that came from elsewhere."""

from __future__ import annotations

from typing import Final

from litestar import Controller

from contentgen_core import errors
from contentgen_http.api.operation import KIB, operation
from contentgen_http.api.requests import TenantRequest, read_body
from contentgen_http.services import Services
from contentgen_http.wire.verification import TextReceipt, TextVerification

TAG: Final = "Grounding"


class GroundingRoutes(Controller):
    services: Services

    @operation(
        "POST",
        "/grounding/verify",
        tag=TAG,
        body=TextVerification,
        answer=TextReceipt,
        max_body=4 * KIB * KIB,
        raises=(errors.NotFound, errors.StaleIndex),
        example={
            "text": "The heat pump weighs 82 kg. It is the quietest of all.",
            "sources": [{"title": "Data sheet", "text": "The heat pump weighs 82 kg and stands on four feet."}],
        },
        slow=True,
    )
    async def verify_text(self, request: TenantRequest) -> TextReceipt:
        """Check a text against sources.

        Of any text: for each sentence whether the sources support it, by which passage, and which figures, dates and
        names they lack. The sources are sent along, private documents, or the knowledge base of a niche. Citation marks
        in the text are left out; every sentence is checked against the passages nearest to it, each by itself. Nothing
        is stored, and nothing of a quota is used.
        """
        body = await read_body(request, TextVerification)
        return TextReceipt.of(await self.services.writing.verify_text(body.to_command(request.user)))
