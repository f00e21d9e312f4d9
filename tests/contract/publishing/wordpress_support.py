"""WordPress as its REST API behaves: users with roles, terms, media, statuses by date, a trash. The suite with a real
WordPress (tests/live) has corrected it where it differed."""

from __future__ import annotations

import base64
import itertools
import re
from collections.abc import Mapping
from datetime import timedelta
from html import escape
from typing import Any, ClassVar

import httpx
import msgspec
from attrs import define, field

from contentgen_adapters.publishing.provider import Provider
from contentgen_adapters.publishing.providers.wordpress import PROVIDER
from contentgen_adapters.publishing.testing import VendorPost
from contentgen_core.model.publication import PostStatus
from contentgen_core.testing.runtime import MOMENT
from tests.contract.publishing.pictures_support import HOST, PNG, picture

PASSWORD = "abcd EFGH 1234 ijkl MNOP 5678"
NOW = MOMENT.strftime("%Y-%m-%dT%H:%M:%S")
SOON = (MOMENT + timedelta(minutes=1)).strftime("%Y-%m-%dT%H:%M:%S")
STATES = {"publish": PostStatus.PUBLISHED, "future": PostStatus.SCHEDULED, "draft": PostStatus.DRAFT}


SHORTCODE = re.compile(r"\[(\[?)(gallery|caption|embed)(?![\w-])[^\]]*\](?:.*\[/\2\])?(\]?)", re.S)
"""As WordPress finds them: in text, code and attributes alike, whatever they stand in; entities are none."""


def error(status: int, code: str, message: str = "no", **data: Any) -> httpx.Response:
    return httpx.Response(status, json={"code": code, "message": message, "data": {"status": status, **data}})


