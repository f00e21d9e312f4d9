"""How long a caller waits for a connection to a database that stands still."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from contentgen_adapters.postgres import pool as pools
from contentgen_adapters.postgres.pool import ACQUIRE_AT_MOST_SECONDS, create_pool
from contentgen_adapters.postgres.session import ANSWER_SECONDS, CANCEL_SECONDS
from contentgen_core.errors import Unavailable

PROMISED_SECONDS = 12.0


def test_a_connection_and_an_answer_together_take_no_longer_than_is_promised() -> None:
    assert ACQUIRE_AT_MOST_SECONDS + ANSWER_SECONDS + CANCEL_SECONDS < PROMISED_SECONDS


@pytest.mark.parametrize("standing", ["getconn", "_ask"])
async def test_however_a_database_stands_still_a_caller_is_told_in_time(
    monkeypatch: pytest.MonkeyPatch, standing: str
) -> None:
    monkeypatch.setattr(pools, "ACQUIRE_AT_MOST_SECONDS", 0.05)
    pool = create_pool("host=nowhere")
    pool._doubtful = standing == "_ask"

    async def stands_still(*args: Any) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(pool, standing, stands_still)
    began = time.monotonic()
    with pytest.raises(Unavailable, match="does not answer"):
        await pool.acquire()
    assert time.monotonic() - began < 5
