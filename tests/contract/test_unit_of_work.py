"""Both units of work keep the contract of the port."""

from __future__ import annotations

import pytest

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing.unit_of_work import UnitOfWorkContract


class TestUnitOfWork(UnitOfWorkContract):
    @pytest.fixture(params=["memory", "postgres"])
    def unit_of_work(self, request: pytest.FixtureRequest) -> UnitOfWork:
        if request.param == "memory":
            return MemoryUnitOfWork()
        unit_of_work: UnitOfWork = request.getfixturevalue("postgres_unit_of_work")
        return unit_of_work
