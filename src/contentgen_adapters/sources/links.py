"""Parses sitemaps and feeds for the pages they name. Runs in a process of its own: see `shared.processes`."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterator
from typing import Final

import msgspec

from contentgen_adapters.shared.fetched_document import RawDocument
from contentgen_adapters.shared.processes.pool import Parser

MAX_LINKS: Final = 50_000
"""As the protocol of sitemaps has it."""
MAX_UNPACKED: Final = 50 * 1024 * 1024
MAX_LINK: Final = 2_000
MAX_STAMP: Final = 100
_GZIP: Final = b"\x1f\x8b"
_BLANK: Final = b"\xef\xbb\xbf \t\r\n"
"""What some servers send before the declaration, where XML allows nothing: white space, a byte order mark."""
_BARE_AMPERSAND: Final = re.compile(
    rb"<!\[CDATA\[.*?\]\]>|&(?:[A-Za-z][A-Za-z0-9]*|#[0-9]+|#x[0-9A-Fa-f]+);|&", re.DOTALL
)
_ADDRESS: Final = re.compile(r"https?://\S+", re.IGNORECASE)


class Link(msgspec.Struct, frozen=True):
    """A page that a document names. `stamp`: when it was last changed, as the document writes it."""

    url: str
    stamp: str | None = None


class Links(msgspec.Struct, frozen=True):
    """The links in a document. `pages`: that it names; `sitemaps`: further ones; `is_cut`: whether it names more than
    are read.
    """

    pages: list[Link] = msgspec.field(default_factory=list)
    sitemaps: list[str] = msgspec.field(default_factory=list)
    is_cut: bool = False


def parse_links(raw: RawDocument) -> Links | None:
    """Return the links of a sitemap, an index of sitemaps, or a feed; None for anything else. CPU-bound; a hostile
    document can make it run for long. Entities are not expanded.
    """
    data = _unpack(raw.data)
    if data is None:
        return None
    data = data.lstrip(_BLANK)
    found = _sitemap(data) or _sitemap(_escape_ampersands(data)) or _list(data)
    return found if found is not None else _feed(data, raw)


def _escape_ampersands(data: bytes) -> bytes:
    """Escape each `&` in the document that begins no entity, as sitemaps of addresses with several parameters often
    have.
    """
    return _BARE_AMPERSAND.sub(lambda match: match[0] if len(match[0]) > 1 else b"&amp;", data)


def _list(data: bytes) -> Links | None:
    """A sitemap of addresses alone, one a line (sitemaps.org, "Text file"); None for anything else."""
    try:
        lines = [line.strip() for line in data.decode("utf-8").splitlines()]
    except UnicodeDecodeError:
        return None
    addresses = [line for line in lines if line]
    if not addresses or not all(_ADDRESS.fullmatch(line) for line in addresses):
        return None
    links = [link for line in addresses[:MAX_LINKS] if (link := _link(line, None)) is not None]
    return Links(links, is_cut=len(addresses) > MAX_LINKS)


def _unpack(data: bytes) -> bytes | None:
    if not data.startswith(_GZIP):
        return data
    unpacking = zlib.decompressobj(wbits=31)
    try:
        unpacked = unpacking.decompress(data, MAX_UNPACKED)
    except zlib.error:
        return None
    return None if unpacking.unconsumed_tail else unpacked


def _sitemap(data: bytes) -> Links | None:
    from lxml import etree  # type: ignore[import-untyped]

    reading = etree.iterparse(
        io.BytesIO(data), events=("start", "end"), resolve_entities=False, no_network=True, load_dtd=False
    )
    pages: list[Link] = []
    sitemaps: list[str] = []
    root: str | None = None
    try:
        for event, element in reading:
            name = etree.QName(element).localname if isinstance(element.tag, str) else ""
            if root is None:
                root = name
                if root not in ("urlset", "sitemapindex"):
                    return None
            if event == "end" and name in ("url", "sitemap"):
                texts = {etree.QName(c).localname: c.text for c in element if isinstance(c.tag, str)}
                link = _link(texts.get("loc"), texts.get("lastmod"))
                if link and name == "url":
                    pages.append(link)
                elif link:
                    sitemaps.append(link.url)
                element.clear()
                if len(pages) + len(sitemaps) >= MAX_LINKS:
                    return Links(pages, sitemaps, is_cut=True)
    except etree.XMLSyntaxError:
        return None
    return None if root is None else Links(pages, sitemaps)


def _feed(data: bytes, raw: RawDocument) -> Links | None:
    import feedparser  # type: ignore[import-untyped]

    headers = {"content-type": raw.content_type, "content-location": raw.url}
    read = feedparser.parse(io.BytesIO(data), response_headers=headers, sanitize_html=False)
    return Links(list(_entries(read))) if read.get("version") else None


def _entries(read: object) -> Iterator[Link]:
    for entry in getattr(read, "entries", [])[:MAX_LINKS]:
        link = _link(entry.get("link"), entry.get("updated") or entry.get("published"))
        if link:
            yield link


def _link(url: object, stamp: object) -> Link | None:
    address = url.strip() if isinstance(url, str) else ""
    if not 0 < len(address) <= MAX_LINK:
        return None
    changed = stamp.strip()[:MAX_STAMP] if isinstance(stamp, str) else ""
    return Link(address.encode("utf-8", "replace").decode(), changed.encode("utf-8", "replace").decode() or None)


LINKS: Final[Parser[RawDocument, Links | None]] = Parser(
    parse_links, msgspec.msgpack.Decoder(Links | None), RawDocument(b"<urlset/>", "https://a.example/sitemap.xml")
)
