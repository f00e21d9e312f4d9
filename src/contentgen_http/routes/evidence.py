"""The evidence files of articles, and the keys that verify them."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from litestar import Controller, Response
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_http.evidence_file import evidence_file
from contentgen_http.operation import operation
from contentgen_http.public_pages.representations import (
    AnyRequest,
    Representation,
    RepresentationCache,
    RepresentationResponse,
)
from contentgen_http.requests import TenantRequest
from contentgen_http.routes.articles import TAG, article_id
from contentgen_http.routes.public_trends import RAISES
from contentgen_http.services import Services
from contentgen_http.wire.article_evidence import EvidenceFile
from contentgen_http.wire.public_keys import PublicKeys

JSON: Final = "application/json"
KEY_SET: Final = "application/jwk-set+json"


class EvidenceRoutes(Controller):
    services: Services

    @operation(
        "GET",
        "/articles/{id:str}/evidence",
        tag=TAG,
        answer=EvidenceFile,
        raises=(errors.NotFound, errors.ConcurrentChange, errors.NotConfigured),
        slow=True,
    )
    async def get_evidence(self, request: TenantRequest, id: FromPath[str]) -> Response[Any]:
        """Read an article's evidence file.

        What its present text rests on, sentence by sentence, with hashes and times of the sources; who reviewed and
        approved it; its versions, and where it was published and read back. Signed: anybody can verify it with the keys
        at /.well-known/jwks.json. Change no byte of it.
        """
        _, file = await evidence_file(self.services, request.user, article_id(id))
        name = f"evidence-{article_id(id)}"
        return Response(file, media_type=JSON, headers={"Content-Disposition": f'attachment; filename="{name}.json"'})


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
            keys = PublicKeys.from_model(await self.services.writing.sign.keys())
            return Representation.of(msgspec.json.encode(keys), KEY_SET)

        return await self.representations.answer(request, ("keys",), make)
