"""The contract of `ObjectStore`. Inherit `ObjectStoreContract` in a test module and give it the fixture `objects`: a
fresh, empty store per test."""

from __future__ import annotations

import asyncio

import pytest

from contentgen_core.errors import NotFound
from contentgen_core.ports.object_store import ObjectStore

KEY = "tenant-1/documents/0199b6c2-7d3e-7c10"


class ObjectStoreContract:
    async def test_what_was_put_is_got(self, objects: ObjectStore) -> None:
        for content in (b"", b"\x00\xff text", bytes(3_000_000)):
            await objects.put(KEY, content)
            assert await objects.get(KEY) == content

    async def test_keys_are_apart(self, objects: ObjectStore) -> None:
        await objects.put(f"{KEY}/a", b"a")
        await objects.put(f"{KEY}/b", b"b")
        assert (await objects.get(f"{KEY}/a"), await objects.get(f"{KEY}/b")) == (b"a", b"b")

    async def test_what_is_not_there_is_not_found(self, objects: ObjectStore) -> None:
        with pytest.raises(NotFound):
            await objects.get(KEY)

    async def test_deleting_is_idempotent(self, objects: ObjectStore) -> None:
        await objects.put(KEY, b"gone soon")
        await objects.delete(KEY)
        await objects.delete(KEY)
        with pytest.raises(NotFound):
            await objects.get(KEY)

    async def test_a_reader_sees_the_old_or_the_new_never_a_part(self, objects: ObjectStore) -> None:
        whole = {bytes([n]) * 200_000 for n in range(4)}
        await objects.put(KEY, bytes(200_000))
        writing = [objects.put(KEY, content) for content in whole]
        seen = await asyncio.gather(*writing, *(objects.get(KEY) for _ in range(8)))
        assert set(filter(None, seen)) <= whole

    async def test_a_store_that_works_says_so(self, objects: ObjectStore) -> None:
        await objects.check()
