"""One transaction over all durable data.

`async with unit_of_work() as tx:` commits when the block ends, rolls back when it raises. `tx[Articles]` is the
transaction's repository of articles: a repository is asked for by its port. No slow work happens inside: models and
providers are called between transactions. Any method may raise Unavailable while the database is unavailable. Every
method that takes a tenant sees only that tenant's rows (and the platform's where stated)."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeVar

R = TypeVar("R")


class Transaction(Protocol):
    """The repositories of one transaction. Not to be used after it has ended, nor by several tasks at once."""

    def __getitem__(self, port: type[R]) -> R:
        """Return the repository that implements `port`, the same one each time. Raises KeyError for other types."""


class UnitOfWork(Protocol):
    """Opens transactions."""

    def __call__(self) -> AbstractAsyncContextManager[Transaction]: ...
