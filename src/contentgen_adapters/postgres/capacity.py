"""Whether the server has the connections that all processes together may ask for."""

from __future__ import annotations

from typing import Final

from contentgen_adapters.postgres.errors import Translation
from contentgen_adapters.postgres.pool import PROGRAM, Pool

# Each process names itself and the most it may open, so that one look at the server's sessions adds up all of them,
# on whatever machines they run.
_ASKED: Final = (
    "SELECT current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer"
    " - coalesce(current_setting('reserved_connections', true), '0')::integer,"
    " array(SELECT DISTINCT application_name FROM pg_stat_activity WHERE application_name LIKE %s)"
)


async def shortage(pool: Pool) -> str | None:
    """What to tell an operator whose processes may together open more connections than the server has; None when it
    has enough. Raises Unavailable."""
    connection = await pool.acquire()
    try:
        with Translation():
            cursor = await connection.execute(_ASKED, (f"{PROGRAM} %",))
            row = await cursor.fetchone()
    finally:
        await pool.release(connection)
    assert row is not None
    usable, names = row
    return describe_shortage(usable, [most for name in names if (most := _most(name)) is not None])


def describe_shortage(usable: int, pools: list[int]) -> str | None:
    """`pools`: the most that each process may open."""
    wanted = sum(pools)
    if wanted <= usable:
        return None
    return (
        f"{len(pools)} processes may open {wanted} connections to the database, which has {usable} for them. Lower"
        f" CONTENTGEN_DATABASE_POOL to {max(2, usable // len(pools))} or raise the server's max_connections to"
        f" {wanted + 10}."
    )


def _most(name: str) -> int | None:
    _, most, *_ = (*name.split(" "), "")
    return int(most) if most.isdecimal() else None
