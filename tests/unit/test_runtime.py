"""The real clock, ids and keys, and the ones a test decides."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.runtime import JUMP_SECONDS, HmacKeyMaker, SystemClock, Uuid7Ids
from contentgen_core.ports.runtime import Ids
from contentgen_core.testing.runtime import MOMENT, ManualClock, SequentialIds

SECRET = b"a secret of an installation"


def test_the_system_clock_tells_utc() -> None:
    before, now, after = time.time(), SystemClock().now(), time.time()
    assert now.utcoffset() == timedelta(0)
    assert before - 0.001 <= now.timestamp() <= after + 0.001


class Times:
    """What a machine's clock shows, and what has passed since it was started."""

    def __init__(self) -> None:
        self.wall, self.running = 1_000_000.0, 50.0

    def pass_by(self, seconds: float) -> None:
        self.wall, self.running = self.wall + seconds, self.running + seconds


@given(jump=st.floats(2, 1e6), back=st.booleans(), seconds=st.lists(st.floats(0, 7), max_size=8))
def test_a_jump_of_the_clock_that_is_soon_undone_is_not_followed(jump: float, back: bool, seconds: list[float]) -> None:
    times = Times()
    clock = SystemClock(lambda: times.wall, lambda: times.running)
    right, jump = times.wall, -jump if back else jump
    times.wall += jump
    for passed in seconds:
        times.pass_by(passed)
        right += passed
        assert clock.now().timestamp() == pytest.approx(right, abs=0.001)
    times.wall -= jump
    assert clock.now().timestamp() == pytest.approx(right, abs=0.001)


@given(jump=st.floats(-1e6, 1e6))
def test_a_clock_that_was_set_right_is_followed_after_a_minute(jump: float) -> None:
    times = Times()
    clock = SystemClock(lambda: times.wall, lambda: times.running)
    times.wall += jump
    clock.now()
    times.pass_by(JUMP_SECONDS)
    assert clock.now().timestamp() == pytest.approx(times.wall, abs=0.001)


@pytest.mark.parametrize("make", [Uuid7Ids, SequentialIds, lambda: Uuid7Ids(ManualClock())])
def test_ids_are_uuids_of_version_7_in_ascending_order(make: Callable[[], Ids]) -> None:
    ids = make()
    made = [ids.new() for _ in range(5_000)]
    assert made == sorted(set(made))
    assert {(UUID(id).version, UUID(id).variant, str(UUID(id)) == id) for id in made} == {
        (7, "specified in RFC 4122", True)
    }


def test_an_id_carries_its_millisecond() -> None:
    clock = ManualClock(MOMENT + timedelta(milliseconds=123))
    assert UUID(Uuid7Ids(clock).new()).int >> 80 == int(clock.now().timestamp() * 1000)


def test_ids_ascend_when_the_clock_goes_back() -> None:
    clock = ManualClock()
    ids = Uuid7Ids(clock)
    before = ids.new()
    clock.advance(hours=-1)
    assert ids.new() > before


def test_ids_of_two_makers_differ() -> None:
    clock = ManualClock()
    assert Uuid7Ids(clock).new() != Uuid7Ids(clock).new()


def test_threads_never_share_an_id() -> None:
    ids = Uuid7Ids(ManualClock())
    with ThreadPoolExecutor(4) as pool:
        made = [id for part in pool.map(lambda _: [ids.new() for _ in range(500)], range(8)) for id in part]
    assert len(set(made)) == len(made)


def test_keys_are_long_fresh_and_fit_into_a_header() -> None:
    keys = [HmacKeyMaker(SECRET).new_key() for _ in range(100)]
    assert len(set(keys)) == 100
    assert all(key.startswith("cg_") and len(key) == 46 and key.isascii() and key.isprintable() for key in keys)


@given(st.text(), st.text())
def test_a_digest_is_the_same_for_the_same_key_only(one: str, other: str) -> None:
    maker = HmacKeyMaker(SECRET)
    assert (maker.digest(one) == maker.digest(other)) == (one == other)
    assert maker.digest(one) == HmacKeyMaker(SECRET).digest(one)
    assert len(maker.digest(one)) == 64


def test_digests_depend_on_the_secret() -> None:
    assert HmacKeyMaker(SECRET).digest("cg_key") != HmacKeyMaker(SECRET + b"!").digest("cg_key")


def test_a_digest_is_hmac_sha256() -> None:
    """The second test vector of RFC 4231 with its key repeated to the least length: a block of zeros pads either."""
    maker = HmacKeyMaker(b"Jefe".ljust(16, b"\0"))
    digest = maker.digest("what do ya want for nothing?")
    assert digest == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"


def test_a_lone_surrogate_has_a_digest_as_well() -> None:
    assert len(HmacKeyMaker(SECRET).digest("\ud800")) == 64


def test_a_short_secret_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 16 bytes"):
        HmacKeyMaker(b"too short")


def test_a_manual_clock_stands_still_until_it_is_moved() -> None:
    clock = ManualClock()
    assert clock.now() == clock.now() == MOMENT
    assert clock.advance(hours=1, seconds=2) == clock.now() == MOMENT + timedelta(hours=1, seconds=2)
    clock.set(MOMENT)
    assert clock.now() == MOMENT


def test_a_manual_clock_knows_its_zone() -> None:
    with pytest.raises(ValueError, match="timezone-aware"):
        ManualClock().set(MOMENT.replace(tzinfo=None))


@given(st.text(min_size=20, max_size=60), st.integers(0, 19))
def test_a_key_that_is_nearly_right_is_looked_up_somewhere_else(key: str, place: int) -> None:
    """What is compared is a digest under a secret: how long that takes tells nothing of the key."""
    guess = key[:place] + chr((ord(key[place]) + 1) % 0xD800) + key[place + 1 :]
    one, other = HmacKeyMaker(SECRET).digest(key), HmacKeyMaker(SECRET).digest(guess)
    assert one[:16] != other[:16]
