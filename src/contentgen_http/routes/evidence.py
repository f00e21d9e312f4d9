"""The evidence files of articles, and the keys that verify them."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from litestar import Controller, Response
from litestar.params import FromPath
from msgspec import UNSET

from contentgen_core import errors
from contentgen_core.ports.exporting import ExportFormat
from contentgen_http.api.evidence_file import evidence_file
from contentgen_http.api.media_types import preferred
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, read_query
from contentgen_http.public.representations import (
    AnyRequest,
    Representation,
    RepresentationCache,
    RepresentationResponse,
)
from contentgen_http.routes.articles import TAG, article_id
from contentgen_http.routes.public_trends import RAISES
from contentgen_http.services import Services
from contentgen_http.wire.article_evidence import EvidenceFile, EvidenceQuery
from contentgen_http.wire.public_keys import PublicKeys

JSON: Final = "application/json"
PDF: Final = ExportFormat.PDF.media_type
KEY_SET: Final = "application/jwk-set+json"


class EvidenceRoutes(Controller):
    services: Services

    @operation(
        "GET",
        "/articles/{id:str}/evidence",
        tag=TAG,
        query=EvidenceQuery,
        answer=EvidenceFile,
        other_media=(PDF,),
        raises=(errors.NotFound, errors.ConcurrentChange, errors.NotConfigured, errors.ProviderFailed),
        slow=True,
    )
    async def get_evidence(self, request: TenantRequest, id: FromPath[str]) -> Response[Any]:
        """Read an article's evidence file.

        What its present text rests on, sentence by sentence, with hashes and times of the sources; who reviewed and
        approved it; its versions, and where it was published and read back. Signed: anybody can verify it with the keys
        at /.well-known/jwks.json. Change no byte of it. As PDF (where the service has the extra for it; 501 otherwise)
        it is set in pages for people, with the signed file attached.
        """
        asked = read_query(request, EvidenceQuery).format
        as_pdf = asked == "pdf" or (asked is UNSET and preferred(request.headers.get("accept", ""), (JSON, PDF)) == PDF)
        document, file = await evidence_file(self.services, request.user, article_id(id))
        content = await self.services.ports.exporter.evidence_pdf(document, file) if as_pdf else file
        name = f"evidence-{document['article']['id']}.{'pdf' if as_pdf else 'json'}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Vary": "Accept"}
        return Response(content, media_type=PDF if as_pdf else JSON, headers=headers)


class PublicKeyRoutes(Controller):
    services: Services
    representations: RepresentationCache

    @operation(
        "GET",
        "/.well-known/jwks.json",
        tag="Public",
        answer=PublicKeys,
        media=KEY_SET,
        public=True,
        raises=RAISES,
    )
    async def get_public_keys(self, request: AnyRequest) -> RepresentationResponse:
        """Read the keys that verify evidence files.

        A JSON Web Key Set: the present key, and all before it.
        """

        async def make() -> Representation:
            keys = PublicKeys.of(await self.services.writing.sign.keys())
            return Representation.of(msgspec.json.encode(keys), KEY_SET)

        return await self.representations.answer(request, ("keys",), make)
