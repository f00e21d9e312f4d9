"""The limits that the processes of one machine share."""

from __future__ import annotations

import asyncio
import fcntl
import multiprocessing
import os
import signal
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_adapters.mapped import rate_limiter
from contentgen_adapters.mapped.rate_limiter import MappedRateLimiter
from contentgen_adapters.memory.rate_limiter import MemoryRateLimiter
from contentgen_core.ports.counters import RateLimiter
from contentgen_core.testing.rate_limiter import RateLimiterContract
from tests.unit.test_memory_rate_limiter import Seconds

SPAWN = multiprocessing.get_context("spawn")


@pytest.fixture
def descriptor() -> Iterator[int]:
    with TemporaryFile() as file:
        yield file.fileno()


class TestMappedRateLimiter(RateLimiterContract):
    @pytest.fixture
    def limiter(self, descriptor: int) -> RateLimiter:
        return MappedRateLimiter(descriptor)

    @pytest.fixture
    def rest(self) -> Callable[[float], Awaitable[None]]:
        return asyncio.sleep


def taken(path: Path, attempts: int) -> int:
    with path.open("r+b") as file:
        limiter = MappedRateLimiter(file.fileno())
        return sum(asyncio.run(limiter.take("t", 100)).allowed for _ in range(attempts))


def take_all(path: Path, attempts: int, granted: multiprocessing.Queue[int]) -> None:
    granted.put(taken(path, attempts))


def hold(path: Path, begun: multiprocessing.Queue[int]) -> None:
    with path.open("r+b") as file:
        fcntl.lockf(file.fileno(), fcntl.LOCK_EX, rate_limiter.SIZE, 0)
        begun.put(os.getpid())
        signal.pause()


def test_processes_share_one_bucket_and_none_takes_a_token_twice(tmp_path: Path) -> None:
    path = tmp_path / "limits"
    path.touch()
    granted: multiprocessing.Queue[int] = SPAWN.Queue()
    processes = [SPAWN.Process(target=take_all, args=(path, 200, granted)) for _ in range(2)]
    for process in processes:
        process.start()
    counts = [granted.get(timeout=60) for _ in processes]
    for process in processes:
        process.join(60)
    # 100, and what came back in the meantime: 1.7 a second.
    assert 100 <= sum(counts) < 150, counts


def test_a_process_that_is_killed_while_it_counts_holds_nobody_up(tmp_path: Path) -> None:
    path = tmp_path / "limits"
    path.touch()
    begun: multiprocessing.Queue[int] = SPAWN.Queue()
    holder = SPAWN.Process(target=hold, args=(path, begun))
    holder.start()
    os.kill(begun.get(timeout=60), signal.SIGKILL)
    holder.join(60)
    assert taken(path, 3) == 3


@settings(deadline=None)
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(["a", "b", "ü"]), st.integers(1, 5), st.floats(0, 40, width=32)), max_size=40
    )
)
def test_two_processes_count_as_one_would(steps: list[tuple[str, int, float]]) -> None:
    seconds = Seconds()

    async def compare(limiters: Sequence[RateLimiter], reference: RateLimiter) -> None:
        for number, (subject, per_minute, rest) in enumerate(steps):
            expected = await reference.take(subject, per_minute)
            assert await limiters[number % 2].take(subject, per_minute) == expected
            seconds.now += rest

    with TemporaryFile() as file:
        ours = [MappedRateLimiter(file.fileno(), seconds) for _ in range(2)]
        asyncio.run(compare(ours, MemoryRateLimiter(seconds)))


def test_who_asked_longest_ago_makes_room(descriptor: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limiter, "SETS", 1)
    seconds = Seconds()
    limiter = MappedRateLimiter(descriptor, seconds)

    def allowed(subject: str) -> bool:
        seconds.now += 0.001
        return asyncio.run(limiter.take(subject, 1)).allowed

    assert all(allowed(f"{n}") for n in range(rate_limiter.WAYS))
    assert not allowed("0")
    assert allowed("one more")  # in the place of 1, which now asked longest ago
    assert not allowed("0")
    assert not allowed("2")
    assert allowed("1")
