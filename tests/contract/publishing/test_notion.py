"""A workspace of Notion: its pages, what it refuses, and how it says so (version 2026-03-11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

import httpx
import msgspec
import pytest

from contentgen_adapters.publishing.provider import Provider
from contentgen_adapters.publishing.providers.notion import PROVIDER, id_in
from contentgen_adapters.publishing.testing import ProviderContract, Vendor, VendorPost, Wire, a_post, connect
from contentgen_adapters.shared.http import make_client
from contentgen_core.errors import InvalidInput
from contentgen_core.model.publication import PostStatus
from contentgen_core.ports.publishing import LookupUnsupported, PublishFailed, Refusal
from contentgen_core.testing.runtime import MOMENT

SOURCE = "1f2e3d4c-0000-4000-8000-000000000001"
DATABASE = "1f2e3d4c-0000-4000-8000-000000000002"
PAGE = "1f2e3d4c-0000-4000-8000-000000000003"
TOKEN = "ntn_1234567890abcdef"
LONG = "\n\n".join(f"Paragraph {number} of a long text [1]." for number in range(250))


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


class TestNotion(ProviderContract):
    @pytest.fixture
    def vendor(self) -> Vendor:
        return Workspace()

    async def test_what_the_database_has_properties_for_is_kept_there(self) -> None:
        notion = Workspace()
        post = a_post(tags=("Heat, pumps", "Winter"), categories=("Homes",), canonical_url="https://example.com/heat")
        made = await connect(notion, Wire(notion)).create(post)
        held = notion.pages[made.id]["properties"]
        assert _plain(held["External ID"]["rich_text"]) == post.external_key
        assert [option["name"] for option in held["Tags"]["multi_select"]] == ["Heat pumps", "Winter"]
        assert held["Categories"]["select"] == {"name": "Homes"}
        assert held["Canonical URL"]["url"] == "https://example.com/heat"
        assert _plain(held["Excerpt"]["rich_text"]) == post.excerpt
        assert held["Status"]["status"] == {"name": "Published"}
        assert notion.pages[made.id]["cover"] == {"type": "external", "external": {"url": post.featured_image}}

    async def test_a_database_without_other_properties_takes_title_and_text(self) -> None:
        notion = Workspace()
        notion.schema = {"Name": {"id": "title", "type": "title", "title": {}}, "Tags": {"type": "number"}}
        publisher = connect(notion, Wire(notion))
        await publisher.create(a_post())
        assert notion.posts()[0].title == a_post().title
        assert 'text property "External ID"' in await publisher.test()
        with pytest.raises(LookupUnsupported):
            await publisher.find(a_post())

    async def test_properties_may_be_named_otherwise(self) -> None:
        notion = Workspace()
        notion.schema["Schlagworte"] = notion.schema.pop("Tags")
        wire = Wire(notion)
        publisher = PROVIDER.connect(
            notion.credentials, {"properties": {"tags": "Schlagworte"}}, make_client(transport=wire), lambda: MOMENT
        )
        made = await publisher.create(a_post(tags=("Heat",)))
        assert notion.pages[made.id]["properties"]["Schlagworte"]["multi_select"] == [{"name": "Heat"}]
        del notion.schema["Schlagworte"]
        with pytest.raises(PublishFailed, match="Schlagworte") as failure:
            await publisher.create(a_post())
        assert failure.value.refusal is Refusal.INVALID

    async def test_a_long_text_takes_several_requests(self) -> None:
        notion = Workspace()
        wire = Wire(notion)
        made = await connect(notion, wire).create(a_post(markdown=LONG))
        assert sum(request.url.path.endswith("/children") for request in wire.requests) >= 2
        assert len(notion.blocks[made.id]) > 250
        assert "Paragraph 249" in notion.posts()[0].body

    @pytest.mark.parametrize(("status", "code"), [(429, "rate_limited"), (400, "validation_error"), (500, "internal")])
    async def test_a_page_with_half_of_its_text_goes_to_the_trash(self, status: int, code: str) -> None:
        notion = Workspace()
        answer = notion.answer
        notion.answer = lambda request: (  # type: ignore[method-assign]
            error(status, code, "not now") if request.url.path.endswith("/children") else answer(request)
        )
        publisher = connect(notion, Wire(notion))
        with pytest.raises(PublishFailed, match="not now") as failure:
            await publisher.create(a_post(markdown=LONG))
        assert not failure.value.outcome_unknown
        assert failure.value.retryable == (status != 400)
        assert notion.posts() == []
        assert await publisher.find(a_post(markdown=LONG)) is None

    async def test_a_page_that_cannot_be_taken_back_is_perhaps_there(self) -> None:
        notion = Workspace()
        answer = notion.answer
        notion.answer = lambda request: (  # type: ignore[method-assign]
            notion.busy() if request.method == "PATCH" else answer(request)
        )
        publisher = connect(notion, Wire(notion))
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(a_post(markdown=LONG))
        assert failure.value.outcome_unknown
        notion.answer = answer  # type: ignore[method-assign]
        found = await publisher.find(a_post())
        assert found is not None
        await publisher.update(found.id, a_post(markdown=LONG))
        assert [post.body.count("Paragraph 249") for post in notion.posts()] == [1]

    async def test_an_update_replaces_the_text(self) -> None:
        notion = Workspace()
        publisher = connect(notion, Wire(notion))
        made = await publisher.create(a_post(markdown=LONG))
        await publisher.update(made.id, a_post(markdown="Short.", sources=(), tags=()))
        assert [block["type"] for block in notion.blocks[made.id]] == ["paragraph"]
        assert notion.posts()[0].tags == ()

    async def test_a_database_or_a_page_may_be_the_parent(self) -> None:
        notion = Workspace()
        publisher = connect(notion, Wire(notion))
        made = await publisher.create(a_post(options={"parent": DATABASE}))
        assert notion.pages[made.id]["parent"]["data_source_id"] == SOURCE
        below = await publisher.create(a_post(options={"parent": PAGE}))
        assert notion.pages[below.id]["parent"] == {"type": "page_id", "page_id": PAGE}
        assert (await publisher.update(below.id, a_post(title="Another"))).id == below.id
        assert [post.title for post in notion.posts()] == [a_post().title, "Another"]
        with pytest.raises(LookupUnsupported):
            await publisher.find(a_post(options={"parent": PAGE}))

    async def test_a_database_of_several_sources_has_to_be_told_apart(self) -> None:
        notion = Workspace()
        notion.sources_of_the_database.append({"id": PAGE, "name": "Other"})
        with pytest.raises(PublishFailed, match="several data sources"):
            await connect(notion, Wire(notion)).create(a_post(options={"parent": DATABASE}))
        assert notion.posts() == []

    async def test_what_the_connection_may_not_see_is_said_with_the_way_out(self) -> None:
        notion = Workspace()
        with pytest.raises(PublishFailed, match="Connections") as failure:
            await connect(notion, Wire(notion)).create(a_post(options={"parent": DATABASE[:-1] + "9"}))
        assert failure.value.refusal is Refusal.PERMISSION

    async def test_a_draft_needs_a_status_for_it(self) -> None:
        notion = Workspace()
        del notion.schema["Status"]
        draft = a_post(status=PostStatus.DRAFT)
        publisher = connect(notion, Wire(notion))
        for post in (draft, a_post(status=PostStatus.DRAFT, options={"parent": PAGE})):
            with pytest.raises(PublishFailed) as failure:
                await publisher.create(post)
            assert failure.value.refusal is Refusal.INVALID
        assert notion.posts() == []

    async def test_a_status_without_our_value_is_left_to_people(self) -> None:
        notion = Workspace()
        notion.schema["Status"]["status"]["options"] = [{"name": "Done"}]
        made = await connect(notion, Wire(notion)).create(a_post())
        assert "Status" not in notion.pages[made.id]["properties"]

    @pytest.mark.parametrize("field", ["canonical_url", "featured_image"])
    async def test_too_long_an_address_is_refused_before_any_call_that_changes_something(self, field: str) -> None:
        notion = Workspace()
        wire = Wire(notion)
        with pytest.raises(PublishFailed, match="2000") as failure:
            await connect(notion, wire).create(a_post(**{field: "https://example.com/" + "x" * 2000}))
        assert failure.value.refusal is Refusal.INVALID
        assert {request.method for request in wire.requests} == {"GET"}

    async def test_databases_and_pages_can_be_chosen(self) -> None:
        notion = Workspace()
        [field] = await connect(notion, Wire(notion)).options()
        assert [(choice.value, choice.label) for choice in field.choices] == [
            (SOURCE, "Blog (database)"),
            (PAGE, "Notes (page)"),
        ]

    @pytest.mark.parametrize(
        ("status", "code", "refusal"),
        [(409, "conflict_error", Refusal.TRANSIENT), (503, "service_unavailable", Refusal.LIMITED),
         (529, "service_overload", Refusal.LIMITED), (403, "restricted_resource", Refusal.PERMISSION)],
    )  # fmt: skip
    async def test_what_did_nothing_is_known_to_have_done_nothing(
        self, status: int, code: str, refusal: Refusal
    ) -> None:
        notion = Workspace()
        wire = Wire(notion)
        wire.fault = lambda answer, request: error(status, code, "Sorry.")
        with pytest.raises(PublishFailed) as failure:
            await connect(notion, wire).create(a_post())
        assert failure.value.refusal is refusal
        assert not failure.value.outcome_unknown

    @pytest.mark.parametrize("parent", ["Blog", "https://www.notion.so/acme", "1234"])
    def test_a_parent_of_another_form_is_refused(self, parent: str) -> None:
        notion = Workspace()
        with pytest.raises(InvalidInput):
            connect(notion, Wire(notion), {"token": TOKEN, "parent": parent})

    def test_ids_are_read_from_addresses(self) -> None:
        plain = SOURCE.replace("-", "")
        for text in (SOURCE, plain, f"https://notion.so/Cafe-{plain}", f"https://notion.so/a/{plain.upper()}/?v=1#x"):
            assert id_in(text) == SOURCE
