"""Notion: a post is a page of a database, or below another page (Notion API, version 2026-03-11)."""

from __future__ import annotations

import asyncio
import re
from typing import Any, Final

import httpx
import msgspec
from attrs import evolve, frozen

from contentgen_adapters.publishing.bodies.lengths import units
from contentgen_adapters.publishing.bodies.notion import NotionBlock, blocks
from contentgen_adapters.publishing.bodies.notion_properties import KNOWN, Properties, invalid, rich_text
from contentgen_adapters.publishing.provider import Connection, Provider
from contentgen_adapters.publishing.target import Target, usual_refusal
from contentgen_core.errors import InvalidInput
from contentgen_core.model.publication import PostStatus
from contentgen_core.model.publishing_target import (
    Choice,
    Feature,
    FieldType,
    IntegrationConstraints,
    Post,
    ProviderInfo,
    PublishOptionField,
    RemotePost,
    SettingField,
)
from contentgen_core.ports.publishing import LookupUnsupported, PublishFailed, Refusal

VERSION: Final = "2026-03-11"
LONGEST: Final = 2_000
"""Most characters of a title and of an address."""
_MOST_PAGES: Final = 3  # of a hundred results each
_SHARE: Final = "In Notion, open it, choose … > Connections, and add the connection there."
_ID: Final = re.compile(r"[0-9a-f]{32}$")


class _Page(msgspec.Struct):
    """A page. Without the permission to read, Notion returns the id only."""

    id: str
    url: str | None = None
    public_url: str | None = None
    in_trash: bool = False
    parent: dict[str, Any] = {}
    properties: dict[str, dict[str, Any]] = {}


class _Place(msgspec.Struct):
    """A data source (with its properties) or a page."""

    id: str
    object: str
    properties: dict[str, dict[str, Any]] = {}
    title: list[dict[str, Any]] = []
    data_sources: list[dict[str, Any]] = []

    @property
    def name(self) -> str:
        texts = self.title or next((p["title"] for p in self.properties.values() if p.get("type") == "title"), [])
        return "".join(text.get("plain_text", "") for text in texts) or "Untitled"


class _Found(msgspec.Struct):
    results: list[msgspec.Raw]
    has_more: bool = False
    next_cursor: str | None = None


