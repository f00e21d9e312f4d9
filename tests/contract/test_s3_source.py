"""A bucket as a source, over a server that behaves like S3."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Any

import boto3
import pytest
from attrs import evolve

from contentgen_adapters.documents.uploads import ThreadUploadReader
from contentgen_adapters.shared.fetched_document import RawDocument
from contentgen_adapters.shared.guarded_client import guarded_client
from contentgen_adapters.shared.outgoing.guard import AddressGuard, parse_hosts
from contentgen_adapters.shared.processes.pool import ProcessPool
from contentgen_adapters.sources.catalog import SourceReaders, source_readers
from contentgen_adapters.sources.provider import Surroundings
from contentgen_adapters.sources.s3_listing import Listing, parse_listing
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.document import MAX_BYTES
from contentgen_core.model.ids import SyncedSourceId, TenantId
from contentgen_core.model.synced_source import SkipReason, SourceKind, SyncedSource
from contentgen_core.ports.source_reading import ItemGone, ItemSkipped, ItemText, SourceUnavailable
from contentgen_core.testing.runtime import MOMENT
from tests.contract.test_source_readers import Pages, keys, read
from tests.support.s3 import CREDENTIALS, s3_server

SECRETS = {"secretAccessKey": CREDENTIALS["AWS_SECRET_ACCESS_KEY"]}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with s3_server("handbooks") as host:
        yield host


@pytest.fixture(scope="module")
def bucket(server: str) -> Any:
    names = {"aws_access_key_id": "key", "aws_secret_access_key": "secret", "region_name": "us-east-1"}
    return boto3.resource("s3", endpoint_url=f"http://{server}", **names).Bucket("handbooks")


@pytest.fixture
async def reader(server: str) -> AsyncIterator[SourceReaders]:
    guard = AddressGuard(parse_hosts(f"{server},127.0.0.1:9"))
    async with aclosing(ProcessPool()) as pool, guarded_client(guard) as client:
        around = Surroundings(client, guard, pool, ThreadUploadReader(), lambda: datetime(2026, 3, 1, tzinfo=UTC))
        yield source_readers([], ThreadUploadReader(), Pages(), None, around)


def source(server: str, place: str = "s3://handbooks/heat", **settings: str) -> SyncedSource:
    id, tenant = SyncedSourceId("s"), TenantId("t")
    kept = {"accessKeyId": CREDENTIALS["AWS_ACCESS_KEY_ID"], "endpoint": f"http://{server}"} | settings
    made = SyncedSource(id, tenant, "home-energy", SourceKind.S3, "B", place, created_at=MOMENT, updated_at=MOMENT)
    return evolve(made, settings=kept)


async def listed(reader: SourceReaders, of: SyncedSource) -> dict[str, str | None]:
    return await keys(reader, of, SECRETS)


async def given(reader: SourceReaders, of: SyncedSource, key: str) -> ItemText:
    return await read(reader, of, key, secrets=SECRETS)


async def test_the_files_below_a_prefix_are_listed_with_their_tags_and_read(
    server: str, bucket: Any, reader: SourceReaders
) -> None:
    names = ["heat/a.md", "heat/deep/ä b+c&d=e%20.md", "heat/.hidden.md", "heat/empty/", "heater/other.md", "top.md"]
    for name in names:
        bucket.put_object(Key=name, Body=f"# {name}\n\nThe fan makes most of the noise.\n".encode())
    of = source(server)
    before = await listed(reader, of)
    assert list(before) == ["a.md", "deep/ä b+c&d=e%20.md"]
    assert all(before.values())
    bucket.put_object(Key="heat/a.md", Body=b"# A\n\nThe fan makes all of the noise.\n")
    after = await listed(reader, of)
    assert [key for key in before if before[key] != after[key]] == ["a.md"]
    found = await given(reader, of, "deep/ä b+c&d=e%20.md")
    assert (found.text.source_key, "most of the noise" in found.text.text) == ("deep/ä b+c&d=e%20.md", True)
    with pytest.raises(ItemGone):
        await given(reader, of, "nothing.md")
    assert "top.md" in await listed(reader, evolve(of, place="s3://handbooks"))


async def test_a_listing_of_many_pages_is_followed_and_files_of_no_use_are_told(
    server: str, bucket: Any, reader: SourceReaders
) -> None:
    for number in range(1_005):
        bucket.put_object(Key=f"many/{number:04}.txt", Body=b"The fan makes most of the noise.")
    bucket.put_object(Key="many/large.txt", Body=bytes(MAX_BYTES + 1))
    bucket.put_object(Key="many/picture.png", Body=b"\x89PNG\r\n\x1a\n" + bytes(50))
    of = source(server, "s3://handbooks/many/")
    assert len(await listed(reader, of)) == 1_007
    for key, reason in (("large.txt", SkipReason.TOO_LARGE), ("picture.png", SkipReason.UNSUPPORTED)):
        with pytest.raises(ItemSkipped) as skipped:
            await given(reader, of, key)
        assert skipped.value.reason is reason


async def test_a_bucket_that_is_not_there_or_not_ours_is_no_empty_one(server: str, reader: SourceReaders) -> None:
    with pytest.raises(SourceUnavailable, match="no bucket"):
        await listed(reader, source(server, "s3://nothing-here"))
    with pytest.raises(ProviderFailed, match="connection failed"):
        await listed(reader, source("127.0.0.1:9"))


@pytest.mark.parametrize(
    ("place", "settings"),
    [
        ("s3://", {}),
        ("s3://Bad_Name", {}),
        ("https://handbooks", {}),
        ("s3://handbooks/a b", {}),
        ("s3://handbooks/a?b", {}),
        ("s3://handbooks", {"region": "../../x"}),
        ("s3://handbooks", {"endpoint": "http://10.0.0.1"}),
        ("s3://handbooks", {"endpoint": "http://user:password@storage.example"}),
    ],
)
async def test_places_that_can_never_be_read_are_told(
    server: str, reader: SourceReaders, place: str, settings: dict[str, str]
) -> None:
    assert reader.fault_of(source(server)) is None
    assert reader.fault_of(source(server, place, **settings)) is not None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<html>",
        b"<html/>",
        b"<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
        b"<ListBucketResult>" + b"<Contents><Key>a</Key></Contents>" * 1_001 + b"</ListBucketResult>",
    ],
)
def test_what_is_no_whole_listing_is_none(data: bytes) -> None:
    assert parse_listing(RawDocument(data, "https://storage.example")) is None


def test_entities_of_a_listing_are_not_followed() -> None:
    declared = b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
    data = declared + b"<ListBucketResult><Contents><Key>&e;</Key></Contents></ListBucketResult>"
    assert parse_listing(RawDocument(data, "https://storage.example")) == Listing([("", "")])
