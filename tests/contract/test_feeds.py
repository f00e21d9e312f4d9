"""Feeds as the web has them: broken, huge, mislabelled, hostile, gone, unchanged; against a server on a real port."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from attrs import define, evolve

from contentgen_adapters.feeds.catalog import MAX_FEEDS, Feed, parse_feeds, read_feeds, starter_feeds
from contentgen_adapters.feeds.finder import FeedFinder, FeedPolicy
from contentgen_adapters.feeds.parsing import MAX_ENTRIES, parse
from contentgen_adapters.shared.fetched_document import RawDocument
from contentgen_adapters.shared.guarded_client import guarded_client
from contentgen_adapters.shared.outgoing.guard import AddressGuard, parse_hosts
from contentgen_adapters.shared.processes.pool import ProcessPool
from contentgen_adapters.text.language import LangidDetector
from contentgen_core.model.trend import TrendCandidate, TrendCategory
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.trends import Findings
from contentgen_core.testing.runtime import MOMENT, ManualClock
from contentgen_core.testing.trend_finder import NICHE, WEEK
from contentgen_core.use_cases.niches.catalogue import PRECONFIGURED
from tests.support import web_server
from tests.support.web_server import WebServer, answer

NICHES = tuple(key for key, *_ in PRECONFIGURED)
DATE = "Mon, 09 Mar 2026 08:00:00 GMT"
TYPE = "application/rss+xml"
AGAIN = timedelta(minutes=10)


def item(n: int = 1, title: str = "Grant doubled", more: str = "") -> str:
    return f"<item><link>https://n.example/{n}</link><title>{title}</title><pubDate>{DATE}</pubDate>{more}</item>"


def rss(items: str, head: str = "") -> str:
    return f'<?xml version="1.0"?>{head}<rss version="2.0"><channel><title>News</title>{items}</channel></rss>'


GOOD = rss(item())
ATOM = """<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="fr-FR"><title>Nouvelles</title>
<entry><title type="html">L&amp;#8217;aide &lt;b&gt;double&lt;/b&gt;</title><link href="/aide?utm_source=feed#top"/>
<updated>2026-03-09T08:00:00+01:00</updated><summary>Deux &lt;script&gt;x()&lt;/script&gt;fois plus.</summary></entry>
</feed>"""
LAUGHS = rss(
    item(title="&lol9;"),
    '<!DOCTYPE rss [<!ENTITY lol "lol">'
    + "".join(f'<!ENTITY lol{n} "{f"&lol{n - 1 or str()};" * 10}">' for n in range(1, 10))
    + "]>",
)
OUTSIDE = rss(item(title="T &x;"), '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>')


@define
class Desk:
    """A finder over feeds that the server gives under the paths that are read."""

    finder: FeedFinder
    server: WebServer
    clock: ManualClock

    async def read(self, *paths: str) -> Findings:
        feeds = [Feed(NICHE.niche_key, TrendCategory.NEWS, self.server.url(path)) for path in paths]
        self.finder._feeds = tuple(feeds)
        return await self.finder.find(NICHE, MOMENT - WEEK)

    async def one(self, body: bytes | str, content_type: str = TYPE) -> TrendCandidate:
        self.server.put("/feed", body, content_type)
        findings = await self.read("/feed")
        assert findings.faults == ()
        [page] = findings.candidates
        return page


@pytest.fixture
def server() -> Iterator[WebServer]:
    with WebServer() as server:
        yield server


@pytest.fixture
async def pool() -> AsyncIterator[ProcessPool]:
    async with aclosing(ProcessPool()) as made:
        yield made


@pytest.fixture
async def desk(server: WebServer, pool: ProcessPool) -> AsyncIterator[Desk]:
    guard, clock = AddressGuard(parse_hosts(server.host)), ManualClock()
    policy = FeedPolicy("contentgen/9.9", fetching=3.0, parsing=30.0, min_interval=AGAIN, max_bytes=1_000_000)
    finder = FeedFinder(lambda: guarded_client(guard), [], clock, LangidDetector(), pool, policy)
    yield Desk(finder, server, clock)
    await finder.aclose()


async def test_rss_and_atom_are_read_with_what_they_tell(desk: Desk) -> None:
    counted = item(more="<slash:comments>17</slash:comments><description>The &lt;i&gt;grant&lt;/i&gt;.</description>")
    page = await desk.one(rss(counted).replace("<rss", '<rss xmlns:slash="http://purl.org/rss/1.0/modules/slash/"'))
    assert (page.source.title, page.source.excerpt, page.source.engagement) == ("Grant doubled", "The grant.", 17)
    assert page.source.published_at == datetime(2026, 3, 9, 8, tzinfo=UTC)
    assert page.source.publisher == "n.example"
    desk.clock.advance(minutes=20)
    page = await desk.one(ATOM, "application/atom+xml")
    assert (page.source.title, page.source.excerpt) == ("L’aide double", "Deux fois plus.")
    assert page.source.url == desk.server.url("/aide")
    assert page.source.published_at == datetime(2026, 3, 9, 7, tzinfo=UTC)
    assert page.language is Language.FR
    assert desk.server.visits[0].headers["user-agent"] == "contentgen/9.9"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(GOOD.replace("</channel></rss>", ""), id="unclosed"),
        pytest.param(GOOD.replace("Grant doubled", "Grant doubled &nbsp;"), id="unknown entity"),
        pytest.param(f"\n\n<!-- served by x -->{GOOD}", id="declaration late"),
        pytest.param(GOOD.replace("Grant doubled", "<![CDATA[Grant <br>doubled]]>"), id="cdata"),
        pytest.param(GOOD.replace("<title>News", "<title>News \x0b\x01"), id="control characters"),
    ],
)
async def test_what_is_a_little_broken_is_read_all_the_same(desk: Desk, body: str) -> None:
    assert (await desk.one(body)).source.title == "Grant doubled"


@pytest.mark.parametrize(
    ("charset", "declared", "content_type"),
    [
        ("utf-8", "utf-8", TYPE),
        ("iso-8859-1", "iso-8859-1", TYPE),
        ("utf-8", "iso-8859-1", "application/rss+xml; charset=utf-8"),
        ("iso-8859-1", "utf-8", TYPE),
        ("utf-16", "utf-16", "text/xml"),
        ("utf-8", "no-such-charset", "text/html; charset=nonsense"),
    ],
)
async def test_a_wrong_charset_costs_no_letter(desk: Desk, charset: str, declared: str, content_type: str) -> None:
    body = rss(item(title="Énergie économisée")).replace('"1.0"', f'"1.0" encoding="{declared}"')
    assert (await desk.one(body.encode(charset), content_type)).source.title == "Énergie économisée"


@pytest.mark.parametrize(
    "body", [LAUGHS, OUTSIDE, LAUGHS.replace("</channel></rss>", "")], ids=["bomb", "outside", "loose bomb"]
)
async def test_entities_unfold_to_nothing_and_reach_for_nothing(desk: Desk, body: str) -> None:
    desk.server.put("/feed", body, TYPE)
    findings = await desk.read("/feed")
    assert not any("within" in fault for fault in findings.faults)
    for page in findings.candidates:
        assert len(page.source.title) <= 300
        assert "lollol" not in page.source.title
        assert "root:" not in page.source.title


async def test_one_bad_feed_is_a_fault_and_the_others_are_read(desk: Desk) -> None:
    server = desk.server
    server.put("/good", GOOD, TYPE)
    server.put("/html", "<html><body><p>Not found, but 200.</p></body></html>")
    server.put("/empty", "", TYPE)
    server.put("/huge", rss("x" * 1_000_001), TYPE)
    server.put("/bomb", web_server.bomb(size=20_000_000), TYPE, content_encoding="gzip")
    server.put("/packed", b"no gzip", TYPE, content_encoding="gzip")
    server.put("/brotli", b"?", TYPE, content_encoding="br")
    server.status("/gone", 410)
    server.redirect("/round", "/round")
    server.redirect("/metadata", "http://169.254.169.254/latest/meta-data/")
    server.redirect("/local", "http://127.0.0.1:9999/feed")
    server.redirect("/file", "file:///etc/passwd")
    server.serve("/drip", web_server.dripping(0.05))
    server.serve("/endless", web_server.endless)
    server.serve("/silent", web_server.silent)
    server.serve("/ssh", web_server.no_http)
    bad = ("/html", "/empty", "/huge", "/bomb", "/packed", "/brotli", "/gone", "/round", "/metadata", "/local", "/file",
           "/drip", "/endless", "/silent", "/ssh")  # fmt: skip
    findings = await desk.read(*bad, "/good")
    assert [page.source.title for page in findings.candidates] == ["Grant doubled"]
    faults = {fault.split(": ")[0].removeprefix(server.url("")): fault for fault in findings.faults}
    assert set(faults) == set(bad)
    assert "not public" in faults["/metadata"]
    assert "not public" in faults["/local"]
    assert "larger than" in faults["/huge"]
    assert "larger than" in faults["/bomb"]
    assert "neither RSS nor Atom" in faults["/html"]


async def test_a_redirect_to_a_public_place_is_followed(desk: Desk) -> None:
    desk.server.redirect("/old", "/new", 301)
    desk.server.put("/new", GOOD, TYPE)
    assert len((await desk.read("/old")).candidates) == 1


async def test_entries_that_say_too_little_are_left_out(desk: Desk) -> None:
    entries = (
        "<item><title>No link</title><pubDate>x</pubDate></item>",
        f"<item><link>https://n.example/2</link><pubDate>{DATE}</pubDate></item>",
        f"<item><link>https://n.example/3</link><title>&lt;b&gt; &lt;/b&gt;</title><pubDate>{DATE}</pubDate></item>",
        f"<item><link>javascript:alert(1)</link><title>Script</title><pubDate>{DATE}</pubDate></item>",
        "<item><link>https://n.example/5</link><title>No date</title></item>",
        "<item><link>https://n.example/6</link><title>Odd</title><pubDate>32 Foo 99999</pubDate></item>",
        item(7),
    )
    assert (await desk.one(rss("".join(entries)))).source.url == "https://n.example/7"


async def test_a_feed_has_so_many_entries_at_most(desk: Desk) -> None:
    desk.server.put("/feed", rss("".join(item(n) for n in range(3 * MAX_ENTRIES))), TYPE)
    assert len((await desk.read("/feed")).candidates) == MAX_ENTRIES


async def test_a_page_in_two_feeds_is_found_once(desk: Desk) -> None:
    for path in ("/one", "/two"):
        desk.server.put(path, rss(item(title=path)), TYPE)
    [page] = (await desk.read("/one", "/two")).candidates
    assert page.source.title == "/one"


async def test_an_unchanged_feed_is_not_sent_again_and_still_known(desk: Desk) -> None:
    def page(write: web_server.Write, server: WebServer) -> None:
        headers = server.visits[-1].headers
        same = headers.get("if-none-match") == '"1"' and headers.get("if-modified-since") == DATE
        given = {"etag": '"1"', "last_modified": DATE}
        write(answer(b"", 304) if same else answer(GOOD.encode(), content_type=TYPE, **given))

    desk.server.serve("/feed", page)
    first = await desk.read("/feed")
    assert (await desk.read("/feed")).candidates == first.candidates
    assert desk.server.asked("/feed") == 1  # ten minutes have not passed
    desk.clock.advance(seconds=AGAIN.total_seconds())
    again = await desk.read("/feed")
    assert desk.server.asked("/feed") == 2
    assert "if-none-match" in desk.server.visits[-1].headers
    assert [p.source.url for p in again.candidates] == [p.source.url for p in first.candidates]


async def test_a_feed_that_fails_is_asked_for_ever_less_often_and_told_of_each_time(desk: Desk) -> None:
    desk.server.status("/feed", 500)
    told = []
    for _ in range(48):
        told.append(bool((await desk.read("/feed")).faults))
        desk.clock.advance(minutes=30)
    assert sum(told) == desk.server.asked("/feed") <= 8
    desk.server.put("/feed", GOOD, TYPE)
    desk.clock.advance(days=1)
    assert (await desk.read("/feed")).faults == ()


async def test_a_feed_that_takes_too_long_is_given_up_and_the_next_is_read(desk: Desk) -> None:
    desk.finder._policy = evolve(desk.finder._policy, parsing=0.3)
    desk.server.put("/nested", rss("<item>" + "<a>" * 200_000), TYPE)
    desk.server.put("/feed", GOOD, TYPE)
    [fault] = (await desk.read("/nested")).faults
    assert "was not read within 0.3 s" in fault
    assert len((await desk.read("/feed")).candidates) == 1


def test_counts_and_dates_beyond_all_bounds_are_none() -> None:
    for count in ("-3", "1e9", "9" * 30, "٣", ""):
        found = parse(RawDocument(rss(item(more=f"<comments>x</comments><slash:comments>{count}</slash:comments>"))
                          .replace("<rss", '<rss xmlns:slash="http://purl.org/rss/1.0/modules/slash/"')
                          .encode(), "https://n.example/", TYPE))  # fmt: skip
        assert found is not None
        assert found.entries[0].comments is None


# ------------------------------------------------------------------------------------------------------- which feeds


def test_the_starter_set_has_feeds_of_several_publishers_for_every_preconfigured_niche() -> None:
    feeds = starter_feeds(NICHES)
    assert len({(feed.niche_key, feed.url) for feed in feeds}) == len(feeds)
    for niche in NICHES:
        hosts = {feed.url.split("/")[2] for feed in feeds if feed.niche_key == niche}
        assert len(hosts) >= 5, niche


def test_a_file_of_ones_own_is_read(tmp_path: Path) -> None:
    file = tmp_path / "feeds.toml"
    file.write_text('[home-energy]\nnews = [" https://a.example/rss "]\nresearch = ["http://b.example/"]\n')
    assert read_feeds(file, NICHES) == (
        Feed("home-energy", TrendCategory.NEWS, "https://a.example/rss"),
        Feed("home-energy", TrendCategory.RESEARCH, "http://b.example/"),
    )
    file.write_text("")
    assert read_feeds(file, NICHES) == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[home-energy", "Expected"),
        ('[no-such]\nnews = ["https://a.example/"]', "no preconfigured niche"),
        ("home-energy = 3", "table"),
        ('[home-energy]\ngossip = ["https://a.example/"]', "no category"),
        ('[home-energy]\nnews = "https://a.example/"', "list"),
        ('[home-energy]\nnews = ["ftp://a.example/"]', "no http"),
        ("[home-energy]\nnews = [3]", "no http"),
        (f"[home-energy]\nnews = {['https://a.example/'] * (MAX_FEEDS + 1)}", "more than"),
    ],
)
def test_a_file_that_says_something_else_is_refused_with_its_fault(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "feeds.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=told):
        read_feeds(file, NICHES)
    with pytest.raises(ValueError, match="cannot be read"):
        read_feeds(tmp_path / "absent.toml", NICHES)
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match=r"bytes\.toml"):
        read_feeds(tmp_path / "bytes.toml", NICHES)


def test_parsing_takes_text_alone() -> None:
    assert parse_feeds("", NICHES) == ()
