"""The page reader as it is wired, against a server on a real port: time, memory, fetch policy and the guard."""

from __future__ import annotations

import asyncio
import gzip
import time
import zlib
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager
from itertools import pairwise

import psutil
import pytest
from attrs import evolve
from fpdf import FPDF

from contentgen_adapters.pages.catalog import open_page_reader
from contentgen_adapters.pages.fetching import Bounds
from contentgen_adapters.pages.reader import FetchPolicy, HttpPageReader
from contentgen_adapters.shared.guarded_client import guarded_client
from contentgen_adapters.shared.outgoing.guard import AddressGuard, parse_hosts
from contentgen_adapters.shared.processes import worker
from contentgen_adapters.shared.processes.pool import ProcessPool
from contentgen_core.page_errors import PageFault, PageUnreadable
from contentgen_core.ports.page_reader import PageReader
from contentgen_core.testing.page_reader import DEVICES, NOW, STORY, PageReaderContract, article, fault_of
from tests.contract.test_page_reader import InPlace, StandingClock
from tests.support import web_server
from tests.support.web_server import WebServer

POLICY = FetchPolicy(fetching=1.5, robots=1.0, page=2.0, pdf=5.0, pause=0, bounds=Bounds(page=2_000_000, pdf=3_000_000))
SOON = 4.0
"""Seconds within which a hostile page is given up, whatever it does; the machine may be busy."""


@pytest.fixture
def site() -> Iterator[WebServer]:
    with WebServer() as server:
        yield server


@pytest.fixture
def guard(site: WebServer) -> AddressGuard:
    return AddressGuard(parse_hosts(site.host))


@pytest.fixture
async def reader(guard: AddressGuard) -> AsyncIterator[PageReader]:
    """Without processes, whose start would be most of a test's time."""
    policy = evolve(POLICY, user_agent="contentgen/9.9")
    async with guarded_client(guard, read=5.0) as client:
        yield HttpPageReader(client, guard, InPlace(), StandingClock(), policy)


@pytest.fixture
async def isolated(guard: AddressGuard) -> AsyncIterator[PageReader]:
    async with opened(guard, policy=POLICY) as reader:
        yield reader


@asynccontextmanager
async def opened(guard: AddressGuard, policy: FetchPolicy | None = None) -> AsyncIterator[PageReader]:
    """The reader with processes of its own."""
    async with (
        aclosing(ProcessPool()) as pool,
        open_page_reader(guard, StandingClock(), pool, policy=policy) as reader,
    ):
        yield reader


class TestPageReaderOverHttp(PageReaderContract):
    pass


def pdf(text: str) -> bytes:
    document = FPDF()
    document.add_page()
    document.set_font("helvetica", size=12)
    document.multi_cell(0, 8, text)
    return bytes(document.output())


def workers() -> list[psutil.Process]:
    """The processes that make text of pages."""
    return [p for p in psutil.Process().children() if worker.__name__ in p.cmdline()]


async def test_a_pdf_is_read_whatever_its_type_is_said_to_be(isolated: PageReader, site: WebServer) -> None:
    for number, content_type in enumerate(("application/pdf", "application/octet-stream", "text/html")):
        page = await isolated.read(site.put(f"/paper-{number}", pdf(f"{STORY} {DEVICES}"), content_type))
        assert "four units of heat" in page.text


async def test_a_pdf_without_text_is_a_scan(reader: PageReader, site: WebServer) -> None:
    document = FPDF()
    document.add_page()
    assert await fault_of(reader, site.put("/scan.pdf", bytes(document.output()), "application/pdf")) is PageFault.SCAN


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        (web_server.silent, PageFault.TOO_SLOW),
        (web_server.dripping(0.05), PageFault.TOO_SLOW),
        (web_server.dripping_head(0.05), PageFault.TOO_SLOW),
        (web_server.endless, PageFault.TOO_LARGE),
        (web_server.huge_head, PageFault.FAILED),
        (web_server.broken_off, PageFault.FAILED),
        (web_server.no_http, PageFault.FAILED),
    ],
    ids=["silent", "dripping", "dripping head", "endless", "huge head", "broken off", "no http"],
)
async def test_a_hostile_answer_costs_bounded_time_and_memory(
    reader: PageReader, site: WebServer, page: web_server.Page, fault: PageFault
) -> None:
    await reader.read(site.put("/first", article()))  # what is loaded at the first use is not the page's doing
    before, begun = psutil.Process().memory_info().rss, time.monotonic()
    assert await fault_of(reader, site.serve("/hostile", page)) is fault
    assert time.monotonic() - begun < SOON
    assert psutil.Process().memory_info().rss - before < 60_000_000


