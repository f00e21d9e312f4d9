"""Services that have documents, as their vendors describe them: in parts, with limits, and tokens that are revoked."""

from __future__ import annotations

import base64
import json
from typing import Any, ClassVar, Final
from urllib.parse import parse_qs

import httpx
from attrs import define, field
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

PAGE: Final = 2
"""Documents in one part of a listing, whatever number is asked for."""


@define
class Doc:
    title: str
    text: str
    version: int = 1


@define
class Vendor:
    """`docs`: by id. `revoked`: whether the credentials are refused. `busy`: how many of the next requests are refused
    for being too many. `endless`: whether a listing never ends. `answers_html`: a login page for every answer."""

    secret: ClassVar[str] = "a-t0ken-that-nobody-may-see"
    docs: dict[str, Doc] = field(factory=dict)
    revoked: bool = False
    busy: int = 0
    endless: bool = False
    answers_html: bool = False
    requests: list[httpx.Request] = field(factory=list)

    def put(self, number: int, title: str, text: str) -> str:
        """A new or changed document; its id."""
        id = self.id_of(number)
        known = self.docs.get(id)
        self.docs[id] = Doc(title, text, known.version + 1 if known else 1)
        return id

    def id_of(self, number: int) -> str:
        return str(1_000 + number)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if self.answers_html:
            return httpx.Response(200, html="<html>Please log in</html>")
        if self.busy and "token" not in request.url.path:
            self.busy -= 1
            return self.too_many()
        return self.answer(request)

    def too_many(self) -> httpx.Response:
        return httpx.Response(429, headers={"Retry-After": "0"}, json={"message": f"slow down, {self.secret}"})

    def refused(self) -> httpx.Response:
        return httpx.Response(401, json={"message": f"the token {self.secret} is not valid"})

    def answer(self, request: httpx.Request) -> httpx.Response:
        raise NotImplementedError

    def part(self, cursor: str | None) -> tuple[list[str], str | None]:
        """The ids of a part of the listing, and the cursor of the next one."""
        start = int(cursor or 0)
        ids = sorted(self.docs)[start : start + PAGE]
        more = start + PAGE < len(self.docs)
        return ids, "0" if self.endless else str(start + PAGE) if more else None


