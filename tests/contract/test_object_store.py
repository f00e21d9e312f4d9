"""Objects in memory, in a folder, and at an S3-compatible server on loopback."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from contentgen_adapters.memory.objects import MemoryObjects
from contentgen_adapters.objects.store import ArrowObjects
from contentgen_core.errors import Unavailable
from contentgen_core.ports.object_store import ObjectStore
from contentgen_core.testing.object_store import KEY, ObjectStoreContract


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
def s3_server() -> Iterator[str]:
    """`host:port` of an S3-compatible server with a bucket `originals`."""
    import boto3
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    client = boto3.client(
        "s3",
        endpoint_url=f"http://{host}:{port}",
        region_name="us-east-1",
        aws_access_key_id="key",
        aws_secret_access_key="secret",
    )
    client.create_bucket(Bucket="originals")
    yield f"{host}:{port}"
    server.stop()


class TestS3(ObjectStoreContract):
    @pytest.fixture
    def objects(self, s3_server: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> ObjectStore:
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        folder = "".join(c for c in request.node.name if c.isalnum())
        options = f"region=us-east-1&scheme=http&endpoint_override={s3_server}"
        return ArrowObjects(f"s3://originals/{folder}?{options}")
