"""Rows that are changed one revision after the other: a change counts at the revision that it was read at alone."""

# ruff: noqa: S608 - the SQL is put together from the repositories' own constants; values are always parameters

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.session import Row, Session, require
from contentgen_core.errors import ConcurrentChange


class Revisions:
    """One table of such rows, with a column `revision`."""

    def __init__(
        self,
        session: Session,
        table: str,
        resource: str,
        *,
        computed: Mapping[str, str] | None = None,
        returning: str = "revision",
        gone_is_changed: bool = False,
    ) -> None:
        """`resource`: what callers call a row, as errors name it. `computed`: by column, the SQL of what is not set to
        its parameter as it is. `returning`: the columns that a change gives back. `gone_is_changed`: that there is no
        such row (any more) is a ConcurrentChange too, not NotFound."""
        self._session, self._table, self._resource = session, table, resource
        self._computed, self._returning, self._gone_is_changed = computed or {}, returning, gone_is_changed

    async def save(self, key: Mapping[str, str], revision: int, columns: Mapping[str, Any]) -> Row:
        """Change the row with this key, an id among its columns, if it is at this revision, and count it one up. Gives
        back the columns `returning`. Raises ConcurrentChange, NotFound."""
        named = {name: findable(value) for name, value in key.items()}
        changes = {**_values(columns, self._computed), "revision": "revision + 1"}
        rows = await self._session.write(
            f"UPDATE {self._table} SET {', '.join(f'{name} = {value}' for name, value in changes.items())}"
            f" WHERE {_is(named)} AND revision = %(revision)s RETURNING {self._returning}",
            {**columns, **named, "revision": revision},
        )
        if rows:
            return rows[0]
        if not self._gone_is_changed:
            there = await self._session.read(f"SELECT 1 FROM {self._table} WHERE {_is(named)}", named)
            require(there, self._resource, key["id"])
        raise ConcurrentChange.of(self._resource)


def insertion(table: str, columns: Iterable[str], computed: Mapping[str, str] | None = None) -> str:
    """The INSERT of a row; its parameters are named as the columns. `computed`: as for Revisions."""
    values = _values(columns, computed or {})
    return f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join(values.values())})"


def _values(columns: Iterable[str], computed: Mapping[str, str]) -> dict[str, str]:
    return {**{name: f"%({name})s" for name in columns}, **computed}


def _is(key: Iterable[str]) -> str:
    return " AND ".join(f"{name} = %({name})s" for name in key)
