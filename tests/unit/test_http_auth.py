"""From a key in a header to a caller."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import pytest
from attrs import define, field

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_core.errors import RateLimited, Unauthenticated
from contentgen_core.model.ids import TenantId, UserId
from contentgen_core.model.tenant import Caller, PlanName, Role
from contentgen_core.ports.counters import Allowance
from contentgen_core.testing.runtime import ManualClock
from contentgen_core.use_cases.keys.authenticate import AuthenticatedCaller
from contentgen_http.api import auth
from contentgen_http.api.auth import FRESH_SECONDS, NOTIFIED_FRESH_SECONDS, CallerCache, presented_key
from contentgen_http.server.client_addresses import ClientAddresses, networks
from contentgen_http.server.rate_limit import Limits

CALLER = Caller(TenantId("t"), UserId("u"), PlanName.PRO, Role.OWNER)
HERE = "203.0.113.7"


@define
class Keys:
    """Authenticates these keys, and records what it was asked: keys one by one, and those asked for again at once."""

    valid: set[str] = field(factory=lambda: {"good"})
    asked: list[str] = field(factory=list)
    again_asked: list[list[str]] = field(factory=list)
    slow: Callable[[], None] = lambda: None
    expires_at: datetime | None = None

    @property
    def keys(self) -> Keys:
        return self

    def digest(self, key: str) -> str:
        return f"digest of {key}"

    async def identify(self, key: str) -> AuthenticatedCaller:
        self.asked.append(key)
        self.slow()
        if key not in self.valid:
            raise Unauthenticated("no")
        return AuthenticatedCaller(CALLER, self.expires_at)

    async def revalidate(self, digests: Sequence[str]) -> dict[str, AuthenticatedCaller]:
        self.again_asked.append(list(digests))
        self.slow()
        await asyncio.sleep(0)
        valid = (digest for digest in digests if digest.removeprefix("digest of ") in self.valid)
        return {digest: AuthenticatedCaller(CALLER, self.expires_at) for digest in valid}


@define
class Failures:
    left: int = 10

    async def take(self, subject: str, per_minute: int) -> Allowance:
        self.left -= 1
        return Allowance(self.left >= 0, per_minute, max(0, self.left), 0.2, 60.0)


@define
class Bench:
    keys: Keys
    failures: Failures
    now: float = 0.0
    callers: CallerCache = field(init=False)

    async def caller(self, key: str, address: str = HERE) -> Caller:
        return await self.callers.caller(key, lambda: address)

    def __attrs_post_init__(self) -> None:
        limits = Limits(self.failures, ManualClock(), 300, MemoryUnitOfWork())
        self.callers = CallerCache(self.keys, limits, monotonic=lambda: self.now)  # type: ignore[arg-type]


@pytest.fixture
def bench() -> Bench:
    return Bench(Keys(), Failures())


def test_a_revoked_key_is_forgotten_within_a_second() -> None:
    assert FRESH_SECONDS < 0.9


async def test_a_key_is_looked_up_once_in_a_while(bench: Bench) -> None:
    for _ in range(5):
        assert await bench.caller("good") is CALLER
    assert (bench.keys.asked, bench.keys.again_asked) == (["good"], [])
    bench.now += FRESH_SECONDS
    for _ in range(5):
        await bench.caller("good")
    assert (bench.keys.asked, bench.keys.again_asked) == (["good"], [["digest of good"]])


async def test_all_keys_in_use_are_looked_up_again_by_one_query(bench: Bench) -> None:
    bench.keys.valid |= {"a", "b", "idle"}
    for key in ("a", "b", "idle"):
        await bench.caller(key)
    bench.now += FRESH_SECONDS
    await bench.caller("a")  # the first renewal still counts everybody's use of the moment before
    bench.now += FRESH_SECONDS
    assert bench.keys.again_asked == [["digest of a", "digest of b", "digest of idle"]]
    await asyncio.gather(*(bench.caller(key) for key in ("a", "b", "a", "b")))
    bench.now += FRESH_SECONDS
    await bench.caller("a")
    assert bench.keys.asked == ["a", "b", "idle"]
    assert all("digest of idle" not in batch for batch in bench.keys.again_asked[1:])


async def test_a_key_that_was_revoked_stops_when_it_is_no_longer_fresh(bench: Bench) -> None:
    await bench.caller("good")
    bench.keys.valid.clear()
    bench.now += FRESH_SECONDS
    with pytest.raises(Unauthenticated):
        await bench.caller("good")


async def test_a_key_is_fresh_from_before_it_was_looked_up(bench: Bench) -> None:
    def slow() -> None:
        bench.now += 0.6 * FRESH_SECONDS

    bench.keys.slow = slow
    await bench.caller("good")
    bench.now += 0.5 * FRESH_SECONDS
    await bench.caller("good")
    assert len(bench.keys.again_asked) == 1
    bench.now += 0.5 * FRESH_SECONDS
    await bench.caller("good")
    assert len(bench.keys.again_asked) == 2


async def test_while_changes_are_told_a_key_is_believed_for_longer(bench: Bench) -> None:
    bench.callers.resync()
    for _ in range(60):
        bench.callers.heartbeat()
        await bench.caller("good")
        bench.now += 0.4
    assert bench.now < NOTIFIED_FRESH_SECONDS
    assert (bench.keys.asked, bench.keys.again_asked) == (["good"], [])
    bench.now += NOTIFIED_FRESH_SECONDS
    bench.callers.heartbeat()
    await bench.caller("good")
    assert len(bench.keys.again_asked) == 1


async def test_a_change_that_is_told_counts_at_once_for_its_tenant_alone(bench: Bench) -> None:
    bench.callers.heartbeat()
    await bench.caller("good")
    bench.keys.valid.clear()
    bench.callers.changed(TenantId("another"))
    assert await bench.caller("good") is CALLER
    bench.callers.changed(CALLER.tenant_id)
    with pytest.raises(Unauthenticated):
        await bench.caller("good")


async def test_when_nothing_is_certain_any_more_a_key_is_looked_up_as_often_as_ever(bench: Bench) -> None:
    bench.callers.heartbeat()
    await bench.caller("good")
    bench.keys.valid.clear()
    bench.now += FRESH_SECONDS
    with pytest.raises(Unauthenticated):
        await bench.caller("good")


async def test_what_may_have_been_missed_is_not_believed_for_longer(bench: Bench) -> None:
    bench.callers.heartbeat()
    await bench.caller("good")
    bench.keys.valid.clear()
    bench.callers.resync()
    bench.now += FRESH_SECONDS
    bench.callers.heartbeat()
    with pytest.raises(Unauthenticated):
        await bench.caller("good")


async def test_a_change_during_a_look_up_leaves_its_answer_fresh_for_a_moment_only(bench: Bench) -> None:
    bench.keys.slow = lambda: bench.callers.changed(CALLER.tenant_id)
    bench.callers.heartbeat()
    await bench.caller("good")
    bench.keys.valid.clear()
    bench.now += FRESH_SECONDS
    bench.callers.heartbeat()
    with pytest.raises(Unauthenticated):
        await bench.caller("good")


async def test_a_key_stops_when_it_expires_although_nothing_changes(bench: Bench) -> None:
    bench.keys.expires_at = bench.callers.limits.clock.now() + timedelta(seconds=5)
    bench.callers.heartbeat()
    await bench.caller("good")
    bench.keys.valid.clear()
    bench.now += 4.9
    bench.callers.heartbeat()
    assert await bench.caller("good") is CALLER
    bench.now += 0.2
    bench.callers.heartbeat()
    with pytest.raises(Unauthenticated):
        await bench.caller("good")


async def test_failures_are_not_remembered(bench: Bench) -> None:
    with pytest.raises(Unauthenticated):
        await bench.caller("late")
    bench.keys.valid.add("late")
    assert await bench.caller("late") is CALLER


async def test_an_address_whose_keys_keep_failing_is_refused_without_a_look_up(bench: Bench) -> None:
    bench.failures.left = 1
    with pytest.raises(Unauthenticated):
        await bench.caller("one")
    for key in ("two", "three"):
        with pytest.raises(RateLimited):
            await bench.caller(key)
    assert bench.keys.asked == ["one", "two"]
    with pytest.raises(RateLimited):
        await bench.caller("good")
    assert await bench.caller("good", "198.51.100.1") is CALLER


async def test_a_key_that_worked_still_works_from_a_refused_address(bench: Bench) -> None:
    await bench.caller("good")
    bench.failures.left = 0
    with pytest.raises(RateLimited):
        await bench.caller("bad")
    bench.now += 10 * FRESH_SECONDS
    assert await bench.caller("good") is CALLER


async def test_a_refused_address_may_try_again_later(bench: Bench) -> None:
    bench.failures.left = 0
    with pytest.raises(RateLimited):
        await bench.caller("bad")
    bench.now += 0.2
    bench.failures.left = 5
    with pytest.raises(Unauthenticated):
        await bench.caller("bad")


async def test_what_is_remembered_is_bounded(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auth, "MAX_CACHED", 2)
    bench.keys.valid |= {"a", "b", "c"}
    for key in ("a", "b", "c", "c", "b"):
        await bench.caller(key)
    assert bench.keys.asked == ["a", "b", "c"]
    await bench.caller("a")
    assert bench.keys.asked[-1] == "a"


@pytest.mark.parametrize(
    "headers",
    [
        [(b"x-api-key", b"k")],
        [(b"x-api-key", b" k ")],
        [(b"authorization", b"Bearer k")],
        [(b"authorization", b"bEARER   k")],
        [(b"x-api-key", b"k"), (b"authorization", b"Bearer k")],
        [(b"x-api-key", b"k"), (b"authorization", b"Basic abc")],
        [(b"x-api-key", b"k"), (b"x-api-key", b"k")],
    ],
)
def test_a_key_is_found_in_either_header(headers: list[tuple[bytes, bytes]]) -> None:
    assert presented_key(headers) == "k"


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [(b"x-api-key", b"")],
        [(b"authorization", b"Bearer")],
        [(b"authorization", b"Bearer ")],
        [(b"authorization", b"Basic k")],
        [(b"authorization", b"k")],
        [(b"x-api-key", b"k"), (b"authorization", b"Bearer other")],
        [(b"x-api-key", b""), (b"authorization", b"Bearer k")],
        [(b"x-api-key", b"k"), (b"x-api-key", b"l")],
    ],
)
def test_no_key_or_two_are_refused(headers: list[tuple[bytes, bytes]]) -> None:
    with pytest.raises(Unauthenticated):
        presented_key(headers)


@pytest.mark.parametrize(
    ("trusted", "peer", "forwarded", "client"),
    [
        ("", "10.0.0.1", ["203.0.113.9"], "10.0.0.1"),
        ("10.0.0.0/8", "10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.0/8", "10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("10.0.0.0/8", "10.0.0.1", ["198.51.100.1, 203.0.113.9"], "203.0.113.9"),
        ("10.0.0.0/8", "10.0.0.1", ["198.51.100.1", "203.0.113.9, 10.2.3.4"], "203.0.113.9"),
        ("10.0.0.0/8", "10.0.0.1", ["198.51.100.1, junk, 10.2.3.4"], "10.2.3.4"),
        ("10.0.0.0/8", "192.0.2.1", ["203.0.113.9"], "192.0.2.1"),
        ("2001:db8::/32, 10.0.0.1", "2001:db8::1", ["2001:db9::5"], "2001:db9::5"),
        ("10.0.0.0/8", "/run/socket", ["203.0.113.9"], "/run/socket"),
    ],
)
def test_a_forwarded_address_is_believed_as_far_as_trusted_proxies_vouch(
    trusted: str, peer: str, forwarded: list[str], client: str
) -> None:
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    assert ClientAddresses(networks(trusted)).of({"client": (peer, 1), "headers": headers}) == client


def test_a_connection_without_an_address_is_one_client() -> None:
    assert ClientAddresses(()).of({"client": None, "headers": []}) == "unknown"


def test_a_proxy_that_is_no_address_is_refused() -> None:
    with pytest.raises(ValueError, match="proxy"):
        networks("10.0.0.1, proxy.example.org")