@define
class NotionStandIn(Vendor):
    """`long`: pages of which one answer gives a part alone. `database`: the id of one that has all pages."""

    long: dict[str, list[str]] = field(factory=dict)
    trashed: set[str] = field(factory=set)
    database: str = "dddddddd-0000-4000-8000-000000000001"

    def id_of(self, number: int) -> str:
        return f"aaaaaaaa-0000-4000-8000-{number:012x}"

    def answer(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/v1")
        if request.headers.get("authorization") != f"Bearer {self.secret}" or self.revoked:
            return self.refused()
        if request.headers.get("notion-version") != "2025-09-03":
            return httpx.Response(400, json={"code": "missing_version"})
        if path in ("/search", "/data_sources/source-of-it/query"):
            body = json.loads(request.content)
            assert body["page_size"] <= 100
            ids, cursor = self.part(body.get("start_cursor"))
            pages = [self._page(id) for id in ids]
            return httpx.Response(200, json={"results": pages, "next_cursor": cursor, "has_more": cursor is not None})
        if path == f"/databases/{self.database}":
            return httpx.Response(200, json={"object": "database", "data_sources": [{"id": "source-of-it"}]})
        id = path.removeprefix("/pages/").removesuffix("/markdown")
        if path.endswith("/markdown") and id in self.docs and id not in self.trashed:
            parts = self.long.get(id, [])
            body = {"object": "page_markdown", "id": id, "markdown": self.docs[id].text, "truncated": bool(parts)}
            return httpx.Response(200, json=body | {"unknown_block_ids": parts})
        return httpx.Response(404, json={"code": "object_not_found"})

    def _page(self, id: str) -> dict[str, Any]:
        doc = self.docs[id]
        title = {"id": "title", "type": "title", "title": [{"plain_text": doc.title}]}
        return {
            "object": "page",
            "id": id,
            "last_edited_time": f"2026-02-01T10:{doc.version:02}:00.000Z",
            "in_trash": id in self.trashed,
            "url": f"https://www.notion.so/{id}",
            "properties": {"Tags": {"type": "multi_select", "multi_select": []}, "Name": title},
        }


@define
class ConfluenceStandIn(Vendor):
    space: str = "HEAT"

    def answer(self, request: httpx.Request) -> httpx.Response:
        login = base64.b64encode(f"ada@a.example:{self.secret}".encode()).decode()
        if request.headers.get("authorization") != f"Basic {login}" or self.revoked:
            return self.refused()
        path, query = request.url.path.removeprefix("/wiki/api/v2"), request.url.params
        if path == "/spaces":
            found = [{"id": "77", "key": self.space}] if query["keys"] == self.space else []
            return httpx.Response(200, json={"results": found, "_links": {}})
        if path == "/spaces/77/pages":
            assert int(query["limit"]) <= 250
            ids, cursor = self.part(query.get("cursor"))
            pages = [self._page(id) for id in ids]
            following = {"next": f"/wiki/api/v2/spaces/77/pages?limit=2&cursor={cursor}"} if cursor else {}
            return httpx.Response(200, json={"results": pages, "_links": {**following, "base": "https://evil.example"}})
        id = path.removeprefix("/pages/")
        if id in self.docs:
            assert query["body-format"] == "view"
            body = {"view": {"representation": "view", "value": f"<p>{self.docs[id].text}</p>"}}
            return httpx.Response(200, json=self._page(id) | {"body": body})
        return httpx.Response(404, json={"errors": [{"status": 404, "code": "NOT_FOUND"}]})

    def _page(self, id: str) -> dict[str, Any]:
        doc = self.docs[id]
        links = {"webui": f"/spaces/{self.space}/pages/{id}/A+page"}
        return {"id": id, "status": "current", "title": doc.title, "version": {"number": doc.version}, "_links": links}


@define
class DriveStandIn(Vendor):
    """Documents lie in a folder within the folder. `more`: further files, by id."""

    folder: str = "root-folder-1"
    more: dict[str, dict[str, Any]] = field(factory=dict)
    incomplete: bool = False
    tokens: int = 0

    def id_of(self, number: int) -> str:
        return f"document-id-{number:04}"

    def too_many(self) -> httpx.Response:
        error = {"errors": [{"reason": "userRateLimitExceeded"}], "code": 403, "message": f"slow down, {self.secret}"}
        return httpx.Response(403, json={"error": error})

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.url.host == "oauth2.googleapis.com":
            return self._token(request)
        if request.headers.get("authorization") != f"Bearer {self.secret}" or self.revoked:
            return self.refused()
        path, query = request.url.path.removeprefix("/drive/v3"), request.url.params
        if path == "/files":
            return self._listing(query)
        id = path.removeprefix("/files/").removesuffix("/export")
        if id not in self.docs and id not in self.more:
            return httpx.Response(404, json={"error": {"errors": [{"reason": "notFound"}], "code": 404}})
        if self.more.get(id, {}).get("too large"):
            error = {"errors": [{"reason": "exportSizeLimitExceeded"}], "code": 403}
            return httpx.Response(403, json={"error": error})
        assert query["alt"] == "media"
        return httpx.Response(200, content=self.docs[id].text.encode())

    def _token(self, request: httpx.Request) -> httpx.Response:
        self.tokens += 1
        sent = parse_qs(request.content.decode())
        assert sent["grant_type"] == ["urn:ietf:params:oauth:grant-type:jwt-bearer"]
        if self.revoked or sent["assertion"][0].count(".") != 2:
            return httpx.Response(400, json={"error": "invalid_grant", "error_description": "Invalid JWT Signature."})
        return httpx.Response(200, json={"access_token": self.secret, "expires_in": 3_599, "token_type": "Bearer"})

    def _listing(self, query: httpx.QueryParams) -> httpx.Response:
        assert query["supportsAllDrives"] == query["includeItemsFromAllDrives"] == "true"
        if query["q"] == f"'{self.folder}' in parents and trashed = false":
            folders = [
                {"id": id, "name": id, "mimeType": "application/vnd.google-apps.folder"}
                for id in ("inner-folder-1", self.folder)
            ]
            return httpx.Response(200, json={"files": folders, "incompleteSearch": self.incomplete})
        ids, cursor = self.part(query.get("pageToken"))
        files: list[dict[str, Any]] = [self._file(id) for id in ids]
        if cursor is None:
            files += [{"id": id, "name": "More", **fields} for id, fields in self.more.items()]
        return httpx.Response(200, json={"files": files} | ({"nextPageToken": cursor} if cursor else {}))

    def _file(self, id: str) -> dict[str, Any]:
        doc = self.docs[id]
        content = {"md5Checksum": f"{doc.version:032}", "size": str(len(doc.text))}
        return {"id": id, "name": f"{doc.title}.md", "mimeType": "text/markdown", **content}


def service_account() -> str:
    """The JSON of a key as Google gives it, with a private key made for the test."""
    key = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    fields = {"type": "service_account", "client_email": "robot@a.iam.gserviceaccount.com", "private_key_id": "k1"}
    return json.dumps(fields | {"private_key": pem, "token_uri": "https://evil.example/token"})
