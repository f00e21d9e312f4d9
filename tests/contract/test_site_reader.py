"""Sitemaps and feeds as sources, and those that would do harm."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import httpx
import pytest

from contentgen_adapters.documents.uploads import ThreadUploadReader
from contentgen_adapters.shared.fetched_document import RawDocument
from contentgen_adapters.shared.processes.pool import ProcessPool
from contentgen_adapters.sources import site as site_module
from contentgen_adapters.sources.catalog import SourceReaders, source_readers
from contentgen_adapters.sources.links import MAX_LINKS, Link, Links, parse_links
from contentgen_adapters.sources.pages import PagesReader
from contentgen_adapters.sources.site import SiteReader
from contentgen_core.model.ids import SyncedSourceId, TenantId
from contentgen_core.model.synced_source import MAX_ITEMS, ListedItem, SourceKind, SyncedSource
from contentgen_core.ports.source_reading import SourceUnavailable
from contentgen_core.testing.runtime import MOMENT
from tests.contract.test_source_readers import Pages, left_out

SITE = "https://site.example"
XML = '<?xml version="1.0" encoding="UTF-8"?>'
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def urlset(*urls: str, stamp: str = "2026-03-01") -> bytes:
    rows = "".join(f"<url><loc> {url} </loc><lastmod>{stamp}</lastmod><priority>1</priority></url>" for url in urls)
    return f"{XML}<urlset {NAMESPACE}>{rows}</urlset>".encode()


def index(*urls: str) -> bytes:
    rows = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f"{XML}<sitemapindex {NAMESPACE}>{rows}</sitemapindex>".encode()


def links(data: bytes) -> Links | None:
    return parse_links(RawDocument(data, f"{SITE}/sitemap.xml", "application/xml"))


def test_what_a_sitemap_an_index_and_feeds_name_is_read() -> None:
    page = Link(f"{SITE}/a", "2026-03-01")
    assert links(urlset(f"{SITE}/a")) == Links([page])
    assert links(gzip.compress(urlset(f"{SITE}/a"))) == Links([page])
    assert links(index(f"{SITE}/1.xml", f"{SITE}/2.xml")) == Links([], [f"{SITE}/1.xml", f"{SITE}/2.xml"])
    rss = (
        b"<rss version='2.0'><channel><item><link>https://site.example/r</link><title>R</title></item></channel></rss>"
    )
    assert links(rss) == Links([Link(f"{SITE}/r")])
    atom = (
        b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>A</title><updated>2026-01-02T00:00:00Z</updated>"
        b"<link href='https://site.example/t'/></entry></feed>"
    )
    assert links(atom) == Links([Link(f"{SITE}/t", "2026-01-02T00:00:00Z")])


@pytest.mark.parametrize(
    "data",
    [
        b"\n\n" + urlset(f"{SITE}/a?x=1&amp;y=2"),
        b"\xef\xbb\xbf" + urlset(f"{SITE}/a?x=1&amp;y=2"),
        urlset(f"{SITE}/a?x=1&y=2"),
        urlset(f"<![CDATA[{SITE}/a?x=1&y=2]]>"),
        gzip.compress(b" \n" + urlset(f"{SITE}/a?x=1&y=2")),
    ],
    ids=["blank lines", "byte order mark", "bare ampersand", "CDATA", "packed"],
)
def test_blemishes_that_many_sitemaps_have_are_read_over(data: bytes) -> None:
    assert links(data) == Links([Link(f"{SITE}/a?x=1&y=2", "2026-03-01")])


def test_a_sitemap_may_be_a_list_of_addresses() -> None:
    assert links(f"{SITE}/a\r\n\n {SITE}/b?x=1&y=2 \n".encode()) == Links(
        [Link(f"{SITE}/a"), Link(f"{SITE}/b?x=1&y=2")]
    )
    assert links(f"{SITE}/a\nand something else\n".encode()) is None
    many = links("\n".join(f"{SITE}/{n}" for n in range(MAX_LINKS + 1)).encode())
    assert many is not None
    assert (len(many.pages), many.is_cut) == (MAX_LINKS, True)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"nothing of the kind",
        b"<html><body>No sitemap here.</body></html>",
        urlset(f"{SITE}/a")[:-20],
        b"\x1f\x8bbroken",
    ],
    ids=["empty", "text", "page", "cut", "broken gzip"],
)
def test_anything_else_is_none(data: bytes) -> None:
    assert links(data) is None


def test_a_bomb_is_none() -> None:
    assert links(gzip.compress(b"<urlset>" + b" " * 60_000_000 + b"</urlset>")) is None


def test_entities_are_not_followed_and_a_million_addresses_are_bounded() -> None:
    laughs = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    declared = f'<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY a0 "ha">{laughs}]>'
    bomb = f"{declared}<urlset><url><loc>&a11;</loc></url></urlset>"
    assert (links(bomb.encode()) or Links()).pages == []
    secret = b'<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd">]><urlset><url><loc>&x;</loc></url></urlset>'
    assert (links(secret) or Links()).pages == []
    many = links(urlset(*(f"{SITE}/{n}" for n in range(MAX_LINKS + 100))))
    assert many is not None
    assert len(many.pages) == MAX_LINKS


class Web:
    """Documents by address."""

    def __init__(self) -> None:
        self.documents: dict[str, bytes] = {}
        self.redirects: dict[str, str] = {}
        self.asked: list[str] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(str(request.url))
        if str(request.url) in self.redirects:
            return httpx.Response(301, headers={"Location": self.redirects[str(request.url)]})
        found = self.documents.get(str(request.url))
        return httpx.Response(404) if found is None else httpx.Response(200, content=_streamed(found))


async def _streamed(data: bytes) -> AsyncIterator[bytes]:
    yield data


@pytest.fixture
async def web() -> Web:
    return Web()


@pytest.fixture
async def reader(web: Web) -> AsyncIterator[SourceReaders]:
    pages = Pages()
    async with aclosing(ProcessPool()) as pool:
        transport = httpx.MockTransport(web)
        opened = SiteReader(lambda: httpx.AsyncClient(transport=transport), pool, PagesReader(pages), "a")
        async with aclosing(opened):
            yield source_readers([], ThreadUploadReader(), pages, opened)


def source(place: str, kind: SourceKind = SourceKind.SITEMAP) -> SyncedSource:
    id, tenant = SyncedSourceId("s"), TenantId("t")
    return SyncedSource(id, tenant, "home-energy", kind, "Site", place, created_at=MOMENT, updated_at=MOMENT)


async def keys(reader: SourceReaders, of: SyncedSource) -> dict[str, str | None]:
    async with reader.open(of, {}) as opened:
        items = [item async for batch in opened.items() for item in batch]
    return {item.key: item.fingerprint for item in items if isinstance(item, ListedItem)}


async def test_a_site_is_listed_by_its_sitemaps_wherever_they_lead_back_to(web: Web, reader: SourceReaders) -> None:
    web.documents = {
        f"{SITE}/sitemap.xml": index(f"{SITE}/1.xml", f"{SITE}/sitemap.xml", "https://other.example/2.xml", "/3.xml"),
        f"{SITE}/1.xml": urlset(f"{SITE}/a", f"{SITE}/a#part", "https://other.example/b", "ftp://site.example/c", "/d"),
        f"{SITE}/3.xml": index(f"{SITE}/1.xml"),
    }
    for place in (SITE, f"{SITE}/", f"{SITE}/sitemap.xml"):
        assert await keys(reader, source(place)) == {f"{SITE}/a": "2026-03-01", f"{SITE}/d": "2026-03-01"}
    assert web.asked.count(f"{SITE}/1.xml") == 3
    assert not any("other.example" in address for address in web.asked)
    assert await left_out(reader, source(SITE)) == [("https://other.example/2.xml", 1), ("https://other.example/b", 2)]


async def test_a_site_that_is_at_another_name_is_listed_where_its_sitemap_was_found(
    web: Web, reader: SourceReaders
) -> None:
    www = "https://www.site.example"
    web.redirects[f"{SITE}/sitemap.xml"] = f"{www}/sitemap_index.xml"
    web.documents = {
        f"{www}/sitemap_index.xml": index(f"{www}/1.xml"),
        f"{www}/1.xml": urlset(f"{www}/a", "https://other.example/b", f"{SITE}/{'x' * 600}"),
    }
    assert list(await keys(reader, source(SITE))) == [f"{www}/a"]
    assert await left_out(reader, source(SITE)) == [("https://other.example/b", 2)]


async def test_what_cannot_be_read_whole_tells_nothing_of_what_is_gone(
    web: Web, reader: SourceReaders, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SourceUnavailable, match="404"):
        await keys(reader, source(SITE))
    web.documents[f"{SITE}/sitemap.xml"] = b"<html>No</html>"
    with pytest.raises(SourceUnavailable, match="no sitemap"):
        await keys(reader, source(SITE))
    web.documents[f"{SITE}/sitemap.xml"] = index(f"{SITE}/1.xml", f"{SITE}/2.xml")
    web.documents[f"{SITE}/1.xml"] = urlset(f"{SITE}/a")
    with pytest.raises(SourceUnavailable, match=r"2\.xml"):
        await keys(reader, source(SITE))
    monkeypatch.setattr(site_module, "MAX_SITEMAPS", 2)
    with pytest.raises(SourceUnavailable, match="more than 2 sitemaps"):
        await keys(reader, source(SITE))


async def test_pages_that_every_sitemap_names_do_not_hide_the_others(
    web: Web, reader: SourceReaders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_module, "MAX_ITEMS", 5)
    same = [f"{SITE}/{n}" for n in range(4)]
    web.documents = {f"{SITE}/{n}.xml": urlset(*same) for n in range(3)}
    web.documents[f"{SITE}/3.xml"] = urlset(f"{SITE}/last")
    web.documents[f"{SITE}/sitemap.xml"] = index(*(f"{SITE}/{n}.xml" for n in range(4)))
    assert list(await keys(reader, source(SITE))) == [*same, f"{SITE}/last"]


async def test_a_million_addresses_are_not_all_asked_for_nor_taken_for_all(web: Web, reader: SourceReaders) -> None:
    pages = [f"{SITE}/{n}" for n in range(MAX_LINKS)]
    web.documents = {f"{SITE}/{n}.xml": urlset(*pages) for n in range(20)}
    web.documents[f"{SITE}/sitemap.xml"] = index(*(f"{SITE}/{n}.xml" for n in range(20)))
    assert len(await keys(reader, source(SITE))) > MAX_ITEMS  # which the sync calls cut
    assert len(web.asked) == 2
    others = urlset(f"{SITE}/own", *(f"https://other.example/{n}" for n in range(MAX_LINKS)), f"{SITE}/unseen")
    web.documents[f"{SITE}/sitemap.xml"] = others
    with pytest.raises(SourceUnavailable, match="more than 50,000 addresses"):
        await keys(reader, source(SITE))


@pytest.mark.parametrize("stamp", ["9999-12-31", "1970-01-01", "yesterday", "", "2026-03-01T00:00:00+99:99", "x" * 500])
async def test_dates_of_a_sitemap_are_compared_and_never_believed_to_be_dates(
    web: Web, reader: SourceReaders, stamp: str
) -> None:
    web.documents[f"{SITE}/sitemap.xml"] = urlset(f"{SITE}/a", stamp=stamp)
    [found] = (await keys(reader, source(SITE))).values()
    assert found == (stamp[:100] or None)


async def test_a_feed_lists_the_pages_of_its_entries_of_any_host(web: Web, reader: SourceReaders) -> None:
    entries = "".join(f"<item><link>{url}</link><title>T</title></item>" for url in ("/a", "https://other.example/b"))
    web.documents["https://site.example/feed"] = f"<rss version='2.0'><channel>{entries}</channel></rss>".encode()
    of = source(f"{SITE}/feed", SourceKind.FEED)
    assert list(await keys(reader, of)) == [f"{SITE}/a", "https://other.example/b"]
    assert (SourceKind.FEED.lists_all, SourceKind.SITEMAP.lists_all) == (False, True)


async def test_an_entry_is_the_same_whatever_its_link_is_tracked_by(web: Web, reader: SourceReaders) -> None:
    links = "".join(
        f"<item><link>{SITE}/{name}?id={name}&amp;utm_source=rss&amp;utm_campaign=7&amp;fbclid=x#top</link></item>"
        for name in "aab"
    )
    web.documents[f"{SITE}/feed"] = f"<rss version='2.0'><channel>{links}</channel></rss>".encode()
    assert list(await keys(reader, source(f"{SITE}/feed", SourceKind.FEED))) == [f"{SITE}/a?id=a", f"{SITE}/b?id=b"]


async def test_only_one_address_is_a_site(reader: SourceReaders) -> None:
    assert reader.fault_of(source(SITE)) is None
    for place in ("ftp://site.example", f"{SITE} {SITE}/a", f"{SITE}\n{SITE}/a"):
        assert reader.fault_of(source(place)) is not None
    nowhere = source_readers([Path("/srv")], ThreadUploadReader(), Pages())
    assert "cannot be followed" in (nowhere.fault_of(source(SITE)) or "")
    with pytest.raises(SourceUnavailable, match="cannot be followed"):
        await keys(nowhere, source(SITE))
    assert SourceKind.SITEMAP not in {info.kind for info in nowhere.kinds()}
