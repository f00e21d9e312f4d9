"""Objects in memory, in a folder, and at an S3-compatible server on loopback."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from contentgen_adapters.memory.objects import MemoryObjects
from contentgen_adapters.objects.store import ArrowObjects
from contentgen_core.errors import Unavailable
from contentgen_core.ports.object_store import ObjectStore
from contentgen_core.testing.object_store import KEY, ObjectStoreContract
from tests.support.s3 import CREDENTIALS, s3_server


class TestMemory(ObjectStoreContract):
    @pytest.fixture
    def objects(self) -> ObjectStore:
        return MemoryObjects()


class TestFolder(ObjectStoreContract):
    @pytest.fixture
    def objects(self, tmp_path: Path) -> ObjectStore:
        return ArrowObjects(str(tmp_path / "objects"))

    async def test_nobody_else_may_look_into_the_folder(self, objects: ObjectStore, tmp_path: Path) -> None:
        await objects.put(KEY, b"private")
        assert (tmp_path / "objects").stat().st_mode & 0o077 == 0

    async def test_a_folder_that_takes_no_files_is_told(
        self, objects: ObjectStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await objects.check()

        def full(*_: object, **__: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr("tempfile.NamedTemporaryFile", full)
        with pytest.raises(Unavailable, match="files"):
            await objects.check()

    async def test_nothing_but_the_object_is_left_behind(self, objects: ObjectStore, tmp_path: Path) -> None:
        for n in range(3):
            await objects.put(KEY, bytes(n))
        assert [f.name for _, _, files in os.walk(tmp_path) for f in map(Path, files)] == [KEY.rpartition("/")[2]]

    @pytest.mark.parametrize("key", ["../up", "/root", "a//b", "a/../b", "", ".hidden", "a/.b", "ä", "a" * 501])
    async def test_a_key_that_leads_elsewhere_is_a_fault_of_ours(self, objects: ObjectStore, key: str) -> None:
        with pytest.raises(ValueError, match="no key"):
            await objects.put(key, b"")

    async def test_a_place_that_cannot_be_used_is_unavailable(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("not a folder")
        with pytest.raises(Unavailable):
            await ArrowObjects(str(tmp_path / "file" / "below")).put(KEY, b"")

    def test_other_addresses_are_refused(self) -> None:
        with pytest.raises(ValueError, match="s3://"):
            ArrowObjects("ftp://example.org/objects")


@pytest.fixture(scope="module")
def s3_address() -> Iterator[str]:
    with s3_server("originals") as address:
        yield address


class TestS3(ObjectStoreContract):
    @pytest.fixture
    def objects(self, s3_address: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> ObjectStore:
        for name, value in CREDENTIALS.items():
            monkeypatch.setenv(name, value)
        folder = "".join(c for c in request.node.name if c.isalnum())
        options = f"region=us-east-1&scheme=http&endpoint_override={s3_address}"
        return ArrowObjects(f"s3://originals/{folder}?{options}")
