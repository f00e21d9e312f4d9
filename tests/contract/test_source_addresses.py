"""Addresses of sources: refused when they are entered, and told apart by no error of a sync."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing
from functools import partial
from typing import Any

import pytest
from attrs import evolve

from contentgen_adapters.documents.uploads import ThreadUploadReader
from contentgen_adapters.pages.reader import FetchPolicy, HttpPageReader
from contentgen_adapters.shared.guarded_client import guarded_client
from contentgen_adapters.shared.http import RetryPolicy
from contentgen_adapters.shared.outgoing.guard import AddressGuard, parse_hosts
from contentgen_adapters.sources.catalog import SourceReaders, open_site_reader, open_surroundings, source_readers
from contentgen_adapters.sources.providers import confluence, s3
from contentgen_adapters.sources.service import Service
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.ids import SyncedSourceId, TenantId
from contentgen_core.model.synced_source import SourceKind, SyncedSource
from contentgen_core.ports.source_reading import ItemGone, ItemSkipped, SourceUnavailable
from contentgen_core.testing.runtime import MOMENT, ManualClock
from tests.contract.test_page_reader import InPlace
from tests.support.http import faults_of, open_api

S3 = {"accessKeyId": "AKIA", "secretAccessKey": "hush"}
CONFLUENCE = {"email": "ada@a.example", "apiToken": "hush"}
INSIDE = (
    "127.0.0.1", "10.0.0.7:8080", "169.254.169.254", "[::1]", "localhost", "minio:9000", "wiki.internal",
    "nas.local:9000", "router.home.arpa",
)  # fmt: skip


def place_of(kind: str, host: str) -> tuple[str, dict[str, Any]]:
    """A source of this kind at this host, with its settings."""
    match kind:
        case "s3":
            return "s3://handbooks/heating", {**S3, "endpoint": f"http://{host}"}
        case "git":
            return f"https://{host}/handbook.git", {}
        case "confluence":
            return f"https://{host}/wiki/spaces/HEAT", CONFLUENCE
        case _:
            return f"http://{host}/rules", {}


@pytest.mark.parametrize("kind", ["s3", "git", "confluence"])
async def test_an_address_inside_is_refused_when_a_source_is_made_and_changed(kind: str) -> None:
    async with open_api() as api:
        place, settings = place_of(kind, "public.example")
        new = {"kind": kind, "name": "S", "nicheKey": "home-energy", "place": place, "settings": settings}
        made = await api.call("POST", "/sources", new)
        assert made.status_code == 200, made.text
        for host in INSIDE:
            place, settings = place_of(kind, host)
            answer = await api.call("POST", "/sources", new | {"place": place, "settings": settings})
            assert "CONTENTGEN_ALLOWED_PRIVATE_HOSTS" in faults_of(answer)["place"], host
            sent = {"settings": settings} | ({} if kind == "s3" else {"place": place})
            assert (await api.call("PATCH", f"/sources/{made.json()['id']}", sent)).status_code == 400, host


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


DEAD = f"dead.corp.example:{free_port()}"
"""Where nobody listens; the guard lets it be called, as it does public addresses."""
ANSWERS = {
    "here.corp.example": "10.1.2.3",
    "loop.corp.example": "127.0.0.1",
    "meta.corp.example": "169.254.169.254",
    "dead.corp.example": "127.0.0.1",
}


async def resolve(host: str, port: int) -> list[str]:
    if host not in ANSWERS:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    return [ANSWERS[host]]


@pytest.fixture
async def reader(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SourceReaders]:
    at_once = RetryPolicy(total=30.0, attempts=5, sleep=_no_wait)
    monkeypatch.setattr(confluence, "Service", partial(Service, retries=at_once))
    monkeypatch.setattr(s3, "_RETRIES", at_once)
    guard, clock = AddressGuard(parse_hosts(DEAD), resolve), ManualClock()
    async with AsyncExitStack() as stack:
        pool = await stack.enter_async_context(aclosing(InPlace()))
        client = await stack.enter_async_context(guarded_client(guard))
        pages = HttpPageReader(client, guard, pool, clock, FetchPolicy(pause=0))
        site = await stack.enter_async_context(open_site_reader(guard, pool, pages, "contentgen"))
        around = await stack.enter_async_context(open_surroundings(guard, pool, ThreadUploadReader(), clock))
        yield source_readers([], ThreadUploadReader(), pages, site, around)


async def _no_wait(seconds: float) -> None: ...


def source(kind: SourceKind, host: str) -> tuple[SyncedSource, dict[str, Any]]:
    """A source at this host, and its secrets."""
    place, settings = place_of(kind.value, host)
    of = SyncedSource(SyncedSourceId("s"), TenantId("t"), "heat", kind, "S", place, MOMENT, MOMENT)
    secrets = {name: value for name, value in settings.items() if name in ("secretAccessKey", "apiToken")}
    return evolve(of, settings={name: value for name, value in settings.items() if name not in secrets}), secrets


@pytest.mark.parametrize("kind", [SourceKind.PAGES, SourceKind.SITEMAP, SourceKind.FEED])
def test_a_page_or_a_site_inside_can_never_be_read(reader: SourceReaders, kind: SourceKind) -> None:
    assert reader.fault_of(source(kind, "public.example")[0]) is None
    for host in INSIDE:
        assert "CONTENTGEN_ALLOWED_PRIVATE_HOSTS" in (reader.fault_of(source(kind, host)[0]) or ""), host


async def outcome(reader: SourceReaders, kind: SourceKind, host: str) -> tuple[str, str, bool]:
    """What a sync of a source at this host ends with, without the host; and whether it is tried again."""
    of, secrets = source(kind, host)
    try:
        async with reader.open(of, secrets) as opened:
            async for some in opened.items():
                for item in some:
                    await opened.read(item.key)  # type: ignore[union-attr]
    except ProviderFailed as error:
        return type(error).__name__, error.detail.replace(host, "HOST"), error.retryable
    except SourceUnavailable as error:
        return type(error).__name__, str(error).replace(host, "HOST"), True
    except ItemGone:
        return "gone", "", True
    except ItemSkipped as error:
        return "skipped", error.reason.value, True
    raise AssertionError("it was read")


@pytest.mark.parametrize(
    "kind",
    [SourceKind.S3, SourceKind.GIT, SourceKind.CONFLUENCE, SourceKind.SITEMAP, SourceKind.FEED, SourceKind.PAGES],
)
async def test_no_error_of_a_sync_tells_whether_a_name_inside_is_there(reader: SourceReaders, kind: SourceKind) -> None:
    hosts = ("here.corp.example", "loop.corp.example", "meta.corp.example", "nothing.corp.example", DEAD)
    found = {host: await outcome(reader, kind, host) for host in hosts}
    assert len(set(found.values())) == 1, found
    [(_, text, _)] = set(found.values())
    for telling in ("private", "10.1", "127.0", "no host", "refused", "not public"):
        assert telling not in text
