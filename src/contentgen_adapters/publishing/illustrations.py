"""Upload the pictures of a post's text to targets that show only their own files: diagrams, which are drawn, and
pictures of other sites, which are fetched. Both are uploaded once; what cannot be uploaded is a warning, never a
failure.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from hashlib import sha256
from html import unescape
from typing import Any, Final, Protocol

from attrs import field, frozen

from contentgen_adapters.publishing.bodies.diagrams import diagrams, with_diagrams, with_lists
from contentgen_adapters.publishing.bodies.pictures import picture_addresses
from contentgen_adapters.publishing.bodies.texts import one_line, shorten
from contentgen_adapters.publishing.pictures import MOST_PICTURES, Picture, digest_of, fetch_picture, file_stem
from contentgen_adapters.publishing.preparing import preparation
from contentgen_adapters.publishing.provider import Connection
from contentgen_adapters.shared.document.flow_charts import relations
from contentgen_adapters.shared.text.addresses import web_address
from contentgen_core.model.publishing_target import Post
from contentgen_core.policies.text.markdown import escape
from contentgen_core.ports.publishing import PublishFailed, Refusal

MOST_DIAGRAMS: Final = 10
"""Of a text that are drawn."""
_LONGEST_ALT: Final = 300
_ADDRESS: Final = re.compile(r"https?://[^\s\"'\\<>()]{1,2000}")
_NOT_IN_MARKDOWN: Final = str.maketrans({"(": "%28", ")": "%29", "\\": "%5C", "<": "%3C", ">": "%3E"})


@frozen
class Kept:
    """A picture that a target has. `url`: where it has it. `record`: how its own form of a text refers to it."""

    url: str
    record: Any = None


class Gallery(Protocol):
    """The pictures of one post at its target. Their names: the address of a picture, or the digest of a diagram."""

    async def known(self, names: Collection[str]) -> Mapping[str, Kept]:
        """Return the pictures among these that were uploaded before, by name. Raises PublishFailed."""
        ...

    async def keep(self, name: str, picture: Picture, alt: str) -> Kept:
        """Upload one. `alt`: its alternative text. Raises PublishFailed."""
        ...


@frozen
class Illustrated:
    """A post whose pictures were uploaded. `post`: with pictures instead of its diagrams, and lists where that failed.
    `pictures`: those of its text that the target has, by their address in it.
    """

    post: Post
    pictures: Mapping[str, Kept] = field(factory=dict)


@frozen
class _Wanted:
    """A picture to upload. `make`: None if it cannot be made."""

    what: str
    alt: str
    make: Callable[[], Awaitable[Picture | None]]


async def illustrate(
    post: Post,
    connection: Connection,
    provider: str,
    gallery: Gallery,
    *,
    pictures: bool = False,
    own: str | None = None,
) -> Illustrated:
    """Replace the post's diagrams by pictures, as far as they can be drawn and uploaded.

    `provider`: its name in messages. `pictures`: whether pictures of the text are uploaded as well, the first
    MOST_PICTURES. `own`: a host whose pictures are the target's already. Raises PublishFailed where another attempt may
    help.
    """
    sources = await asyncio.to_thread(diagrams, post) if connection.draw else []
    charts = {sha256(source.encode()).hexdigest(): source for source in [*dict.fromkeys(sources)][:MOST_DIAGRAMS]}
    found = await asyncio.to_thread(picture_addresses, post, own) if pictures else {}
    addresses = dict([*found.items()][:MOST_PICTURES])
    if not charts and not addresses:
        return Illustrated(await asyncio.to_thread(with_lists, post))
    wanted = {name: _draw(source, connection) for name, source in charts.items()}
    wanted |= {address: _fetch(address, alt, connection, provider) for address, alt in addresses.items()}
    kept = await _upload_missing(wanted, connection, gallery)
    shown = {address: kept[address] for address in addresses if address in kept and web_address(kept[address].url)}
    written: dict[str, str] = {}
    for name, source in charts.items():
        address = web_address(kept[name].url.translate(_NOT_IN_MARKDOWN)) if name in kept else None
        if address is not None:
            written[source] = f"![{escape(wanted[name].alt)}]({address})"
            shown[address] = kept[name]
    drawn = await asyncio.to_thread(with_diagrams, post, written.get)
    return Illustrated(await asyncio.to_thread(with_lists, drawn), shown)


async def _upload_missing(wanted: Mapping[str, _Wanted], connection: Connection, gallery: Gallery) -> dict[str, Kept]:
    """Return the uploaded pictures by name; each other one left a warning. If the account may not upload, the first
    refusal stands for all.
    """
    kept: dict[str, Kept] = {}
    try:
        with preparation("the pictures of its text"):
            kept.update(await gallery.known(wanted))
        for name, each in wanted.items():
            if name in kept:
                continue
            try:
                with preparation(f"{each.what} was not uploaded"):
                    picture = await each.make()
                    if picture is not None:
                        kept[name] = await gallery.keep(name, picture, each.alt)
            except PublishFailed as error:
                if error.refusal is Refusal.PERMISSION:
                    raise
                _leave_out(error, connection)
    except PublishFailed as error:
        _leave_out(error, connection)
    return kept


def _leave_out(error: PublishFailed, connection: Connection) -> None:
    """Raises the failure where the target is away or busy, or does not let the account in at all."""
    if error.retryable or error.refusal is Refusal.CREDENTIALS:
        raise error
    connection.warnings.append(_sentence(error))


def _sentence(error: PublishFailed) -> str:
    return error.message[:1].upper() + error.message[1:]


def _draw(source: str, connection: Connection) -> _Wanted:
    async def make() -> Picture | None:
        png = await connection.draw(source) if connection.draw else None
        return None if png is None else Picture(png, "image/png", "png")

    return _Wanted("a diagram of its text", _alt(source), make)


def _fetch(address: str, alt: str, connection: Connection, provider: str) -> _Wanted:
    async def make() -> Picture | None:
        try:
            return await fetch_picture(provider, connection.client, address)
        except PublishFailed as error:  # a post waits for no server of a picture
            raise PublishFailed(provider, error.message, Refusal.INVALID) from error

    return _Wanted(f"the picture {address[:_LONGEST_ALT]} of its text", alt, make)


def _alt(source: str) -> str:
    """Describe the chart for readers who do not see it."""
    listed = relations(source)
    said = "; ".join(line.strip().removeprefix("- ") for line in listed.split("\n")) if listed else one_line(source)
    return shorten(said.replace("\\", ""), _LONGEST_ALT)


@frozen
class FilesOfText:
    """The gallery of a target whose texts refer to pictures by their address. A picture that a post shows already is
    found there by the digest in its name.

    `text`: of the post as the target has it, read once there is something to look for. `upload`: from (the name of a
    file, its picture, the alternative text) to its address at the target.
    """

    post: Post
    text: Callable[[], Awaitable[str]]
    upload: Callable[[str, Picture, str], Awaitable[str]]

    async def known(self, names: Collection[str]) -> Mapping[str, Kept]:
        shown = [unescape(address) for address in _ADDRESS.findall(await self.text())]
        return dict(_find_by_digest(names, shown))

    async def keep(self, name: str, picture: Picture, alt: str) -> Kept:
        return Kept(await self.upload(f"{file_stem(self.post, name)}.{picture.extension}", picture, alt))


def _find_by_digest(names: Collection[str], addresses: Collection[str]) -> Iterator[tuple[str, Kept]]:
    for name in names:
        found = next((address for address in addresses if digest_of(name) in address), None)
        if found is not None:
            yield name, Kept(found)
