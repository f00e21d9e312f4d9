"""What the in-memory unit of work stores, and how a transaction sees it before its commit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final, Generic, TypeVar, cast

K = TypeVar("K")
V = TypeVar("V")

_GONE: Final = object()
DECLARED: Final[list[TableOf[Any, Any]]] = []


class Table(Generic[K, V]):
    """Rows by key as one transaction sees them: the committed ones under its own changes.

    Rows are immutable values, so a change replaces a row. Only the changes are kept here: a transaction costs what it
    touches, whatever the size of the table."""

    __slots__ = ("_changes", "_committed")

    def __init__(self, committed: dict[K, V]) -> None:
        self._committed = committed
        self._changes: dict[K, object] = {}

    def get(self, key: K) -> V | None:
        if key in self._changes:
            change = self._changes[key]
            return None if change is _GONE else cast(V, change)
        return self._committed.get(key)

    def put(self, key: K, row: V) -> None:
        self._changes[key] = row

    def drop(self, key: K) -> None:
        """Unknown keys are fine."""
        self._changes[key] = _GONE

    def rows(self) -> Iterator[V]:
        if not self._changes:
            yield from self._committed.values()
            return
        yield from (row for _, row in self.items())

    def items(self) -> Iterator[tuple[K, V]]:
        yield from ((key, row) for key, row in self._committed.items() if key not in self._changes)
        yield from ((key, cast(V, change)) for key, change in self._changes.items() if change is not _GONE)

    def commit(self) -> None:
        for key, change in self._changes.items():
            if change is _GONE:
                self._committed.pop(key, None)
            else:
                self._committed[key] = cast(V, change)
        self._changes.clear()


class TableOf(Generic[K, V]):
    """The declaration of a table, by which a session is asked for its rows: `session[ARTICLES]`."""

    def __init__(self, name: str) -> None:
        self.name = name
        DECLARED.append(self)


class Store(defaultdict[str, dict[Any, Any]]):
    """The committed rows, by the name of their table."""

    def __init__(self) -> None:
        super().__init__(dict)
