"""Every store has a repository for each port."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

from contentgen_adapters.memory.repository import repository as in_memory
from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.postgres.repository import repository as on_postgres
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.ports import repositories as ports
from contentgen_core.ports.repositories.voices import Voices

STORES = {MemoryUnitOfWork: in_memory, PostgresUnitOfWork: on_postgres}


def _protocols() -> set[type]:
    modules = [importlib.import_module(m.name) for m in pkgutil.iter_modules(ports.__path__, f"{ports.__name__}.")]
    return {
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and getattr(value, "_is_protocol", False) and value.__module__ == module.__name__
    }


def test_every_store_has_a_repository_for_each_port() -> None:
    assert in_memory.ports == on_postgres.ports
    assert in_memory.ports <= _protocols()


async def test_a_transaction_gives_the_same_repository_each_time() -> None:
    async with MemoryUnitOfWork()() as tx:
        assert tx[Voices] is tx[Voices]


async def test_what_is_no_port_has_no_repository() -> None:
    async with MemoryUnitOfWork()() as tx:
        with pytest.raises(KeyError):
            tx[int]
