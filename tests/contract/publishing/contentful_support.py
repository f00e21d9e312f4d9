"""Contentful as its Content Management API behaves: versions, ids of the client's, publishing apart, assets fetched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import httpx
import msgspec
from attrs import define, field

from contentgen_adapters.publishing.provider import Provider
from contentgen_adapters.publishing.providers.contentful import PROVIDER
from contentgen_adapters.publishing.testing import VendorPost, a_post
from contentgen_core.model.publication import PostStatus
from tests.contract.publishing.pictures_support import HOST, picture

TOKEN = "CFPAT-" + "x7Yz" * 10
BASE = "/spaces/abc123/environments/master"
MAP = {
    "title": "title", "body": "body", "slug": "slug", "excerpt": "teaser", "featuredImage": "hero", "tags": "keywords",
    "canonicalUrl": "canonical",
}  # fmt: skip
KEY = a_post().external_key


def error(status: int, id: str, message: str, *faults: Mapping[str, Any], **headers: str) -> httpx.Response:
    body = {"sys": {"type": "Error", "id": id}, "message": message, "requestId": "r1"}
    if faults:
        body["details"] = {"errors": [*faults]}
    return httpx.Response(status, json=body, headers=headers)


def a_field(id: str, type: str, **more: Any) -> dict[str, Any]:
    return {
        "id": id,
        "name": id.title(),
        "type": type,
        "localized": False,
        "required": False,
        "validations": [],
        **more,
    }


@define
class Space:
    """`entries` and `assets`: by id, with `sys` and `fields`."""

    provider: ClassVar[Provider] = PROVIDER
    credentials: ClassVar[Mapping[str, Any]] = {"managementToken": TOKEN, "spaceId": "abc123"}
    wrong_credentials: ClassVar[Mapping[str, Any]] = {**credentials, "managementToken": "CFPAT-" + "wrong" * 8}
    settings: ClassVar[Mapping[str, Any]] = {
        "contentTypeId": "blogPost", "fieldMap": MAP, "urlTemplate": "https://www.example.com/blog/{slug}",
    }  # fmt: skip
    options: ClassVar[Mapping[str, Any]] = {}

    content_fields: dict[str, dict[str, Any]] = field(
        factory=lambda: {
            each["id"]: each
            for each in (
                a_field("title", "Symbol", required=True),
                a_field("body", "RichText", required=True, localized=True),
                a_field("slug", "Symbol"),
                a_field("teaser", "Text", validations=[{"size": {"max": 20}}]),
                a_field("hero", "Link", linkType="Asset"),
                a_field("keywords", "Array", items={"type": "Symbol", "validations": []}),
                a_field("canonical", "Symbol"),
                a_field("rating", "Integer"),
            )
        }
    )
    entries: dict[str, dict[str, Any]] = field(factory=dict)
    assets: dict[str, dict[str, Any]] = field(factory=dict)
    looks_until_processed: int = 1
    uploads: list[bytes] = field(factory=list)
    may_upload: bool = True
    calls: list[str] = field(factory=list)

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.url.host == HOST:
            return picture(request)
        assert request.url.host in ("api.contentful.com", "api.eu.contentful.com", "upload.contentful.com")
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return error(401, "AccessTokenInvalid", "The access token you sent could not be found or is invalid.")
        if not request.url.path.startswith(BASE):
            return error(404, "NotFound", "The resource could not be found.")
        path = request.url.path.removeprefix(BASE)
        self.calls.append(f"{request.method} {path}")
        match path.split("/")[1:]:
            case []:
                return httpx.Response(200, json={"name": "master", "sys": {"type": "Environment", "id": "master"}})
            case ["uploads"] if request.url.host == "upload.contentful.com":
                return self._upload(request)
            case ["assets"]:
                asked = request.url.params["sys.id[in]"].split(",")
                items = [self._looked_at(asset) for id, asset in self.assets.items() if id in asked]
                return httpx.Response(200, json={"items": items})
            case ["locales"]:
                locales = [{"code": "en-US", "default": True}, {"code": "de-DE", "default": False}]
                return httpx.Response(200, json={"items": locales})
            case ["content_types", "blogPost"]:
                return httpx.Response(200, json={"name": "Blog post", "fields": [*self.content_fields.values()]})
            case ["entries", id, *rest]:
                return self._held(request, self.entries, id, rest)
            case ["assets", id, *rest]:
                return self._held(request, self.assets, id, rest)
            case _:
                return error(404, "NotFound", "The resource could not be found.")

    def _upload(self, request: httpx.Request) -> httpx.Response:
        if not self.may_upload:
            return error(403, "AccessDenied", "Forbidden")
        assert request.headers["content-type"] == "application/octet-stream"
        self.uploads.append(request.content)
        return httpx.Response(201, json={"sys": {"type": "Upload", "id": f"upload{len(self.uploads)}"}})

    def _held(
        self, request: httpx.Request, kind: dict[str, dict[str, Any]], id: str, rest: list[str]
    ) -> httpx.Response:
        held = kind.get(id)
        if request.method == "GET" or (held is None and rest):
            if held is None:
                return error(404, "NotFound", "The resource could not be found.")
            return httpx.Response(200, json=self._looked_at(held))
        if held is not None and request.headers.get("x-contentful-version") != str(held["sys"]["version"]):
            return error(409, "VersionMismatch", "Version mismatch")
        match rest:
            case ["files", locale, "process"]:
                assert held is not None
                held["looks"], held["locale"] = self.looks_until_processed, locale
                return httpx.Response(204)
            case ["published"]:
                assert held is not None
                return self._published(request, kind, held)
            case _ if request.method == "DELETE":
                if held is None or "publishedVersion" in held["sys"]:
                    return error(400, "BadRequest", "Cannot delete published")
                del kind[id]
                return httpx.Response(204)
            case _:
                return self._stored(request, kind, id, held)

    def _looked_at(self, asset: dict[str, Any]) -> dict[str, Any]:
        if "looks" in asset:
            asset["looks"] -= 1
            if asset["looks"] <= 0:
                file = asset["fields"]["file"][asset["locale"]]
                file["url"] = f"//images.ctfassets.net/{file['fileName']}"
                file.pop("upload", None)
                file.pop("uploadFrom", None)
                asset["sys"]["version"] += 1
                del asset["looks"]
        return {name: value for name, value in asset.items() if name not in ("looks", "locale")}

    def _stored(
        self, request: httpx.Request, kind: dict[str, dict[str, Any]], id: str, held: dict[str, Any] | None
    ) -> httpx.Response:
        assert request.headers["content-type"] == "application/vnd.contentful.management.v1+json"
        body = msgspec.json.decode(request.content)
        if kind is self.entries:
            if held is None and request.headers.get("x-contentful-content-type") != "blogPost":
                return error(400, "BadRequest", "The content type is missing.")
            for name, by_locale in body["fields"].items():
                declared = self.content_fields.get(name)
                locales = ("en-US", "de-DE") if declared and declared["localized"] else ("en-US",)
                if declared is None or set(by_locale) - set(locales):
                    fault = {"name": "unknown", "path": ["fields", name]}
                    return error(422, "ValidationFailed", "Validation error", fault)
        sys: dict[str, Any] = held["sys"] if held else {"id": id, "version": 0}
        kind[id] = {"sys": {**sys, "version": sys["version"] + 1}, **body}
        return httpx.Response(200 if held else 201, json=kind[id])

    def _published(
        self, request: httpx.Request, kind: dict[str, dict[str, Any]], held: dict[str, Any]
    ) -> httpx.Response:
        sys = held["sys"]
        if request.method == "DELETE":
            sys.pop("publishedVersion", None)
        else:
            for name, declared in self.content_fields.items() if kind is self.entries else ():
                if declared["required"] and name not in held["fields"]:
                    fault = {"name": "required", "path": ["fields", name], "details": f'"{name}" is required'}
                    return error(422, "ValidationFailed", "Validation error", fault)
            sys["publishedVersion"] = sys["version"]
        sys["version"] += 1
        return httpx.Response(200, json=self._looked_at(held))

    def makes_a_post(self, request: httpx.Request) -> bool:
        is_entry = request.url.path.startswith(f"{BASE}/entries/") and not request.url.path.endswith("/published")
        return request.method == "PUT" and is_entry and "x-contentful-version" not in request.headers

    def posts(self) -> list[VendorPost]:
        def value(entry: Mapping[str, Any], name: str) -> Any:
            return next(iter(entry["fields"].get(name, {"": ""}).values()))

        return [
            VendorPost(
                id, value(entry, "title"), "".join(texts(value(entry, "body"))),
                PostStatus.PUBLISHED if "publishedVersion" in entry["sys"] else PostStatus.DRAFT,
                value(entry, "slug"), tuple(value(entry, "keywords")),
            )
            for id, entry in self.entries.items()
        ]  # fmt: skip

    def remove(self, id: str) -> None:
        del self.entries[id]

    def edit(self, id: str) -> None:
        self.entries[id]["fields"]["title"]["en-US"] += " by hand"

    def invalid(self) -> httpx.Response:
        fault = {"name": "size", "path": ["fields", "title", "en-US"], "details": "Size must be at most 256: too long"}
        return error(422, "ValidationFailed", "Validation error", fault)

    def busy(self) -> httpx.Response:
        limits = {"X-Contentful-RateLimit-Reset": "3"}
        return error(429, "RateLimitExceeded", "You have exceeded the rate limit", **limits)


def texts(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif node:
        yield node.get("value", "")
        yield f" {node['data'].get('uri', '')} "
        for child in node.get("content", ()):
            yield from texts(child)
