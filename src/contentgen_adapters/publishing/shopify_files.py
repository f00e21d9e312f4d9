"""Pictures as files of a Shopify shop: sent to a place that Shopify names, then made a file and waited for."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import msgspec
from attrs import evolve, frozen

from contentgen_adapters.publishing.graphql import GraphQL, UserError
from contentgen_adapters.publishing.pictures import Picture
from contentgen_adapters.publishing.provider import Connection
from contentgen_core.ports.publishing import PublishFailed, Refusal

NAME: Final = "Shopify"
PROCESSING_WAITS: Final = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds before each look at a file that Shopify processes."""
_HINTS: Final = {"ACCESS_DENIED": "pictures need the scopes read_files and write_files"}
_STAGE: Final = """mutation ($input: [StagedUploadInput!]!) {
  stagedUploadsCreate(input: $input) {
    stagedTargets { url resourceUrl parameters { name value } } userErrors { field message }
  }
}"""
_MAKE: Final = """mutation ($files: [FileCreateInput!]!) {
  fileCreate(files: $files) { files { id } userErrors { code field message } }
}"""
_LOOK: Final = "query ($id: ID!) { node(id: $id) { ... on MediaImage { fileStatus image { url } } } }"


class _Parameter(msgspec.Struct):
    name: str
    value: str


class _Place(msgspec.Struct, rename="camel"):
    url: str
    resource_url: str
    parameters: list[_Parameter] = []


class _Id(msgspec.Struct):
    id: str


class _Changed(msgspec.Struct, rename="camel"):
    staged_targets: list[_Place] | None = None
    files: list[_Id] | None = None
    user_errors: list[UserError] = []


class _Image(msgspec.Struct):
    url: str


class _File(msgspec.Struct, rename="camel"):
    file_status: str = ""
    image: _Image | None = None


class _Node(msgspec.Struct):
    node: _File | None = None


@frozen
class ShopFiles:
    connection: Connection
    api: GraphQL

    async def uploaded(self, name: str, picture: Picture, alt: str) -> str:
        """The address of the file. Raises PublishFailed."""
        place = await self._send(name, picture)
        file = {"originalSource": place, "alt": alt, "contentType": "IMAGE", "filename": name}
        made = (await self._mutate("fileCreate", _MAKE, {"files": [file]})).files
        if not made:
            raise PublishFailed(NAME, "its answer holds no file", Refusal.INVALID)
        for wait in PROCESSING_WAITS:
            await asyncio.sleep(wait)
            file_there = (await self.api.query(_LOOK, _Node, {"id": made[0].id})).node or _File()
            if file_there.image is not None and file_there.file_status == "READY":
                return file_there.image.url
            if file_there.file_status == "FAILED":
                raise PublishFailed(NAME, "it could not process the file", Refusal.INVALID)
        raise PublishFailed(NAME, "it has not processed the file in time", Refusal.INVALID)

    async def _send(self, name: str, picture: Picture) -> str:
        """Upload the file's content and return the name of its place. Raises PublishFailed."""
        asked = {
            "filename": name,
            "mimeType": picture.type,
            "fileSize": str(len(picture.content)),
            "httpMethod": "POST",
            "resource": "IMAGE",
        }
        places = (await self._mutate("stagedUploadsCreate", _STAGE, {"input": [asked]})).staged_targets
        if not places:
            raise PublishFailed(NAME, "it named no place for the file", Refusal.INVALID)
        form = {each.name: each.value for each in places[0].parameters}
        target = self.connection.target(NAME, places[0].url)  # without the shop's token: it is a store of files
        await target.call("POST", "", data=form, files={"file": (name, picture.content, picture.type)})
        return places[0].resource_url

    async def _mutate(self, name: str, mutation: str, variables: dict[str, Any]) -> _Changed:
        api = evolve(self.api, hints=_HINTS)
        changed = (await api.mutate(mutation, dict[str, _Changed | None], variables)).get(name) or _Changed()
        api.check(changed.user_errors)
        return changed