async def test_interim_answers_without_end_are_given_up(reader: PageReader, site: WebServer) -> None:
    begun = time.monotonic()
    assert await fault_of(reader, site.serve("/hints", web_server.endless_hints)) is PageFault.TOO_SLOW
    assert time.monotonic() - begun < SOON


@pytest.mark.parametrize(("layers", "encoding"), [(1, "gzip"), (2, "gzip, gzip"), (3, "gzip, gzip, gzip")])
async def test_a_packed_bomb_is_not_unpacked(reader: PageReader, site: WebServer, layers: int, encoding: str) -> None:
    url = site.put("/bomb", web_server.bomb(layers), Content_Encoding=encoding)
    await reader.read(site.put("/first", article()))
    before, begun = psutil.Process().memory_info().rss, time.monotonic()
    assert await fault_of(reader, url) in (PageFault.TOO_LARGE, PageFault.FAILED)
    assert time.monotonic() - begun < SOON
    assert psutil.Process().memory_info().rss - before < 60_000_000


async def test_packed_pages_are_read(reader: PageReader, site: WebServer) -> None:
    plain = article().encode()
    bare = zlib.compressobj(wbits=-15)
    packed = {
        "gzip": gzip.compress(plain),
        "deflate": zlib.compress(plain),
        "Deflate": bare.compress(plain) + bare.flush(),
    }
    for encoding, body in packed.items():
        url = site.put(f"/{encoding}", body, Content_Encoding=encoding)
        assert STORY in (await reader.read(url)).text
    assert await fault_of(reader, site.put("/cut", packed["gzip"][:-20], Content_Encoding="gzip")) is PageFault.FAILED
    assert await fault_of(reader, site.put("/br", b"????", Content_Encoding="br")) is PageFault.FAILED


async def test_sizes_are_bounded_by_type(reader: PageReader, site: WebServer) -> None:
    filler = f"<!-- {'x' * 2_000_000} -->"
    assert await fault_of(reader, site.put("/large", article(filler))) is PageFault.TOO_LARGE
    large_pdf = pdf(STORY) + b"%" + b"x" * 2_500_000
    assert STORY[:30] in (await reader.read(site.put("/large.pdf", large_pdf, "application/pdf"))).text
    assert await fault_of(reader, site.put("/huge.pdf", large_pdf * 2, "application/pdf")) is PageFault.TOO_LARGE


async def test_a_page_that_ruins_its_parser_is_given_up_and_the_next_is_read(
    isolated: PageReader, site: WebServer
) -> None:
    await isolated.read(site.put("/first", article()))
    many_attributes = "<html><body><p " + " ".join(f"a{n}=1" for n in range(120_000)) + ">x</p></body></html>"
    begun = time.monotonic()
    assert await fault_of(isolated, site.put("/ruin", many_attributes)) is PageFault.TOO_SLOW
    assert time.monotonic() - begun < 3 * POLICY.page + SOON
    assert STORY in (await isolated.read(site.put("/next", article()))).text


async def test_a_process_that_is_killed_fails_its_page_alone(guard: AddressGuard, site: WebServer) -> None:
    many_attributes = "<html><body><p " + " ".join(f"a{n}=1" for n in range(120_000)) + ">x</p></body></html>"
    async with opened(guard, policy=evolve(POLICY, page=60.0)) as reader:
        reading = asyncio.create_task(reader.read(site.put("/ruin", many_attributes)))
        while not any(process.cpu_times().user > 0.5 for process in workers()) and not reading.done():
            await asyncio.sleep(0.02)
        for process in workers():
            process.kill()
        with pytest.raises(PageUnreadable) as caught:
            await reading
        assert caught.value.reason is PageFault.FAILED
        assert STORY in (await reader.read(site.put("/next", article()))).text


async def test_processes_end_with_the_reader(guard: AddressGuard, site: WebServer) -> None:
    async with opened(guard, policy=POLICY) as reader:
        await asyncio.gather(*(reader.read(site.put(f"/{n}", article())) for n in range(3)))
        working = workers()
        assert 1 <= len(working) <= 2
        assert not any("CONTENTGEN" in name for process in working for name in process.environ())
    assert not any(process.is_running() for process in working)


@pytest.mark.parametrize(
    ("status", "fault", "retryable"),
    [
        (401, PageFault.REFUSED, False),
        (403, PageFault.REFUSED, False),
        (404, PageFault.GONE, False),
        (410, PageFault.GONE, False),
        (429, PageFault.REFUSED, True),
        (451, PageFault.REFUSED, False),
        (204, PageFault.EMPTY, False),
        (304, PageFault.FAILED, False),
        (500, PageFault.FAILED, True),
        (501, PageFault.FAILED, False),
        (503, PageFault.FAILED, True),
    ],
)
async def test_a_status_tells_why_and_whether_to_come_again(
    reader: PageReader, site: WebServer, status: int, fault: PageFault, retryable: bool
) -> None:
    with pytest.raises(PageUnreadable) as caught:
        await reader.read(site.status("/page", status))
    assert (caught.value.reason, caught.value.retryable) == (fault, retryable)


