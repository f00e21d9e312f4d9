"""Large files over servers that break off, lie, redirect and know no parts."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
from attrs import define, field
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.shared.download import ATTEMPTS, Downloader, KnownFile
from contentgen_adapters.shared.guarded_client import guarded_client
from contentgen_adapters.shared.outgoing.guard import AddressGuard, parse_hosts
from contentgen_core.errors import Conflict, ProviderFailed
from tests.support.waiting import no_wait
from tests.support.web_server import WebServer

CONTENT = bytes(range(256)) * 40
FILE = KnownFile("https://models.example/model.onnx", len(CONTENT), hashlib.sha256(CONTENT).hexdigest())


@define
class Body(httpx.AsyncByteStream):
    """`whole`: else the connection breaks off behind it."""

    content: bytes
    whole: bool

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self.content
        if not self.whole:
            raise httpx.ReadError("connection reset")


@define
class Mirror:
    """`breaks`: after how many bytes each answer breaks off, one an answer. `first`: answers before all others."""

    content: bytes = CONTENT
    parts: bool = True
    breaks: Iterator[int] = field(factory=lambda: iter(()))
    first: list[httpx.Response] = field(factory=list)
    asked: list[tuple[str, str | None]] = field(factory=list)

    def answer(self, request: httpx.Request) -> httpx.Response:
        wanted = request.headers.get("range")
        self.asked.append((str(request.url), wanted))
        if self.first:
            return self.first.pop(0)
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted and self.parts else 0
        given, end = self.content[start:], next(self.breaks, None)
        headers = {"Content-Length": str(len(given))}
        if wanted and self.parts:
            last = len(self.content) - 1
            headers["Content-Range"] = f"bytes {start}-{last}/{len(self.content)}"
        whole = end is None or end >= len(given)
        return httpx.Response(
            206 if wanted and self.parts else 200, headers=headers, stream=Body(given if whole else given[:end], whole)
        )

    @property
    def downloader(self) -> Downloader:
        return Downloader(httpx.AsyncClient(transport=httpx.MockTransport(self.answer)), no_wait)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "models" / "model.onnx"


def held(target: Path) -> bytes | None:
    return target.read_bytes() if target.exists() else None


def put(target: Path, content: bytes) -> None:
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(content)


def left(target: Path) -> list[str]:
    return sorted(path.name for path in target.parent.iterdir())


async def test_a_file_is_fetched_once(target: Path) -> None:
    mirror, seen = Mirror(), list[int]()
    assert await mirror.downloader.fetch(FILE, target, seen.append)
    assert not await mirror.downloader.fetch(FILE, target, seen.append)
    assert (held(target), left(target), len(mirror.asked)) == (CONTENT, ["model.onnx"], 1)
    assert seen[-1] == FILE.size


async def test_after_an_interruption_it_goes_on_where_it_was(target: Path) -> None:
    mirror = Mirror(breaks=iter((3_000, 2_000)))
    await mirror.downloader.fetch(FILE, target)
    assert held(target) == CONTENT
    assert [part for _, part in mirror.asked] == [None, "bytes=3000-", "bytes=5000-"]


async def test_so_it_does_in_another_call(target: Path) -> None:
    gone = Mirror(breaks=iter([3_000] + [0] * ATTEMPTS))
    with pytest.raises(ProviderFailed, match="connection failed"):
        await gone.downloader.fetch(FILE, target)
    assert held(target) is None
    again = Mirror()
    await again.downloader.fetch(FILE, target)
    assert (again.asked, held(target)) == ([(FILE.address, "bytes=3000-")], CONTENT)
    assert left(target) == ["model.onnx"]


async def test_a_server_that_knows_no_parts_is_asked_from_the_start(target: Path) -> None:
    mirror = Mirror(parts=False, breaks=iter((3_000, 100)))
    await mirror.downloader.fetch(FILE, target)
    assert (len(mirror.asked), held(target)) == (3, CONTENT)
    never = Mirror(parts=False, breaks=iter([3_000] * 50))
    with pytest.raises(ProviderFailed):
        await never.downloader.fetch(FILE, target.with_name("other.onnx"))
    assert len(never.asked) <= ATTEMPTS + 1


@given(breaks=st.lists(st.integers(1, len(CONTENT)), max_size=6), parts=st.booleans())
async def test_however_often_it_breaks_off_the_file_is_whole_or_not_there(
    tmp_path_factory: pytest.TempPathFactory, breaks: list[int], parts: bool
) -> None:
    target = tmp_path_factory.mktemp("models") / "model.onnx"
    try:
        await Mirror(parts=parts, breaks=iter(breaks)).downloader.fetch(FILE, target)
    except ProviderFailed:
        assert held(target) is None
    else:
        assert held(target) == CONTENT


@pytest.mark.parametrize(
    ("mirror", "why"),
    [
        (Mirror(CONTENT[:-1] + b"x"), "digest is another one"),
        (Mirror(first=[httpx.Response(404)]), r"does not have /model.onnx \(HTTP 404\)"),
        (Mirror(first=[httpx.Response(403)]), "HTTP 403"),
        (Mirror(first=[httpx.Response(200, text="<html>Please log in</html>")]), "a login or a filter"),
        (Mirror(first=[httpx.Response(302, headers={"Location": "http://models.example/"})]), "not safe"),
        (Mirror(first=[httpx.Response(302, headers={"Location": "/again"})] * 9), "redirects too often"),
        (Mirror(first=[httpx.Response(503)] * 9), "HTTP 503"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
async def test_what_is_not_the_file_is_told_and_not_kept(target: Path, mirror: Mirror, why: str) -> None:
    with pytest.raises(ProviderFailed, match=why):
        await mirror.downloader.fetch(FILE, target)
    assert held(target) is None
    await Mirror().downloader.fetch(FILE, target)
    assert held(target) == CONTENT


async def test_more_bytes_than_the_file_has_are_not_taken(target: Path) -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * 1_000

    client = httpx.AsyncClient(transport=httpx.MockTransport(lambda _: httpx.Response(200, content=endless())))
    with pytest.raises(ProviderFailed, match="more than the published file"):
        await Downloader(client, no_wait).fetch(FILE, target)


async def test_another_part_than_the_one_asked_for_is_refused(target: Path) -> None:
    headers = {"Content-Range": f"bytes 7-{FILE.size - 1}/{FILE.size}"}
    mirror = Mirror(breaks=iter((3_000,)))
    answers = [mirror.answer, lambda _: httpx.Response(206, stream=Body(CONTENT[7:], True), headers=headers)]
    transport = httpx.MockTransport(lambda request: answers.pop(0)(request))
    with pytest.raises(ProviderFailed, match="another part"):
        await Downloader(httpx.AsyncClient(transport=transport), no_wait).fetch(FILE, target)


async def test_redirects_are_followed_and_parts_asked_for_there(target: Path) -> None:
    mirror = Mirror(first=[httpx.Response(302, headers={"Location": "https://store.example/x?sign=1"})])
    await mirror.downloader.fetch(FILE, target)
    assert [address for address, _ in mirror.asked] == [FILE.address, "https://store.example/x?sign=1"]


async def test_a_file_of_before_that_is_another_one_is_replaced_at_the_end(target: Path) -> None:
    put(target, b"an older model")
    with pytest.raises(ProviderFailed):
        await Mirror(first=[httpx.Response(404)]).downloader.fetch(FILE, target)
    assert held(target) == b"an older model"
    assert await Mirror().downloader.fetch(FILE, target)
    assert held(target) == CONTENT


async def test_where_nothing_can_be_written_the_folder_is_named(tmp_path: Path) -> None:
    put(tmp_path / "models", b"a file")
    with pytest.raises(Conflict, match="models cannot be written to"):
        await Mirror().downloader.fetch(FILE, tmp_path / "models" / "model.onnx")


async def test_two_processes_do_not_fetch_the_same_file(target: Path) -> None:
    mirror = Mirror()

    async def meanwhile(_: float) -> None:
        with pytest.raises(Conflict, match="Another process"):
            await Mirror().downloader.fetch(FILE, target)

    mirror.first = [httpx.Response(503)]
    await Downloader(mirror.downloader.client, meanwhile).fetch(FILE, target)
    assert held(target) == CONTENT


async def test_every_address_passes_the_guard(target: Path) -> None:
    with WebServer() as server:
        server.put("/model.onnx", CONTENT, "application/octet-stream")
        file = KnownFile(f"http://{server.host}/model.onnx", FILE.size, FILE.sha256)
        async with guarded_client(AddressGuard()) as strict:
            with pytest.raises(ProviderFailed, match="its address is refused"):
                await Downloader(strict, no_wait).fetch(file, target)
        async with guarded_client(AddressGuard(parse_hosts(server.host))) as allowed:
            await Downloader(allowed, no_wait).fetch(file, target)
    assert held(target) == CONTENT
