"""Read from PostgreSQL's plans what the statements of a repository cost the database."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from itertools import count
from statistics import median
from typing import Any, Final, cast

from attrs import field, frozen
from psycopg import AsyncConnection
from psycopg.rows import TupleRow
from psycopg.sql import SQL, Composed, Identifier, Literal

from contentgen_adapters.postgres.pool import Pool
from contentgen_adapters.postgres.unit_of_work import PostgresTransaction

_RUNS: Final = 9  # of the sixth on PostgreSQL may run a plan that does not know what is asked for
_TIMED: Final = 3  # the last of them
_PLACE: Final = re.compile(r"%(?:\((\w+)\))?s")

Connection = AsyncConnection[TupleRow]
Question = Callable[[PostgresTransaction], Awaitable[Any]]


@frozen
class Statement:
    """A statement of a repository. `plan_anew`: whether it is planned for its values each time."""

    query: str
    values: Mapping[str, Any] | list[Any]
    plan_anew: bool


@frozen
class Plan:
    """`pages`: read by it, from memory or from the disk. `nodes`: what it does, outermost first; a part that reads a
    whole table says so. `changed`: the tables that it writes."""

    milliseconds: float
    pages: int
    rows: int
    nodes: tuple[str, ...] = field(factory=tuple)
    changed: frozenset[str] = frozenset()


async def plans(connection: Connection, question: Question) -> list[Plan]:
    """Return the plans of the statements that a question runs. Their changes are undone."""
    noted: list[Statement] = []
    pool = cast("Pool", _Lent(connection, noted))
    async with connection.transaction(force_rollback=True), PostgresTransaction(pool) as tx:
        await question(tx)
    return [await _plan(connection, statement) for statement in noted]


class _Lent:
    """A pool of one connection that is someone else's, which notes what it is given."""

    def __init__(self, connection: Connection, noted: list[Statement]) -> None:
        self._connection, self._noted = connection, noted

    async def acquire(self) -> _Lent:
        return self

    async def release(self, connection: object) -> None:
        """Do nothing: the connection stays with its owner."""

    async def execute(self, query: str, values: Any, *, prepare: bool | None = None, binary: bool = False) -> Any:
        self._noted.append(Statement(query, values if isinstance(values, Mapping) else list(values), prepare is False))
        return await self._connection.execute(query.encode(), values, prepare=prepare, binary=binary)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


async def _plan(connection: Connection, statement: Statement) -> Plan:
    """Return the plan of the last of several runs, prepared as the product's connections do."""
    query, values = _numbered(statement)
    mode = "force_custom_plan" if statement.plan_anew else "auto"
    explained: Composed = SQL("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE asked").format()
    if values:
        explained += SQL("({})").format(SQL(", ").join(map(Literal, values)))
    found = []
    async with connection.transaction(force_rollback=True):
        await connection.execute(SQL("SET LOCAL plan_cache_mode = {}").format(Identifier(mode)))
        await connection.execute(f"PREPARE asked AS {query}".encode(), prepare=False)
        for _ in range(_RUNS):
            async with connection.transaction(force_rollback=True):
                [[plan]] = await (await connection.execute(explained, prepare=False)).fetchall()
                found.append(plan[0])
    await connection.execute("DEALLOCATE asked")
    top = found[-1]["Plan"]
    took = median(plan["Execution Time"] for plan in found[-_TIMED:])
    pages = top["Shared Hit Blocks"] + top["Shared Read Blocks"]
    return Plan(took, pages, top["Actual Rows"], tuple(_nodes(top)), frozenset(_changed(top)))


def _numbered(statement: Statement) -> tuple[str, list[Any]]:
    """Return the statement with numbered parameters as PREPARE wants them, and the values in their order."""
    if not isinstance(statement.values, Mapping):
        numbers = count(1)
        return _PLACE.sub(lambda _: f"${next(numbers)}", statement.query).replace("%%", "%"), statement.values
    names = list(dict.fromkeys(_PLACE.findall(statement.query)))
    query = _PLACE.sub(lambda place: f"${names.index(place[1]) + 1}", statement.query).replace("%%", "%")
    return query, [statement.values[name] for name in names]


def _nodes(plan: dict[str, Any]) -> list[str]:
    by = plan.get("Index Name") or (plan.get("Relation Name") if plan["Node Type"].startswith("Seq") else None)
    name = f"{plan['Node Type']} {by}" if by else str(plan["Node Type"])
    return [name, *(below for part in plan.get("Plans", ()) for below in _nodes(part))]


def _changed(plan: dict[str, Any]) -> list[str]:
    here = [str(plan["Relation Name"])] if plan["Node Type"] == "ModifyTable" else []
    return [*here, *(below for part in plan.get("Plans", ()) for below in _changed(part))]