@frozen
class NotionPublisher:
    connection: Connection
    target: Target
    properties: Properties

    async def test(self) -> str:
        user = self.target.decoded(await self.target.get("/users/me"), dict[str, Any])
        workspace = (user.get("bot") or {}).get("workspace_name") or user.get("name") or "Notion"
        parent = self.connection.credentials.get("parent")
        if not parent:
            return f'Workspace "{workspace}". Choose a database or page when you publish.'
        place = await self._place(parent)
        if place.object == "page":
            return f'Workspace "{workspace}", below the page "{place.name}".'
        said = f'Workspace "{workspace}", database "{place.name}".'
        if "externalId" not in self.properties.used(place.properties):
            name = self.properties.name("externalId")
            said += f' Give it a text property "{name}": by it a post is found after a lost answer.'
        return said

    async def find(self, post: Post) -> RemotePost | None:
        return next(iter(await self.copies(post)), None)

    async def copies(self, post: Post) -> list[RemotePost]:
        place = await self._place_of(post)
        name = None if place.object == "page" else self.properties.used(place.properties).get("externalId")
        if name is None:
            raise LookupUnsupported
        wanted = {"filter": {"property": name, "rich_text": {"equals": post.external_key}}, "page_size": 10}
        answer = await self.target.call("POST", f"/data_sources/{place.id}/query", json=wanted)
        found = self.target.decoded(answer, _Found).results
        return [self._to_remote_post(msgspec.json.decode(each, type=_Page)) for each in found]

    async def create(self, post: Post) -> RemotePost:
        place = await self._place_of(post)
        kind = "page_id" if place.object == "page" else "data_source_id"
        sent = self._page_of(post, place)
        first, *rest = await asyncio.to_thread(blocks, post)
        sent |= {"parent": {"type": kind, kind: place.id}, "children": first}
        page = self.target.decoded(await self.target.call("POST", "/pages", json=sent), _Page)
        try:
            await self._append(page.id, rest)
        except PublishFailed as error:
            raise await self._undone(page.id, error) from error
        return RemotePost(page.id, post.status, page.public_url or page.url)

    async def update(self, remote_id: str, post: Post) -> RemotePost:
        page = await self._page(remote_id)
        if page is None:
            raise PublishFailed("notion", "the page is gone or in the trash", Refusal.GONE)
        source = page.parent.get("data_source_id")
        place = await self._place(source) if source else _Place("", "page")
        sent = {**self._page_of(post, place), "erase_content": True}
        requests = await asyncio.to_thread(blocks, post)
        page = self.target.decoded(await self.target.call("PATCH", f"/pages/{remote_id}", json=sent), _Page)
        await self._append(remote_id, requests)
        return RemotePost(page.id, post.status, page.public_url or page.url)

    async def read(self, remote_id: str) -> RemotePost | None:
        page = await self._page(remote_id)
        return None if page is None else self._to_remote_post(page)

    async def unpublish(self, remote_id: str) -> None:
        """Gives the page's status property the value of a draft: Notion's API knows no other."""
        page = await self._page(remote_id)
        if page is None:
            raise PublishFailed("notion", "the page is gone or in the trash", Refusal.GONE)
        source = page.parent.get("data_source_id")
        if source is None:
            raise invalid("a page below another page is no draft: that takes a database with a status property")
        draft = self.properties.draft_status((await self._place(source)).properties)
        await self.target.call("PATCH", f"/pages/{remote_id}", json={"properties": draft})

    async def delete(self, remote_id: str) -> None:
        await self.target.call("PATCH", f"/pages/{remote_id}", json={"in_trash": True})

    async def options(self) -> tuple[PublishOptionField, ...]:
        choices = [*await self._choices("data_source", "database"), *await self._choices("page", "page")]
        return (evolve(_PARENT, choices=tuple(choices)),)

    async def _choices(self, object: str, label: str) -> list[Choice]:
        made: list[Choice] = []
        cursor: dict[str, str] = {}
        for _ in range(_MOST_PAGES):
            wanted = {"filter": {"property": "object", "value": object}, "page_size": 100, **cursor}
            found = self.target.decoded(await self.target.call("POST", "/search", json=wanted), _Found)
            places = [msgspec.json.decode(each, type=_Place) for each in found.results]
            made += [Choice(place.id, f"{place.name} ({label})") for place in places]
            if not found.has_more or not found.next_cursor:
                break
            cursor = {"start_cursor": found.next_cursor}
        return made

    async def _place_of(self, post: Post) -> _Place:
        chosen = post.options.get("parent") or self.connection.credentials.get("parent")
        if not chosen:
            raise invalid("choose the database or page that the post goes to")
        return await self._place(chosen)

    async def _place(self, chosen: str) -> _Place:
        """The data source or page with this id. The id does not show which it is; an address copied from Notion has the
        id of the database."""
        id = id_in(chosen)
        if id is None:
            raise invalid(f"{chosen[:100]!r} is neither the address nor the id of a database or page")
        for kind in ("data_sources", "databases", "pages"):
            try:
                place = self.target.decoded(await self.target.get(f"/{kind}/{id}"), _Place)
            except PublishFailed as error:
                if error.refusal not in (Refusal.GONE, Refusal.INVALID):
                    raise
                continue
            if kind != "databases":
                return place
            if len(place.data_sources) != 1:
                raise invalid(f'the database "{place.name}" has several data sources: choose one of the list')
            return await self._place(place.data_sources[0]["id"])
        raise PublishFailed("notion", f"the connection sees no database or page there. {_SHARE}", Refusal.PERMISSION)

    def _page_of(self, post: Post, place: _Place) -> dict[str, Any]:
        """The page's parent, properties and cover. Raises PublishFailed."""
        for what, text in (("title", post.title), ("canonical URL", post.canonical_url),
                           ("featured image's address", post.featured_image)):  # fmt: skip
            if text and units(text) > LONGEST:
                raise invalid(f"the {what} is too long: Notion takes {LONGEST} characters")
        if place.object == "page" and post.status is PostStatus.DRAFT:
            raise invalid("a page below another page is no draft: that takes a database with a status property")
        below_page = {"title": {"title": rich_text(post.title)}}
        properties = below_page if place.object == "page" else self.properties.of(post, place.properties)
        cover = {"cover": {"type": "external", "external": {"url": post.featured_image}}} if post.featured_image else {}
        return {"properties": properties, **cover}

    async def _append(self, page: str, requests: list[list[NotionBlock]]) -> None:
        for children in filter(None, requests):
            await self.target.call("PATCH", f"/blocks/{page}/children", json={"children": children})

    async def _undone(self, page: str, error: PublishFailed) -> PublishFailed:
        """Moves an incomplete page to the trash, so that the next attempt starts again."""
        try:
            await self.target.call("PATCH", f"/pages/{page}", json={"in_trash": True})
            left = False
        except PublishFailed:
            left = True
        said = error.detail.removeprefix("notion: ")
        return PublishFailed("notion", said, error.refusal, outcome_unknown=left, retry_after=error.retry_after)

    async def _page(self, id: str) -> _Page | None:
        try:
            page = self.target.decoded(await self.target.get(f"/pages/{id}"), _Page)
        except PublishFailed as error:
            if error.refusal is Refusal.GONE:
                return None
            raise
        return None if page.in_trash else page

    def _to_remote_post(self, page: _Page) -> RemotePost:
        return RemotePost(page.id, self.properties.status_of(page.properties), page.public_url or page.url)


