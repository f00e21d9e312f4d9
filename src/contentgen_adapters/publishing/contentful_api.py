"""Contentful's Content Management API: its answers, its errors, and calls to it."""

from __future__ import annotations

import re
from typing import Any, Final

import httpx
import msgspec
from attrs import frozen

from contentgen_adapters.publishing.preparing import response_of, with_reason
from contentgen_adapters.publishing.target import Target, read_as
from contentgen_core.ports.publishing import PublishFailed, Refusal

NAME: Final = "contentful"
CONTENT_TYPE: Final = "application/vnd.contentful.management.v1+json"
ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")


class Sys(msgspec.Struct):
    id: str
    version: int = 0
    published_version: int | None = msgspec.field(default=None, name="publishedVersion")


class Resource(msgspec.Struct):
    """An entry or an asset. `fields`: values by field and locale."""

    sys: Sys
    fields: dict[str, dict[str, Any]] = {}
    metadata: dict[str, Any] | None = None


class Locale(msgspec.Struct):
    code: str
    default: bool = False


class Locales(msgspec.Struct):
    items: list[Locale]


class _Fault(msgspec.Struct):
    name: str = ""
    path: list[Any] = []
    details: Any = None


class _Details(msgspec.Struct):
    errors: list[_Fault] = []


class _Problem(msgspec.Struct):
    message: str
    details: Any = None


@frozen
class ContentfulApi:
    """The Content Management API. `target`: its base is the environment of a space."""

    target: Target

    async def call(self, method: str, path: str, **parts: Any) -> httpx.Response:
        """Send one request. Raises PublishFailed, with Contentful's reason."""
        try:
            return await self.target.call(method, path, **parts)
        except PublishFailed as error:
            answer = response_of(error)
            if answer is None:
                raise
            reason = _reason(answer)
            if reason is None:
                raise
            raise with_reason(self.target, error, reason, retry_after=_reset(answer)) from error.__cause__

    def decoded(self, response: httpx.Response) -> Resource:
        """Decode a response. Raises PublishFailed."""
        return self.target.decoded(response, Resource)

    async def existing(self, kind: str, id: str) -> Resource | None:
        """Return the entry or asset of this id, if it exists. `kind`: `entries` or `assets`. Raises PublishFailed."""
        if not ID.fullmatch(id):
            return None
        try:
            return self.decoded(await self.call("GET", f"/{kind}/{id}"))
        except PublishFailed as error:
            if error.refusal is Refusal.GONE:
                return None
            raise

    async def published(self, kind: str, existing: Resource) -> Resource:
        """Publish the entry or asset and return it. Raises PublishFailed."""
        path = f"/{kind}/{existing.sys.id}/published"
        return self.decoded(await self.call("PUT", path, headers=version(existing)))


def version(existing: Resource) -> dict[str, str]:
    """The header that says which version is changed."""
    return {"X-Contentful-Version": str(existing.sys.version)}


def _reset(response: httpx.Response) -> float | None:
    """The seconds until the rate limit resets, from Contentful's header."""
    text = response.headers.get("x-contentful-ratelimit-reset", "")
    return float(text) if text.isdecimal() and response.status_code == 429 else None


def _reason(response: httpx.Response) -> str | None:
    problem = read_as(response, _Problem)
    if problem is None:
        return None
    try:
        faults = msgspec.convert(problem.details or {}, _Details).errors
    except msgspec.ValidationError:
        faults = []
    said = (f"{'.'.join(map(str, each.path))}: {each.details or each.name}" for each in faults)
    return "; ".join((problem.message, *said))
