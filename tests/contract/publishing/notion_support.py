"""A Notion workspace that answers as api.notion.com does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

import httpx
import msgspec

from contentgen_adapters.publishing.provider import Provider
from contentgen_adapters.publishing.providers.notion import PROVIDER
from contentgen_adapters.publishing.testing import VendorPost
from contentgen_core.model.publication import PostStatus

SOURCE = "1f2e3d4c-0000-4000-8000-000000000001"
DATABASE = "1f2e3d4c-0000-4000-8000-000000000002"
PAGE = "1f2e3d4c-0000-4000-8000-000000000003"
TOKEN = "ntn_1234567890abcdef"


def error(status: int, code: str, message: str, **headers: str) -> httpx.Response:
    body = {"object": "error", "status": status, "code": code, "message": message, "request_id": "r-1"}
    return httpx.Response(status, json=body, headers=headers)


def missing(id: str) -> httpx.Response:
    return error(404, "object_not_found", f"Could not find object with ID: {id}. Is it shared with your integration?")


def invalid(message: str) -> httpx.Response:
    return error(400, "validation_error", f"body failed validation: {message}")


class Workspace:
    provider: ClassVar[Provider] = PROVIDER
    credentials: ClassVar[Mapping[str, Any]] = {
        "token": TOKEN,
        "parent": f"https://www.notion.so/acme/Blog-{SOURCE.replace('-', '')}?v=0123456789abcdef0123456789abcdef",
    }
    wrong_credentials: ClassVar[Mapping[str, Any]] = {"token": "ntn_wrong0000000000", "parent": SOURCE}
    settings: ClassVar[Mapping[str, Any]] = {}
    options: ClassVar[Mapping[str, Any]] = {}

    def __init__(self) -> None:
        self.pages: dict[str, dict[str, Any]] = {}
        self.blocks: dict[str, list[dict[str, Any]]] = {}
        self.sources_of_the_database = [{"id": SOURCE, "name": "Blog"}]
        self.schema: dict[str, dict[str, Any]] = {
            "Headline": {"id": "title", "type": "title", "title": {}},
            "External ID": {"id": "a", "type": "rich_text", "rich_text": {}},
            "Tags": {"id": "b", "type": "multi_select", "multi_select": {"options": []}},
            "Categories": {"id": "c", "type": "select", "select": {"options": []}},
            "Excerpt": {"id": "d", "type": "rich_text", "rich_text": {}},
            "Slug": {"id": "e", "type": "rich_text", "rich_text": {}},
            "Canonical URL": {"id": "f", "type": "url", "url": {}},
            "Status": {
                "id": "g",
                "type": "status",
                "status": {"options": [{"name": "Idea"}, {"name": "Draft"}, {"name": "Published"}]},
            },
        }

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.headers.get("Notion-Version") != "2026-03-11":
            return error(400, "missing_version", "Notion-Version header should be defined")
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return error(401, "unauthorized", "API token is invalid.")
        body = msgspec.json.decode(request.content) if request.content else {}
        match request.method, request.url.path.removeprefix("/v1/").split("/"):
            case "GET", ["users", "me"]:
                return httpx.Response(200, json={"object": "user", "type": "bot", "bot": {"workspace_name": "Acme"}})
            case "POST", ["search"]:
                return self._search(body)
            case "GET", ["data_sources", id] if id == SOURCE:
                return httpx.Response(200, json=self._source())
            case "GET", ["databases", id] if id == DATABASE:
                found = {"object": "database", "id": DATABASE, "title": [{"plain_text": "Blog"}]}
                return httpx.Response(200, json={**found, "data_sources": self.sources_of_the_database})
            case "POST", ["data_sources", id, "query"] if id == SOURCE:
                return self._query(body)
            case "POST", ["pages"]:
                return self._create(body)
            case "GET", ["pages", id] if id == PAGE:
                return httpx.Response(200, json=self._parent_page())
            case "GET", ["pages", id] if id in self.pages:
                return httpx.Response(200, json=self.pages[id])
            case "PATCH", ["pages", id] if id in self.pages:
                return self._change(id, body)
            case "PATCH", ["blocks", id, "children"] if id in self.pages:
                return self._append(id, body["children"])
        return missing(request.url.path.rsplit("/", 1)[-1])

    def _source(self) -> dict[str, Any]:
        schema = {name: {**each, "name": name} for name, each in self.schema.items()}
        return {"object": "data_source", "id": SOURCE, "title": [{"plain_text": "Blog"}], "properties": schema}

    def _parent_page(self) -> dict[str, Any]:
        title = {"type": "title", "title": [{"plain_text": "Notes"}]}
        return {"object": "page", "id": PAGE, "url": "https://www.notion.so/Notes", "properties": {"title": title}}

    def _search(self, body: dict[str, Any]) -> httpx.Response:
        assert body["filter"]["property"] == "object"
        data_sources = body["filter"]["value"] == "data_source"
        first = "start_cursor" not in body
        results = [self._source() if data_sources else self._parent_page()] if first or not data_sources else []
        return httpx.Response(
            200,
            json={
                "object": "list",
                "results": results,
                "has_more": data_sources and first,
                "next_cursor": "more" if data_sources and first else None,
            },
        )

    def _query(self, body: dict[str, Any]) -> httpx.Response:
        name, wanted = body["filter"]["property"], body["filter"]["rich_text"]["equals"]
        if self.schema.get(name, {}).get("type") != "rich_text":
            return invalid(f"Could not find property with name or id: {name}")
        results = [
            page
            for page in self.pages.values()
            if not page["in_trash"] and _plain(page["properties"].get(name, {}).get("rich_text", [])) == wanted
        ]
        return httpx.Response(200, json={"object": "list", "results": results, "has_more": False, "next_cursor": None})

    def _create(self, body: dict[str, Any]) -> httpx.Response:
        parent = body["parent"]
        if parent not in ({"type": "data_source_id", "data_source_id": SOURCE}, {"type": "page_id", "page_id": PAGE}):
            return missing(str(parent))
        fault = self._fault(parent, body["properties"]) or _fault_of_blocks(body["children"])
        if fault:
            return invalid(fault)
        id = str(UUID(int=len(self.pages) + 1, version=4))
        self.pages[id] = {
            "object": "page",
            "id": id,
            "url": f"https://www.notion.so/{id.replace('-', '')}",
            "public_url": None,
            "in_trash": False,
            "parent": parent,
            "cover": body.get("cover"),
            "properties": _kept(body["properties"]),
        }
        self.blocks[id] = body["children"]
        return httpx.Response(200, json=self.pages[id])

    def _change(self, id: str, body: dict[str, Any]) -> httpx.Response:
        page = self.pages[id]
        if page["in_trash"] and body.get("in_trash") is not False:
            return invalid("Can't edit block that is archived. You must unarchive the block before editing.")
        if fault := self._fault(page["parent"], body.get("properties", {})):
            return invalid(fault)
        page["properties"] |= _kept(body.get("properties", {}))
        page["cover"] = body.get("cover", page["cover"])
        page["in_trash"] = body.get("in_trash", False)
        if body.get("erase_content"):
            self.blocks[id] = []
        return httpx.Response(200, json=page)

    def _append(self, id: str, children: list[dict[str, Any]]) -> httpx.Response:
        if fault := _fault_of_blocks(children):
            return invalid(fault)
        self.blocks[id] = [*self.blocks[id], *children]
        return httpx.Response(200, json={"object": "list", "results": children, "has_more": False})

    def _fault(self, parent: Mapping[str, Any], properties: Mapping[str, Any]) -> str | None:
        schema = self.schema if parent["type"] == "data_source_id" else {"title": {"type": "title"}}
        for name, value in properties.items():
            if name not in schema:
                return f"{name} is not a property that exists."
            type = schema[name]["type"]
            if [*value] != [type]:
                return f"{name} is expected to be {type}."
            if type in ("rich_text", "title") and any(len(text["text"]["content"]) > 2000 for text in value[type]):
                return "content.length should be ≤ 2000"
            options = value[type] if type == "multi_select" else [value[type]] if type == "select" else []
            if any("," in option["name"] for option in options if option):
                return "Invalid multi_select option, commas not allowed"
            if type == "status" and value[type]["name"] not in self._statuses():
                return f"Status option {value[type]['name']!r} does not exist"
        return None

    def _statuses(self) -> list[str]:
        return [option["name"] for option in self.schema["Status"]["status"]["options"]]

    def makes_a_post(self, request: httpx.Request) -> bool:
        return (request.method, request.url.path) == ("POST", "/v1/pages")

    def posts(self) -> list[VendorPost]:
        return [self._post(page) for page in self.pages.values() if not page["in_trash"]]

    def _post(self, page: dict[str, Any]) -> VendorPost:
        held = page["properties"]
        title = next(value["title"] for value in held.values() if value["type"] == "title")
        status = held.get("Status", {}).get("status") or {}
        return VendorPost(
            page["id"],
            _plain(title),
            _flat(self.blocks[page["id"]]),
            PostStatus.DRAFT if status.get("name") == "Draft" else PostStatus.PUBLISHED,
            _plain(held.get("Slug", {}).get("rich_text", [])) or None,
            tuple(option["name"] for option in held.get("Tags", {}).get("multi_select", [])),
        )

    def remove(self, id: str) -> None:
        self.pages[id]["in_trash"] = True

    def invalid(self) -> httpx.Response:
        return invalid("body.properties.Headline is too long")

    def busy(self) -> httpx.Response:
        return error(429, "rate_limited", "You have been rate limited. Please try again.", **{"Retry-After": "3"})


def _kept(properties: Mapping[str, Any]) -> dict[str, Any]:
    """With the type, and plain texts, as Notion gives them back."""
    return {name: {"type": next(iter(value)), **value} for name, value in properties.items()}


def _plain(texts: list[dict[str, Any]]) -> str:
    return "".join(text["text"]["content"] for text in texts)


def _fault_of_blocks(blocks: list[dict[str, Any]], depth: int = 0) -> str | None:
    if len(blocks) > 100:
        return f"body.children.length should be ≤ 100, instead was {len(blocks)}"
    if depth > 2:
        return "nested too deep"
    for block in blocks:
        content = block[block["type"]]
        if any(len(text["text"]["content"]) > 2000 for text in content.get("rich_text", [])):
            return "content.length should be ≤ 2000"
        if fault := _fault_of_blocks(content.get("children", []), depth + 1):
            return fault
    return None


def _flat(value: Any) -> str:
    match value:
        case {"text": {"content": content, "link": {"url": url}}}:
            return f"{content} ({url})"
        case {"text": {"content": content}}:
            return str(content)
        case dict():
            return " ".join(filter(None, map(_flat, value.values())))
        case list():
            return "\n".join(filter(None, map(_flat, value)))
    return ""