def id_in(text: str) -> str | None:
    """The id, with hyphens, at the end of an address of Notion, or an id itself; None for another text."""
    last = text.strip().split("?")[0].split("#")[0].rstrip("/").rsplit("/", 1)[-1]
    found = _ID.search(last.replace("-", "").lower())
    if found is None:
        return None
    id = found[0]
    return f"{id[:8]}-{id[8:12]}-{id[12:16]}-{id[16:20]}-{id[20:]}"


def _refusal(response: httpx.Response) -> Refusal:
    """Notion's meanings: 409 is a concurrent change (retry), 503 and 529 an overload."""
    match response.status_code:
        case 409:
            return Refusal.TRANSIENT
        case 503:
            return Refusal.LIMITED
        case _:
            return usual_refusal(response)


def _build(connection: Connection) -> NotionPublisher:
    parent, settings = connection.credentials.get("parent"), connection.settings
    names = settings.get("properties") or {}
    if parent and id_in(parent) is None:
        raise InvalidInput.of("credentials.parent", "must be the address or the id of a database or page in Notion")
    if unknown := sorted(set(names) - set(KNOWN)):
        raise InvalidInput.of("settings.properties", f"{unknown[0]!r} is none of {', '.join(KNOWN)}")
    properties = Properties(
        names, settings.get("draftStatus") or "Draft", settings.get("publishedStatus") or "Published"
    )
    headers = {"Authorization": f"Bearer {connection.credentials['token']}", "Notion-Version": VERSION}
    target = connection.target("notion", "https://api.notion.com/v1", headers, _refusal)
    return NotionPublisher(connection, target, properties)


_PARENT: Final = PublishOptionField(
    "parent", "Database or page", FieldType.SELECT, help="Where the post goes, if not where the integration says."
)
PROVIDER: Final = Provider(
    ProviderInfo(
        id="notion",
        name="Notion",
        icon=(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor"'
            ' stroke-width="2"><rect x="4" y="3" width="16" height="18" rx="2"/><path d="M8 8h8M8 12h8M8 16h4"/></svg>'
        ),
        features=(Feature.DRAFT, Feature.PUBLISH, Feature.UPDATE, Feature.FIND, Feature.TAGS, Feature.CATEGORIES,
                  Feature.FEATURED_IMAGE, Feature.EXCERPT, Feature.SLUG, Feature.CANONICAL_URL, Feature.OPTIONS,
                  Feature.UNPUBLISH, Feature.DELETE, Feature.TWINS),
        credential_fields=(
            SettingField("token", "Connection's secret", required=True, secret=True,
                         help="ntn_…: in Notion's developer portal, make an internal connection that may read, insert"
                              " and update content, and copy its secret."),
            SettingField("parent", "Database or page",
                         help=f"Its address (… > Copy link) or id. {_SHARE} Empty: chosen at each publishing."),
        ),
        setting_fields=(
            SettingField("properties", "Names of properties", FieldType.MAP,
                         help="Where yours are named otherwise: "
                              + ", ".join(f"{ours} ({usual})" for ours, (usual, _) in KNOWN.items()) + "."),
            SettingField("draftStatus", "Status of drafts", help="The status of a draft; Draft if empty."),
            SettingField("publishedStatus", "Status of what is published", help="Published if empty."),
        ),
        option_fields=(_PARENT,),
        constraints=IntegrationConstraints(
            body_format="Notion blocks",
            title_max=LONGEST,
            cannot=(
                "Tags, categories, excerpt, slug, canonical URL and status are kept if the database has a property of"
                " that name and a fitting type; a page below a page has none of them.",
                "Drafts take a database with a status property that has a value for drafts.",
                "After a lost answer a post is found by a text property External ID only; without it, a person looks.",
                "Commas in tags become spaces, as Notion takes none.",
                "An update replaces all that is on the page, with what people added to it.",
                "Notion cannot publish at a later time; that is done for it.",
                "The page is for those whom the workspace lets see it, unless it is shared to the web in Notion.",
                "Free workspaces of several members hold 1,000 blocks in all.",
            ),
            unverified=(
                "That tags unknown so far are made by using them.",
                "That a new page is found within 5 seconds.",
                "How an id of another kind is answered.",
            ),
        ),
        found_after=5.0,
    ),
    _build,
)  # fmt: skip
