"""Read Notion: the pages of a workspace that are shared with a connection, or those of one database."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from attrs import define, evolve, field

from contentgen_adapters.shared.outgoing.guard import AddressGuard
from contentgen_adapters.sources.files import text_of_file
from contentgen_adapters.sources.provider import Connection, SourceProvider
from contentgen_adapters.sources.service import Cursors, Service
from contentgen_core.model.publishing_target import SettingField
from contentgen_core.model.synced_source import ListedItem, SkipReason, SourceKind, SourceKindInfo, SyncedSource
from contentgen_core.ports.source_reading import (
    ItemGone,
    ItemSkipped,
    ItemText,
    OpenSource,
    SourceUnavailable,
    WithoutAddresses,
)

NAME: Final = "Notion"
BASE: Final = "https://api.notion.com/v1"
VERSION: Final = "2025-09-03"
PAUSE: Final = 0.34
"""Seconds between two requests: three a second on average are allowed."""
WORKSPACE: Final = "workspace"
MOST_PARTS: Final = 100
"""Further requests for the parts of a page that is too long for one answer."""
SETTLED: Final = timedelta(minutes=2)
"""Times of changes are of whole minutes: a page may change once more within the minute in which it was read."""
_PAGE: Final = 100
_ID: Final = re.compile(r"([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})(?![0-9a-f])")
_TAG: Final = re.compile(r"</?[a-z][a-z_-]*(?:\s[^<>]*)?/?>")
_ATTRIBUTES: Final = re.compile(r"[ \t]*\{[a-z_]+=\"[^\"}\n]*\"(?:[ \t]+[a-z_]+=\"[^\"}\n]*\")*\}")


class _Page(msgspec.Struct):
    id: str
    object: str = "page"
    last_edited_time: str = ""
    in_trash: bool = False
    archived: bool = False
    url: str | None = None
    properties: dict[str, Any] = {}


class _Pages(msgspec.Struct):
    results: list[_Page]
    next_cursor: str | None = None


class _DataSource(msgspec.Struct):
    id: str


class _Database(msgspec.Struct):
    data_sources: list[_DataSource] = []


class _Markdown(msgspec.Struct):
    markdown: str
    unknown_block_ids: list[str] = []


@define
class NotionPages(WithoutAddresses):
    service: Service
    connection: Connection
    _found: dict[str, _Page] = field(factory=dict, init=False)

    async def items(self) -> AsyncIterator[Sequence[ListedItem]]:
        for path, body in await self._listings():
            cursors, cursor = Cursors(NAME), None
            while True:
                asked = {**body, "page_size": _PAGE} | ({"start_cursor": cursor} if cursor else {})
                answer = await self.service.listed(_Pages, path, method="POST", json=asked)
                pages = [p for p in answer.results if p.object == "page" and not p.in_trash and not p.archived]
                self._found |= {page.id: page for page in pages}
                yield [ListedItem(page.id, self._fingerprint(page), _title(page) or None) for page in pages]
                cursor = cursors.following(answer.next_cursor)
                if cursor is None:
                    break

    async def read(self, key: str, known: str | None = None) -> ItemText:
        read = self.service.decoded(_Markdown, await self.service.item(f"/pages/{key}/markdown"))
        parts, waiting, seen = [read.markdown], list(read.unknown_block_ids), {key}
        while waiting:
            block = waiting.pop()
            if block in seen or not _ID.fullmatch(block):
                continue
            if len(seen) > MOST_PARTS:
                raise ItemSkipped(SkipReason.TOO_LARGE, sum(map(len, parts)))
            seen.add(block)
            with suppress(ItemGone, ItemSkipped):  # a part that is not shared with the connection
                further = self.service.decoded(_Markdown, await self.service.item(f"/pages/{block}/markdown"))
                parts.append(further.markdown)
                waiting += further.unknown_block_ids
        page = self._found.get(key)
        content = _plain("\n\n".join(parts)).encode("utf-8", "replace")
        tenant, uploads = self.connection.source.tenant_id, self.connection.around.uploads
        found = await text_of_file(uploads, content, "page.md", key, tenant, url=page.url if page else None)
        title = _title(page) if page else ""
        return evolve(found, text=evolve(found.text, title=title)) if title else found

    async def _listings(self) -> list[tuple[str, Mapping[str, Any]]]:
        """Return the requests that list pages, by path and body. Pages that change meanwhile move to the end, and are
        still seen.
        """
        place = self.connection.source.place
        if place == WORKSPACE:
            sort = {"direction": "ascending", "timestamp": "last_edited_time"}
            return [("/search", {"filter": {"property": "object", "value": "page"}, "sort": sort})]
        id = _id_of(place)
        try:
            sources = (await self.service.listed(_Database, f"/databases/{id}")).data_sources
        except SourceUnavailable:  # it may be the id of one of its data sources
            sources = [_DataSource(str(id))]
        sorts = [{"direction": "ascending", "timestamp": "last_edited_time"}]
        return [(f"/data_sources/{source.id}/query", {"sorts": sorts}) for source in sources]

    def _fingerprint(self, page: _Page) -> str | None:
        try:
            edited = datetime.fromisoformat(page.last_edited_time)
            settled = self.connection.around.now() - edited >= SETTLED
        except (ValueError, TypeError):
            return None
        return page.last_edited_time if settled else None


def _title(page: _Page) -> str:
    for value in page.properties.values():
        if isinstance(value, dict) and value.get("type") == "title" and isinstance(value.get("title"), list):
            texts = (each.get("plain_text", "") for each in value["title"] if isinstance(each, dict))
            return " ".join("".join(map(str, texts)).split())
    return ""


def _plain(markdown: str) -> str:
    """Notion's Markdown without what only Notion reads in it: tags around blocks, and attributes of lines."""
    return _ATTRIBUTES.sub("", _TAG.sub("", markdown))


def _id_of(place: str) -> str | None:
    """Return the id in an address of Notion; an id stays as it is."""
    found = _ID.findall(place.partition("?")[0].lower())
    return "-".join(found[-1]) if found else None


def _fault_of(source: SyncedSource, guard: AddressGuard) -> str | None:
    if source.place == WORKSPACE or (len(source.place.split()) == 1 and _id_of(source.place)):
        return None
    return f"needs {WORKSPACE}, or the address or id of a database"


@asynccontextmanager
async def _open(connection: Connection) -> AsyncIterator[OpenSource]:
    headers = {"Authorization": f"Bearer {connection.settings['token']}", "Notion-Version": VERSION}
    remedy = "Make a new token of the connection, and share the pages with it (… → Connections)."
    yield NotionPages(Service(NAME, BASE, connection, remedy, headers, PAUSE), connection)


PROVIDER: Final = SourceProvider(
    SourceKindInfo(
        SourceKind.NOTION,
        NAME,
        "workspace, for all pages that are shared with the connection; or the address or id of a database.",
        (
            SettingField(
                "token",
                "Token",
                required=True,
                secret=True,
                help="Of an internal connection that may read content. Share pages with it: … → Connections.",
            ),
        ),
        unverified=(
            "Tried against a server that behaves as Notion's documentation says, not against Notion.",
            "Whether a search lists a page at once after it was shared, and never forgets one for a while.",
        ),
    ),
    _fault_of,
    _open,
)