@define
class Site:
    provider: ClassVar[Provider] = PROVIDER
    credentials: ClassVar[Mapping[str, Any]] = {
        "siteUrl": "https://blog.example/news/", "username": "ada", "applicationPassword": PASSWORD,
    }  # fmt: skip
    wrong_credentials: ClassVar[Mapping[str, Any]] = {**credentials, "applicationPassword": "wxyz wxyz wxyz"}
    settings: ClassVar[Mapping[str, Any]] = {}
    options: ClassVar[Mapping[str, Any]] = {}

    rights: dict[str, bool] = field(
        factory=lambda: {"publish_posts": True, "upload_files": True, "terms": True, "meta": True}
    )
    held: dict[int, dict[str, Any]] = field(factory=dict)
    terms: dict[str, dict[int, str]] = field(factory=lambda: {"categories": {1: "Uncategorized"}, "tags": {}})
    media: dict[int, dict[str, Any]] = field(factory=dict)
    type: str = "posts"
    seo: dict[str, Any] = field(factory=dict)
    ids: Any = field(factory=lambda: itertools.count(10))

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.url.host == HOST:
            return picture(request)
        params = dict(request.url.params)
        route = params.pop("rest_route", None)
        if route is None:
            if not request.url.path.startswith("/news/wp-json"):
                return httpx.Response(404, text="<html>Not found</html>")
            route = request.url.path.removeprefix("/news/wp-json")
        token = base64.b64encode(b"ada:abcdEFGH1234ijklMNOP5678").decode()
        known = request.headers.get("authorization") == f"Basic {token}"
        if not known and (refusal := self._to_a_stranger(request, route, params)) is not None:
            return refusal
        if self.type != "posts":
            route = route.replace("/wp/v2/posts", "/wp/v2/none").replace(f"/wp/v2/{self.type}", "/wp/v2/posts")
        match route.removeprefix("/wp/v2/").split("/"):
            case ["users", "me"]:
                return self._me(params)
            case ["users"]:
                return httpx.Response(200, json=[{"id": 7, "name": "Ada &amp; Co"}])  # names are HTML
            case [("categories" | "tags") as taxonomy]:
                return self._terms(request, taxonomy, params)
            case ["media", *id]:
                return self._media(request, id, params)
            case ["posts"] if request.method == "OPTIONS":
                return httpx.Response(200, json={"schema": {"properties": {"meta": {"properties": self.seo or []}}}})
            case ["posts"] if request.method == "GET":
                return self._search(params)
            case ["posts"]:
                return self._write(request, next(self.ids))
            case ["posts", id] if id.isdecimal():
                if int(id) not in self.held:
                    return error(404, "rest_post_invalid_id", "Invalid post ID.")
                if request.method == "GET":
                    return httpx.Response(200, json=self._shown(int(id), params))
                if request.method == "DELETE":
                    if self.held[int(id)]["status"] == "trash":
                        return error(410, "rest_already_trashed", "The post has already been deleted.")
                    self.held[int(id)]["status"] = "trash"
                    return httpx.Response(200, json=self._shown(int(id), params))
                return self._write(request, int(id))
            case _:
                return error(404, "rest_no_route", "No route was found matching the URL and request method.")

    def _to_a_stranger(self, request: httpx.Request, route: str, params: Mapping[str, str]) -> httpx.Response | None:
        """Wrong credentials are no error: they are as good as none, and what is public is answered."""
        if request.method != "GET":
            return error(401, "rest_cannot_create", "Sorry, you are not allowed to create posts as this user.")
        if route == "/wp/v2/users/me":
            return error(401, "rest_not_logged_in", "You are not currently logged in.")
        if route == "/wp/v2/users":
            return error(401, "rest_forbidden_who", "Sorry, you are not allowed to query users by this parameter.")
        if "status" in params:
            fault = {"code": "rest_forbidden_status", "message": "Status is forbidden.", "data": {"status": 401}}
            said = "Invalid parameter(s): status"
            return error(400, "rest_invalid_param", said, params={"status": "no"}, details={"status": fault})
        if params.get("context") == "edit":
            return error(401, "rest_forbidden_context", "Sorry, you are not allowed to edit this post.")
        return None

    def _me(self, params: Mapping[str, str]) -> httpx.Response:
        user: dict[str, Any] = {"id": 7, "name": "Ada &amp; Co", "slug": "ada"}
        if params.get("context") == "edit":
            user |= {"roles": ["author"], "capabilities": {k: v for k, v in self.rights.items() if v} or []}
        return httpx.Response(200, json=user)

    def _terms(self, request: httpx.Request, taxonomy: str, params: Mapping[str, str]) -> httpx.Response:
        known = self.terms[taxonomy]
        if request.method == "GET":
            part = params.get("search", "").lower()  # as it comes: `R&D` does not find `R&amp;D`
            return httpx.Response(200, json=[{"id": i, "name": n} for i, n in known.items() if part in n.lower()])
        if not self.rights["terms"]:
            return error(403, "rest_cannot_create", "Sorry, you are not allowed to create terms in this taxonomy.")
        name = escape(msgspec.json.decode(request.content)["name"])
        for id, held in known.items():
            if held.lower() == name.lower():
                return error(400, "term_exists", "A term with the name provided already exists.", term_id=id)
        id = next(self.ids)
        known[id] = name
        return httpx.Response(201, json={"id": id, "name": name})

    def _media(self, request: httpx.Request, id: list[str], params: Mapping[str, str]) -> httpx.Response:
        if request.method == "GET":
            asked, most = params["slug"].split(","), int(params.get("per_page", "10"))
            return httpx.Response(200, json=[m for m in self.media.values() if m["slug"] in asked][:most])
        if id:
            self.media[int(id[0])] |= msgspec.json.decode(request.content)
            return httpx.Response(200, json=self.media[int(id[0])])
        if not self.rights["upload_files"]:
            return error(403, "rest_cannot_create", "Sorry, you are not allowed to create posts as this user.")
        if not request.headers.get("content-type", "").startswith("image/"):
            return error(400, "rest_upload_no_content_type", "No Content-Type supplied.")
        _, _, name = request.headers.get("content-disposition", "").partition("filename=")
        if not name:
            return error(400, "rest_upload_no_content_disposition", "No Content-Disposition supplied.")
        if request.content != PNG:
            return error(500, "rest_upload_sideload_error", "Sorry, you are not allowed to upload this file type.")
        made = {"id": next(self.ids), "slug": name.strip('"').rpartition(".")[0], "alt_text": "",
                "bytes": len(request.content),
                "source_url": f"https://blog.example/uploads/{next(self.ids)}.png"}  # fmt: skip
        self.media[made["id"]] = made
        return httpx.Response(201, json=made)

    def _search(self, params: Mapping[str, str]) -> httpx.Response:
        found = [
            self._shown(id, params)
            for id, post in self.held.items()
            if post["status"] != "trash"
            and (params.get("status") == "any" or post["status"] == "publish")
            and params.get("search", "") in post["content"]
        ]
        return httpx.Response(200, json=found)

    def _write(self, request: httpx.Request, id: int) -> httpx.Response:
        fields = msgspec.json.decode(request.content)
        if "tags" in fields:
            fields["tags"] = [tag for tag in fields["tags"] if tag in self.terms["tags"]]  # others are passed over
        if fields.get("status", "draft") not in ("publish", "draft", "future", "pending", "private"):
            return error(400, "rest_invalid_param", "Invalid parameter(s): status")
        if fields.get("status") in ("publish", "future") and not self.rights["publish_posts"]:
            return error(403, "rest_cannot_publish", "Sorry, you are not allowed to publish posts in this post type.")
        created = id not in self.held
        post = {**self.held.get(id, {"status": "draft", "date_gmt": None, "tags": []}), **fields}
        if created:
            taken = {held["slug"] for held in self.held.values()}
            while post["slug"] in taken:
                post["slug"] += "-2"
        post["date_gmt"] = post["date_gmt"] or NOW
        if post["status"] in ("publish", "future"):  # the date decides, and what is due within a minute is due
            post["status"] = "future" if post["date_gmt"] >= SOON else "publish"
        meta = post.pop("meta", None)
        self.held[id] = post
        if meta and not self.rights["meta"]:  # the post is there by then
            return error(403, "rest_cannot_update", "Sorry, you are not allowed to edit the custom field.")
        if meta:
            post["meta"] = meta
        return httpx.Response(201 if created else 200, json=self._shown(id, {"context": "edit"}))

    def _shown(self, id: int, params: Mapping[str, str]) -> dict[str, Any]:
        post = self.held[id]
        content = {
            "rendered": SHORTCODE.sub("<div class='gallery'></div>", post["content"]),
            **({"raw": post["content"]} if params.get("context") == "edit" else {}),
        }
        is_public = post["status"] == "publish"
        link = f"https://blog.example/news/{post['slug']}/" if is_public else f"https://blog.example/news/?p={id}"
        return {"id": id, "status": post["status"], "slug": post["slug"], "date_gmt": post["date_gmt"], "link": link,
                "content": content, "title": {"raw": post["title"]}}  # fmt: skip

    def makes_a_post(self, request: httpx.Request) -> bool:
        return request.method == "POST" and request.url.path.endswith("/posts")

    def posts(self) -> list[VendorPost]:
        return [
            VendorPost(
                str(id), post["title"], post["content"], STATES[post["status"]], post["slug"],
                tuple(self.terms["tags"][tag] for tag in post["tags"]),
            )
            for id, post in self.held.items()
            if post["status"] != "trash"
        ]  # fmt: skip

    def remove(self, id: str) -> None:
        self.held[int(id)]["status"] = "trash"

    def edit(self, id: str) -> None:
        self.held[int(id)]["content"] += "<p>By hand.</p>"

    def invalid(self) -> httpx.Response:
        return error(400, "rest_invalid_param", "Invalid parameter: title is too long", params={"title": "too long"})

    def busy(self) -> httpx.Response:
        return httpx.Response(429, text="<html>Slow down</html>", headers={"Retry-After": "30"})
