"""The repositories of a storage adapter, each registered under the port that it implements."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any, Generic, TypeVar

from contentgen_adapters.shared.aggregates import STORED, Aggregate, Records

R = TypeVar("R")
S = TypeVar("S")


class Repositories(Generic[S]):
    """Decorates the repositories of one adapter: `@repository(Voices)`."""

    def __init__(self) -> None:
        self._by_port: dict[type, Callable[[S], Any]] = {}

    def __call__(self, port: type[R]) -> Callable[[Callable[[S], R]], Callable[[S], R]]:
        """Register the decorated class, which is made from a session, as the repository of `port`."""

        def register(repository: Callable[[S], R]) -> Callable[[S], R]:
            self._by_port[port] = repository
            return repository

        return register

    def add_stored(self, records: Callable[[S, Aggregate[Any]], Records[Any]]) -> None:
        """Register the repositories of declared aggregates, made of the adapter's `records`."""
        for port, (aggregate, repository) in STORED.items():
            self._by_port[port] = partial(_made_of_records, records, aggregate, repository)

    def make(self, port: type[R], session: S) -> R:
        """Raises KeyError if no repository is registered under `port`."""
        made: R = self._by_port[port](session)
        return made

    @property
    def ports(self) -> frozenset[type]:
        return frozenset(self._by_port)


def _made_of_records(
    records: Callable[[S, Aggregate[Any]], Records[Any]],
    aggregate: Aggregate[Any],
    repository: Callable[[Records[Any]], Any],
    session: S,
) -> Any:
    return repository(records(session, aggregate))


def import_modules(package: ModuleType) -> None:
    """Import the modules of `package`, so that each registers its repositories."""
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
