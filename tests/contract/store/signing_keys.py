"""The installation's signing keys: one present, those before it kept."""

from __future__ import annotations

from datetime import timedelta

import pytest
from attrs import evolve

from contentgen_core.errors import AlreadyExists, ConcurrentChange
from contentgen_core.model.ids import SigningKeyId
from contentgen_core.model.signing_key import SigningKey
from contentgen_core.ports.repositories.signing_keys import SigningKeys
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT

HOUR = timedelta(hours=1)


def _key(age: int = 0) -> SigningKey:
    return SigningKey(SigningKeyId(builders.new_id()), "public", MOMENT - age * HOUR, "sealed")


class SigningKeysContract:
    async def test_one_key_is_present(self, unit_of_work: UnitOfWork) -> None:
        async with unit_of_work() as tx:
            assert await tx[SigningKeys].present() is None
            assert await tx[SigningKeys].all() == []
        key = _key()
        async with unit_of_work() as tx:
            await tx[SigningKeys].add(key)
        with pytest.raises(AlreadyExists):
            async with unit_of_work() as tx:
                await tx[SigningKeys].add(_key())
        async with unit_of_work() as tx:
            assert await tx[SigningKeys].present() == key
            await tx[SigningKeys].save(evolve(key, sealed="anew"))
        async with unit_of_work() as tx:
            assert await tx[SigningKeys].all() == [evolve(key, sealed="anew")]

    async def test_a_retired_key_stays_and_never_changes_again(self, unit_of_work: UnitOfWork) -> None:
        former, present = _key(age=2), _key()
        async with unit_of_work() as tx:
            await tx[SigningKeys].add(former)
        retired = former.retired(MOMENT)
        async with unit_of_work() as tx:
            await tx[SigningKeys].save(retired)
            await tx[SigningKeys].add(present)
        async with unit_of_work() as tx:
            assert await tx[SigningKeys].present() == present
            assert await tx[SigningKeys].all() == [present, retired]
            await tx[SigningKeys].save(present.retired(MOMENT + HOUR))
        async with unit_of_work() as tx:
            assert await tx[SigningKeys].present() is None
            assert await tx[SigningKeys].all() == [present.retired(MOMENT + HOUR), retired]
        for changed in (former, evolve(former, sealed="anew"), _key()):
            with pytest.raises(ConcurrentChange):
                async with unit_of_work() as tx:
                    await tx[SigningKeys].save(changed)
