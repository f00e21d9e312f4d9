"""A Git repository as a source, over a server of dulwich's, and what a hostile one might send."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from attrs import evolve
from dulwich.objects import Blob, Tree

from contentgen_adapters.documents.uploads import ThreadUploadReader
from contentgen_adapters.shared.guarded_client import guarded_client
from contentgen_adapters.shared.outgoing.guard import AddressGuard, parse_hosts
from contentgen_adapters.shared.processes.pool import ProcessPool
from contentgen_adapters.sources.catalog import SourceReaders, source_readers
from contentgen_adapters.sources.provider import Surroundings
from contentgen_adapters.sources.providers import git
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.document import MAX_BYTES
from contentgen_core.model.ids import SyncedSourceId, TenantId
from contentgen_core.model.synced_source import SkipReason, SourceKind, SyncedSource
from contentgen_core.ports.source_reading import ItemGone, ItemSkipped, SourceUnavailable
from contentgen_core.testing.runtime import MOMENT
from tests.contract.test_source_readers import Pages, keys, left_out, read
from tests.support.git_server import GitServer, git_server

FAN = b"# Fans\n\nThe fan makes most of the noise.\n"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GitServer]:
    with git_server(tmp_path / "handbook.git") as opened:
        yield opened


@pytest.fixture
async def reader(server: GitServer) -> AsyncIterator[SourceReaders]:
    guard = AddressGuard(parse_hosts(server.host))
    async with aclosing(ProcessPool()) as pool, guarded_client(guard) as client:
        around = Surroundings(client, guard, pool, ThreadUploadReader(), lambda: datetime(2026, 3, 1, tzinfo=UTC))
        yield source_readers([], ThreadUploadReader(), Pages(), None, around)


def source(server: GitServer, place: str | None = None, **settings: str) -> SyncedSource:
    id, tenant = SyncedSourceId("s"), TenantId("t")
    made = SyncedSource(id, tenant, "heat", SourceKind.GIT, "Handbook", place or server.address, MOMENT, MOMENT)
    return evolve(made, settings=settings)


async def test_the_markdown_of_the_newest_commit_is_listed_by_content_and_read(
    server: GitServer, reader: SourceReaders
) -> None:
    files = {
        "a.md": FAN,
        "docs/ä.markdown": FAN + b"Always.",
        "docs/code.py": b"1",
        ".github/b.md": FAN,
        "c.png": b"\x89PNG",
    }
    server.commit(files)
    of = source(server)
    before = await keys(reader, of)
    assert sorted(before) == ["a.md", "docs/ä.markdown"]
    assert await left_out(reader, of) == [(".github", 1)]
    found = (await read(reader, of, "docs/ä.markdown")).text
    assert (found.title, "Always." in found.text) == ("Fans", True)
    server.commit({"a.md": FAN + b"Nearly.", "docs/moved.md": FAN + b"Always."})
    after = await keys(reader, of)
    assert after["docs/moved.md"] == before["docs/ä.markdown"]
    assert after["a.md"] != before["a.md"]
    with pytest.raises(ItemGone):
        await read(reader, of, "docs/ä.markdown")


async def test_a_branch_and_a_folder_are_followed_where_they_are_there(
    server: GitServer, reader: SourceReaders
) -> None:
    with pytest.raises(SourceUnavailable, match="empty"):
        await keys(reader, source(server))
    server.commit({"a.md": FAN, "docs/deep/b.md": FAN})
    server.commit({"docs/deep/c.md": FAN}, branch="next")
    assert list(await keys(reader, source(server, branch="next", folder="docs/deep/"))) == ["c.md"]
    assert list(await keys(reader, source(server, folder="docs"))) == ["deep/b.md"]
    for settings, message in (({"branch": "none"}, "no branch none"), ({"folder": "docs/none"}, "no folder docs/none")):
        with pytest.raises(SourceUnavailable, match=message):
            await keys(reader, source(server, **settings))


async def test_a_token_is_sent_and_without_it_nothing_is_taken_for_empty(
    server: GitServer, reader: SourceReaders
) -> None:
    server.commit({"a.md": FAN})
    server.token = base64.b64encode(b"git:t0ken").decode()
    assert list(await keys(reader, source(server), {"token": "t0ken"})) == ["a.md"]
    with pytest.raises(SourceUnavailable, match=r"refuses the credentials.*token") as refused:
        await keys(reader, source(server), {"token": "an0ther"})
    assert "an0ther" not in str(refused.value)


@pytest.mark.parametrize(
    ("status", "error"), [(404, SourceUnavailable), (302, SourceUnavailable), (503, ProviderFailed)]
)
async def test_a_server_that_gives_no_repository_is_not_empty(
    server: GitServer, reader: SourceReaders, status: int, error: type[Exception]
) -> None:
    server.commit({"a.md": FAN})
    server.status, server.location = status, "http://10.0.0.1/info/refs?service=git-upload-pack"
    with pytest.raises(error):
        await keys(reader, source(server))
    assert len(server.asked) == 1


async def test_a_repository_of_gigabytes_is_refused_before_it_is_there(
    server: GitServer, reader: SourceReaders, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.commit({"a.md": FAN})
    sent = []

    def gigabytes() -> Iterator[bytes]:
        for number in range(2_000):
            sent.append(number)
            yield bytes(1024 * 1024)

    server.stream = gigabytes
    monkeypatch.setattr(git, "MAX_PACK", 5 * 1024 * 1024)
    with pytest.raises(SourceUnavailable, match="larger than the 5 MB that are fetched"):
        await keys(reader, source(server))
    assert len(sent) < 50


@pytest.mark.parametrize("body", [b"", b"PACK", b"0000", b"0008NAK\n", b"ffff", b"0009\x01PACK", bytes(1_000)])
async def test_what_is_no_pack_is_told(server: GitServer, reader: SourceReaders, body: bytes) -> None:
    server.commit({"a.md": FAN})
    server.stream = lambda: iter([body])
    with pytest.raises(SourceUnavailable):
        await keys(reader, source(server))


async def test_a_tree_that_unfolds_into_billions_of_files_is_refused(server: GitServer, reader: SourceReaders) -> None:
    blob = Blob.from_string(b"")
    server.repo.object_store.add_object(blob)
    id, mode = blob.id, 0o100644
    for _ in range(10):
        tree = Tree()
        for number in range(10):
            tree.add(f"{number}".encode(), mode, id)
        server.repo.object_store.add_object(tree)
        id, mode = tree.id, 0o040000
    server.commit_tree(id)
    with pytest.raises(SourceUnavailable, match="more than 500,000 files"):
        await keys(reader, source(server))


async def test_links_are_left_out_and_large_files_are_told(server: GitServer, reader: SourceReaders) -> None:
    tree = Tree()
    for name, mode, content in (
        (b"large.md", 0o100644, b"a" * (MAX_BYTES + 1)),
        (b"link.md", 0o120000, b"/etc/passwd"),
        (b"ok.md", 0o100644, FAN),
    ):
        blob = Blob.from_string(content)
        server.repo.object_store.add_object(blob)
        tree.add(name, mode, blob.id)
    tree.add(b"module.md", 0o160000, b"1" * 40)  # type: ignore[arg-type]
    server.repo.object_store.add_object(tree)
    server.commit_tree(tree.id)
    of = source(server)
    assert sorted(await keys(reader, of)) == ["large.md", "ok.md"]
    assert await left_out(reader, of) == [("link.md", 2)]
    with pytest.raises(ItemSkipped) as skipped:
        await read(reader, of, "large.md")
    assert skipped.value.reason is SkipReason.TOO_LARGE


async def test_places_that_can_never_be_read_are_told(server: GitServer, reader: SourceReaders) -> None:
    assert reader.fault_of(source(server)) is None
    assert reader.fault_of(source(server, "https://git.example.org/a.git")) is None
    for place in (
        "http://git.example.org/a.git",
        "https://10.0.0.1/a.git",
        "https://a:b@git.example.org/a.git",
        "git@git.example.org:a.git",
        "file:///srv/a.git",
        "https://git.example.org/",
        "https://git.example.org/a.git?x=y",
    ):
        assert reader.fault_of(source(server, place)) is not None, place
    assert reader.fault_of(source(server, branch="x" * 251)) is not None
