"""Every store has a repository for each port, and errors of declared aggregates are those of the database."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

from contentgen_adapters.memory.repository import repository as in_memory
from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.postgres import migrations
from contentgen_adapters.postgres.repository import repository as on_postgres
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_adapters.shared.aggregates import STORED
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
    assert set(STORED) <= in_memory.ports


async def test_a_transaction_gives_the_same_repository_each_time() -> None:
    async with MemoryUnitOfWork()() as tx:
        assert tx[Voices] is tx[Voices]


async def test_what_is_no_port_has_no_repository() -> None:
    async with MemoryUnitOfWork()() as tx:
        with pytest.raises(KeyError):
            tx[int]


@pytest.mark.parametrize("aggregate", [aggregate for aggregate, _ in STORED.values()], ids=lambda a: a.table)
def test_the_database_has_what_an_aggregate_declares(aggregate) -> None:  # type: ignore[no-untyped-def]
    sql = "\n".join(path.read_text("utf-8") for path in sorted(Path(migrations.__path__[0]).glob("*.sql")))
    for unique in aggregate.unique:
        assert re.search(rf"\b{unique.constraint}\b", sql), unique
    for column, whole in aggregate.part_of.items():
        assert re.search(rf"{column} .*REFERENCES {whole}\b.*ON DELETE CASCADE", sql), column
