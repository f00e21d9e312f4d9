"""Webflow's Data API: its errors, and the pictures of a site, which are sent to a place that Webflow names."""

from __future__ import annotations

import hashlib
from typing import Final

import httpx
import msgspec
from attrs import frozen

from contentgen_adapters.publishing.pictures import Picture
from contentgen_adapters.publishing.provider import Connection
from contentgen_adapters.publishing.target import Target, read_as, usual_refusal
from contentgen_adapters.publishing.webflow_fields import NAME
from contentgen_core.ports.publishing import PublishFailed, Refusal

MAX_BYTES: Final = 4 * 1024 * 1024
_LONGEST_NAME: Final = 99


class _Detail(msgspec.Struct):
    param: str | None = None
    description: str | None = None


class _Problem(msgspec.Struct):
    details: list[_Detail | str] = []


class _Asset(msgspec.Struct, rename="camel"):
    upload_url: str
    hosted_url: str
    upload_details: dict[str, str] = {}


@frozen
class SiteAssets:
    """The files of a site. `site`: its id."""

    connection: Connection
    target: Target
    site: str

    async def uploaded(self, name: str, picture: Picture, alt: str) -> str:
        """The address of the picture. Raises PublishFailed."""
        if len(picture.content) > MAX_BYTES:
            raise PublishFailed(NAME, f"it is larger than {MAX_BYTES // 1024 // 1024} MB", Refusal.INVALID)
        name = name[-_LONGEST_NAME:]
        asked = {"fileName": name, "fileHash": hashlib.md5(picture.content, usedforsecurity=False).hexdigest()}
        made = self.target.decoded(await self.target.call("POST", f"/sites/{self.site}/assets", json=asked), _Asset)
        store = self.connection.target(NAME, made.upload_url)  # without the token
        form = {"file": (name, picture.content, picture.type)}
        await store.call("POST", "", data=made.upload_details, files=form)
        return made.hosted_url


def details_of(response: httpx.Response) -> str:
    """Return the details in the answer to a refused call, besides its message."""
    problem = read_as(response, _Problem) or _Problem()
    parts = (d if isinstance(d, str) else f"{d.param}: {d.description}" for d in problem.details)
    return "; ".join(parts)[:300]


def refusal_of(response: httpx.Response) -> Refusal:
    """Webflow answers 400 for a slug that is taken, as for other faults."""
    if response.status_code == 400 and "Unique value is already in database" in response.text:
        return Refusal.CONFLICT
    return usual_refusal(response)