async def test_a_site_knows_who_reads_it_and_gets_no_cookies_back(reader: PageReader, site: WebServer) -> None:
    site.put("/a", article(), Set_Cookie="id=1; Path=/")
    await reader.read(site.url("/a"))
    await reader.read(site.url("/a"))
    assert {visit.headers["user-agent"] for visit in site.visits} == {"contentgen/9.9"}
    assert not any("cookie" in visit.headers for visit in site.visits)


async def test_robots_txt_is_fetched_once_for_many_readers(reader: PageReader, site: WebServer) -> None:
    urls = [site.put(f"/{n}", article()) for n in range(6)]
    await asyncio.gather(*(reader.read(url) for url in urls))
    assert site.asked("/robots.txt") == 1
    assert site.most_at_once == 1, "a host is called by one reader at a time"


@pytest.mark.parametrize(
    ("status", "fault"), [(500, PageFault.ROBOTS), (429, PageFault.ROBOTS), (403, None), (410, None)]
)
async def test_a_site_in_trouble_is_not_read_now_and_one_without_rules_is(
    reader: PageReader, site: WebServer, status: int, fault: PageFault | None
) -> None:
    site.status("/robots.txt", status)
    url = site.put("/page", article())
    if fault is None:
        assert STORY in (await reader.read(url)).text
        return
    with pytest.raises(PageUnreadable) as caught:
        await reader.read(url)
    assert (caught.value.reason, caught.value.retryable) == (fault, True)
    assert site.asked("/page") == 0


async def test_a_robots_txt_may_be_elsewhere_slow_endless_or_a_web_page(reader: PageReader, site: WebServer) -> None:
    url = site.put("/secret/page", article())
    site.put("/rules", "User-agent: contentgen\nDisallow: /secret\n" + "# filler\n" * 100_000, "text/plain")
    site.redirect("/robots.txt", "/rules")
    assert await fault_of(reader, url) is PageFault.ROBOTS


async def test_an_endless_robots_txt_is_cut_and_a_silent_one_given_up(guard: AddressGuard, site: WebServer) -> None:
    url = site.put("/page", article())
    for page, fault in ((web_server.endless, None), (web_server.silent, PageFault.TOO_SLOW)):
        site.serve("/robots.txt", page)
        async with opened(guard, policy=POLICY) as reader:
            if fault is None:
                assert STORY in (await reader.read(url)).text
            else:
                assert await fault_of(reader, url) is fault


async def test_the_pause_a_site_asks_for_is_kept(reader: PageReader, site: WebServer) -> None:
    site.put("/robots.txt", "User-agent: *\nCrawl-delay: 0.3\n", "text/plain")
    urls = [site.put(f"/{n}", article()) for n in range(3)]
    await asyncio.gather(*(reader.read(url) for url in urls))
    pages = sorted((v for v in site.visits if v.path != "/robots.txt"), key=lambda v: v.began)
    assert all(later.began - earlier.began >= 0.28 for earlier, later in pairwise(pages))


async def test_another_port_of_an_allowed_host_is_refused(reader: PageReader, site: WebServer) -> None:
    with WebServer() as other:
        url = other.put("/admin", article())
        assert await fault_of(reader, url) is PageFault.ADDRESS
        assert await fault_of(reader, site.redirect("/trap", url)) is PageFault.ADDRESS
        assert other.visits == []


async def test_a_name_that_leads_to_this_machine_is_refused(site: WebServer) -> None:
    async def here(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    port = int(site.host.rpartition(":")[2])
    site.put("/", article())
    async with opened(AddressGuard(resolve=here), policy=POLICY) as reader:
        assert await fault_of(reader, f"http://rebound.example.com:{port}/") is PageFault.ADDRESS
    assert site.visits == []
    named = AddressGuard(parse_hosts(f"rebound.example.com:{port}"), here)
    async with opened(named, policy=POLICY) as reader:
        assert (await reader.read(f"http://rebound.example.com:{port}/")).fetched_at == NOW


async def test_ten_pages_of_100_kb_are_read_in_seconds(guard: AddressGuard, site: WebServer) -> None:
    body = "".join(f"<p>{n}. {STORY} {DEVICES}</p>" for n in range(220))
    urls = [site.put(f"/{n}", article(body)) for n in range(10)]
    assert len(article(body)) >= 100_000
    begun = time.monotonic()
    async with opened(guard) as reader:
        pages = await asyncio.gather(*(reader.read(url) for url in urls))
    assert all(DEVICES in page.text for page in pages)
    assert time.monotonic() - begun < 6.0, "under 3 at leisure; the machine of a test may be busy"
