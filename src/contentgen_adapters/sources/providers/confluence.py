"""Confluence Cloud: the pages of a space, by version 2 of its API."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final
from urllib.parse import parse_qs, quote, unquote, urlsplit

import msgspec
from attrs import evolve, frozen

from contentgen_adapters.shared.outgoing.errors import AddressRefused
from contentgen_adapters.shared.outgoing.guard import AddressGuard
from contentgen_adapters.sources.files import text_of_file
from contentgen_adapters.sources.provider import Connection, SourceProvider
from contentgen_adapters.sources.service import Cursors, Service
from contentgen_core.model.publishing_target import SettingField
from contentgen_core.model.synced_source import ListedItem, SourceKind, SourceKindInfo, SyncedSource
from contentgen_core.ports.source_reading import ItemText, OpenSource, SourceUnavailable, WithoutAddresses

NAME: Final = "Confluence"
PAUSE: Final = 0.1
_PAGE: Final = 250
_SPACE: Final = re.compile(r"/wiki/spaces/([^/]{1,255})(?:/.*)?")
_NUMBER: Final = re.compile(r"[0-9]{1,30}")


class _Space(msgspec.Struct):
    id: str


class _Links(msgspec.Struct):
    next: str | None = None
    webui: str | None = None


class _Spaces(msgspec.Struct):
    results: list[_Space]


class _Version(msgspec.Struct):
    number: int = 0


class _Page(msgspec.Struct):
    id: str
    title: str = ""
    version: _Version = msgspec.field(default_factory=_Version)
    links: _Links = msgspec.field(default_factory=_Links, name="_links")


class _Pages(msgspec.Struct):
    results: list[_Page]
    links: _Links = msgspec.field(default_factory=_Links, name="_links")


class _View(msgspec.Struct):
    value: str = ""


class _Body(msgspec.Struct):
    view: _View = msgspec.field(default_factory=_View)


class _WholePage(_Page):
    body: _Body = msgspec.field(default_factory=_Body)


@frozen
class ConfluenceSpace(WithoutAddresses):
    """A space. `site`: scheme and host."""

    service: Service
    connection: Connection
    site: str
    space: str

    async def items(self) -> AsyncIterator[Sequence[ListedItem]]:
        spaces = await self.service.listed(_Spaces, "/spaces", params={"keys": self.space, "limit": 1})
        if not spaces.results or not _NUMBER.fullmatch(spaces.results[0].id):
            raise SourceUnavailable(f"Confluence has no space {self.space}, or the account may not see it.")
        cursors, cursor = Cursors(NAME), None
        while True:
            params = {"limit": _PAGE, "status": "current"} | ({"cursor": cursor} if cursor else {})
            answer = await self.service.listed(_Pages, f"/spaces/{spaces.results[0].id}/pages", params=params)
            yield [
                ListedItem(page.id, str(page.version.number), page.title or None)
                for page in answer.results
                if _NUMBER.fullmatch(page.id)
            ]
            cursor = cursors.following(_cursor(answer.links.next))
            if cursor is None:
                return

    async def read(self, key: str, known: str | None = None) -> ItemText:
        answer = await self.service.item(f"/pages/{key}", params={"body-format": "view"})
        page = self.service.decoded(_WholePage, answer)
        title = html.escape(page.title)
        content = f"<html><head><title>{title}</title></head><body>{page.body.view.value}</body></html>"
        shown = page.links.webui or ""
        url = f"{self.site}/wiki{shown}" if shown.startswith("/") else None
        uploads, tenant = self.connection.around.uploads, self.connection.source.tenant_id
        found = await text_of_file(uploads, content.encode("utf-8", "replace"), "page.html", key, tenant, url=url)
        return evolve(found, text=evolve(found.text, title=page.title)) if page.title.strip() else found


def _cursor(following: str | None) -> str | None:
    """Return the cursor in the address of the next page. The rest of the address is ignored, since it could lead
    anywhere.
    """
    values = parse_qs(urlsplit(following or "").query).get("cursor", [])
    return values[0] if values else None


def _fault_of(source: SyncedSource, guard: AddressGuard) -> str | None:
    place = urlsplit(source.place)
    if place.scheme != "https" or not _SPACE.fullmatch(place.path) or len(source.place.split()) != 1:
        return "needs the address of a space, such as https://your-site.atlassian.net/wiki/spaces/KEY"
    try:
        guard.check(source.place)
    except AddressRefused as error:
        return str(error)
    return None


@asynccontextmanager
async def _open(connection: Connection) -> AsyncIterator[OpenSource]:
    place = urlsplit(connection.source.place)
    found = _SPACE.fullmatch(place.path)
    assert found is not None
    settings, site = connection.settings, f"https://{place.netloc}"
    login = base64.b64encode(f"{settings['email']}:{settings['apiToken']}".encode()).decode()
    headers = {"Authorization": f"Basic {login}", "Accept": "application/json"}
    remedy = "Make a new API token of the account, and see that it may view the space."
    kept = evolve(connection, secrets=(*connection.secrets, login))
    service = Service(NAME, f"{site}/wiki/api/v2", kept, remedy, headers, PAUSE)
    yield ConfluenceSpace(service, kept, site, quote(unquote(found[1]), safe="~"))


PROVIDER: Final = SourceProvider(
    SourceKindInfo(
        SourceKind.CONFLUENCE,
        NAME,
        "The address of a space of Confluence Cloud: https://your-site.atlassian.net/wiki/spaces/KEY.",
        (
            SettingField("email", "E-mail address", required=True, help="Of the account that the token belongs to."),
            SettingField(
                "apiToken",
                "API token",
                required=True,
                secret=True,
                help="id.atlassian.com → Security → API tokens. The account has to see the space.",
            ),
        ),
        unverified=(
            "Tried against a server that behaves as Atlassian's documentation says, not against Confluence.",
            "What macros look like in the view of a page. Blog posts, comments and attached files are not read.",
        ),
    ),
    _fault_of,
    _open,
)
