"""Strapi 4 and 5, which answer as the real ones do."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from typing import Any, ClassVar

import httpx
import msgspec
from attrs import define, evolve, field

from contentgen_adapters.publishing.provider import Provider
from contentgen_adapters.publishing.providers.strapi import PROVIDER
from contentgen_adapters.publishing.testing import VendorPost
from contentgen_core.model.publication import PostStatus
from tests.contract.publishing.pictures_support import HOST, form_of, picture

TOKEN = "f00d" * 64
MAP = {
    "title": "headline", "body": "text", "slug": "slug", "excerpt": "teaser", "featuredImage": "cover",
    "tags": "tags", "categories": "topics", "canonicalUrl": "canonical",
}  # fmt: skip
SCALARS = {"headline", "text", "slug", "teaser", "canonical", "topics", "ourKey", "publishedAt", "locale"}


def error(status: int, name: str, message: str, *faults: tuple[str, str]) -> httpx.Response:
    details = {"errors": [{"path": [path], "message": text, "name": name} for path, text in faults]} if faults else {}
    problem = {"status": status, "name": name, "message": message, "details": details}
    return httpx.Response(status, json={"data": None, "error": problem})


@define
class Cms:
    """`documents`: fields by version (`draft`, `published`)."""

    provider: ClassVar[Provider] = PROVIDER
    credentials: ClassVar[Mapping[str, Any]] = {"baseUrl": "https://cms.example/admin/", "apiToken": TOKEN}
    wrong_credentials: ClassVar[Mapping[str, Any]] = {**credentials, "apiToken": "beef" * 64}
    settings: ClassVar[Mapping[str, Any]] = {
        "pluralApiId": "articles", "fieldMap": MAP, "tagsCollection": "tags",
        "urlTemplate": "https://www.example.com/blog/{slug}",
    }  # fmt: skip
    options: ClassVar[Mapping[str, Any]] = {}

    documents: dict[str, dict[str, dict[str, Any]]] = field(factory=dict)
    tags: dict[str, str] = field(factory=dict)
    files: list[dict[str, Any]] = field(factory=list)
    requests: list[httpx.Request] = field(factory=list)
    numbers: Any = field(factory=lambda: itertools.count(1))
    rights: set[str] = field(factory=lambda: {"find", "create", "update"})
    may_upload: bool = True
    five: ClassVar[bool] = True

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.url.host == HOST:
            return picture(request)
        self.requests.append(request)
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return error(401, "UnauthorizedError", "Missing or invalid credentials")
        match request.url.path.split("/")[1:]:
            case ["api", "upload"]:
                return self._upload(request)
            case ["api", "tags"]:
                return self._tags(request)
            case ["api", "articles"] if request.method == "GET":
                return self._unknown_name(request) or self._list(request)
            case ["api", "articles", *id] if request.method in ("POST", "PUT") and self._refused_write(request):
                return self._refused_write(request) or error(500, "InternalServerError", "unreachable")
            case ["api", "articles"]:
                return self._write(request, f"doc{next(self.numbers):021}", created=True)
            case ["api", "articles", id] if id in self.documents and request.method == "DELETE":
                del self.documents[id]
                return httpx.Response(204)
            case ["api", "articles", id] if id in self.documents:
                return self._read(request, id) if request.method == "GET" else self._write(request, id, created=False)
            case _:
                return error(404, "NotFoundError", "Not Found")

    def _refused_write(self, request: httpx.Request) -> httpx.Response | None:
        """Rights come first, then the form of the body; only then is the entry looked for."""
        if {"POST": "create", "PUT": "update"}[request.method] not in self.rights:
            return error(403, "ForbiddenError", "Forbidden")
        if not isinstance(msgspec.json.decode(request.content).get("data"), dict):
            return error(400, "ValidationError", 'Missing "data" payload in the request body')
        return None

    def _unknown_name(self, request: httpx.Request) -> httpx.Response | None:
        """Names in `fields` and `populate` are those of the content type, whether there are entries or not."""
        scalars = {*SCALARS - {"ourKey"}, "documentId" if self.five else "tags"}
        for parameter, known in (("fields[0]", scalars), ("populate[0]", {"cover", "tags"})):
            name = request.url.params.get(parameter)
            if name is not None and name not in known:
                return error(400, "ValidationError", f"Invalid key {name}")
        return None

    def _upload(self, request: httpx.Request) -> httpx.Response:
        if not self.may_upload:
            return error(403, "ForbiddenError", "Forbidden")
        form = form_of(request)
        info = msgspec.json.decode(form["fileInfo"].content)
        file = {"id": next(self.numbers), "name": info["name"], "alternativeText": info["alternativeText"],
                "bytes": form["files"].content}  # fmt: skip
        self.files.append(file)
        shown = {"hash": "h", "ext": ".png", "mime": "image/png", "provider": "local", "size": 0.08, "width": 9,
                 "height": 9, "createdAt": "2026-11-21", "updatedAt": "2026-11-21"}  # fmt: skip
        shown |= {"id": file["id"], "name": file["name"], "url": f"/uploads/{file['name']}"}
        return httpx.Response(201, json=[shown])

    def _tags(self, request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            id, name = f"tag{next(self.numbers)}", msgspec.json.decode(request.content)["data"]["name"]
            self.tags[id] = name
            return httpx.Response(201, json={"data": {"id": 1, "documentId": id, "name": name}, "meta": {}})
        wanted = request.url.params.get("filters[name][$eq]")
        found = [{"documentId": id, "name": n} for id, n in self.tags.items() if wanted in (None, n)]
        return httpx.Response(200, json={"data": found, "meta": {}})

    def _list(self, request: httpx.Request) -> httpx.Response:
        version = request.url.params.get("status", "published")
        held = [(id, versions[version]) for id, versions in self.documents.items() if version in versions]
        for name, value in request.url.params.items():
            if wanted := re.fullmatch(r"filters\[(\w+)\]\[\$eq\]", name):
                held = [(id, fields) for id, fields in held if fields.get(wanted[1]) == value]
        return httpx.Response(200, json={"data": [self._shown(id, f) for id, f in held], "meta": {"pagination": {}}})

    def _read(self, request: httpx.Request, id: str) -> httpx.Response:
        fields = self.documents[id].get(request.url.params.get("status", "published"))
        if fields is None:
            return error(404, "NotFoundError", "Not Found")
        return httpx.Response(200, json={"data": self._shown(id, fields, request.url.params.get("populate"))})

    def _write(self, request: httpx.Request, id: str, *, created: bool) -> httpx.Response:
        data = msgspec.json.decode(request.content)["data"]
        data.pop("publishedAt", None)  # passed over: the parameter decides
        unknown = set(data) - SCALARS - {"cover", "tags"}
        if unknown:
            return error(400, "ValidationError", f"Invalid key {next(iter(unknown))}")
        others = [v["draft"]["slug"] for other, v in self.documents.items() if other != id]
        if data.get("slug") in others:
            fault = ("slug", "This attribute must be unique")
            return error(400, "ValidationError", "This attribute must be unique", fault)
        if len(data["headline"]) > 255 or not set(data.get("tags", [])) <= set(self.tags):
            return error(500, "InternalServerError", "Internal Server Error")
        versions = self.documents.setdefault(id, {"draft": {"publishedAt": None}})
        versions["draft"].update(data)
        status = request.url.params.get("status", "published")
        if status == "published":
            versions["published"] = {**versions["draft"], "publishedAt": "2026-11-21T00:00:00.000Z"}
        return httpx.Response(201 if created else 200, json={"data": self._shown(id, versions[status]), "meta": {}})

    def _shown(self, id: str, fields: Mapping[str, Any], populate: str | None = None) -> dict[str, Any]:
        shown = {"id": 1, "documentId": id, **{name: fields.get(name) for name in SCALARS if name != "ourKey"}}
        if populate:
            files = [file for file in self.files if file["id"] == fields.get(populate)]
            shown[populate] = {"id": files[0]["id"], "name": files[0]["name"]} if files else None
        return shown

    def makes_a_post(self, request: httpx.Request) -> bool:
        return request.method == "POST" and request.url.path == "/api/articles"

    def posts(self) -> list[VendorPost]:
        return [self._post(id, versions) for id, versions in self.documents.items()]

    def _post(self, id: str, versions: dict[str, dict[str, Any]]) -> VendorPost:
        fields = versions.get("published", versions["draft"])
        body = fields["text"] if isinstance(fields["text"], str) else msgspec.json.encode(fields["text"]).decode()
        status = PostStatus.PUBLISHED if "published" in versions else PostStatus.DRAFT
        tags = tuple(self.tags.get(tag, tag) for tag in fields.get("tags", []))
        return VendorPost(id, fields["headline"], body, status, fields.get("slug"), tags)

    def remove(self, id: str) -> None:
        del self.documents[id]

    def edit(self, id: str) -> None:
        for version in self.documents[id].values():
            version["headline"] += " by hand"

    def invalid(self) -> httpx.Response:
        return error(400, "ValidationError", "2 errors occurred", ("headline", "headline is too long"))

    def busy(self) -> httpx.Response:
        return httpx.Response(429, text="Too many requests", headers={"Retry-After": "5"})


class FourCms(Cms):
    """Strapi 4: fields below `attributes`, numbers as ids, `publishedAt` written by whoever calls."""

    settings: ClassVar[Mapping[str, Any]] = {
        **{k: v for k, v in Cms.settings.items() if k != "tagsCollection"}, "majorVersion": "4", "bodyKind": "blocks",
    }  # fmt: skip
    five: ClassVar[bool] = False

    def _list(self, request: httpx.Request) -> httpx.Response:
        shown = [
            self._shown(id, versions["draft"])
            for id, versions in self.documents.items()
            if versions["draft"]["slug"] == request.url.params.get("filters[slug][$eq]", versions["draft"]["slug"])
            and (versions["draft"]["publishedAt"] or request.url.params.get("publicationState") == "preview")
        ]
        return httpx.Response(200, json={"data": shown, "meta": {}})

    def _read(self, request: httpx.Request, id: str) -> httpx.Response:
        shown = self._shown(id, self.documents[id]["draft"], request.url.params.get("populate"))
        return httpx.Response(200, json={"data": shown, "meta": {}})

    def _write(self, request: httpx.Request, id: str, *, created: bool) -> httpx.Response:
        data = msgspec.json.decode(request.content)["data"]
        if set(data) - SCALARS - {"cover", "tags"}:
            return error(400, "ValidationError", "Invalid key")
        id = id.removeprefix("doc").lstrip("0")
        versions = self.documents.setdefault(id, {"draft": {"publishedAt": "2026-11-21T00:00:00.000Z"}})
        versions["draft"].update(data)
        return httpx.Response(200, json={"data": self._shown(id, versions["draft"]), "meta": {}})

    def _shown(self, id: str, fields: Mapping[str, Any], populate: str | None = None) -> dict[str, Any]:
        shown = {name: value for name, value in fields.items() if name != "cover"}
        if populate:
            files = [file for file in self.files if file["id"] == fields.get(populate)]
            media = {"id": files[0]["id"], "attributes": {"name": files[0]["name"]}} if files else None
            shown[populate] = {"data": media}
        return {"id": int(id), "attributes": shown}

    def _post(self, id: str, versions: dict[str, dict[str, Any]]) -> VendorPost:
        status = PostStatus.PUBLISHED if versions["draft"]["publishedAt"] else PostStatus.DRAFT
        return evolve(super()._post(id, versions), status=status)
