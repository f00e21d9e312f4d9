"""Whether an operator is warned that the processes' pools are larger than the server."""

from __future__ import annotations

import psycopg

from contentgen_adapters.postgres.capacity import describe_shortage, shortage
from contentgen_adapters.postgres.pool import create_pool


async def test_pools_that_together_exceed_the_server_are_told_with_what_to_do(postgres_conninfo: str) -> None:
    async with create_pool(postgres_conninfo, min_size=1, max_size=20) as own:
        await own.wait()
        assert await shortage(own) is None
        with psycopg.connect(postgres_conninfo, application_name="contentgen listener"):
            assert await shortage(own) is None
        with psycopg.connect(postgres_conninfo, application_name="contentgen 400 elsewhere-17"):
            text = await shortage(own)
            assert text is not None
            assert "2 processes may open 420 connections" in text
            assert "max_connections to 430" in text


def test_the_advice_fits() -> None:
    assert describe_shortage(97, [10] * 9) is None
    text = describe_shortage(97, [10] * 10)
    assert text is not None
    assert "10 processes may open 100 connections to the database, which has 97" in text
    assert "CONTENTGEN_DATABASE_POOL to 9 " in text
