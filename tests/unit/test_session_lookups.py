"""Sessions that many ask for at a time: by one query, and each as it is after it was asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from types import TracebackType
from typing import Any, Self, cast

import pytest
from attrs import define, field

from contentgen_core.errors import Unavailable
from contentgen_core.ports.repositories.sign_in import SignedIn
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.sign_in import lookups
from contentgen_core.use_cases.sign_in.lookups import SessionLookups


@define
class Store:
    """A unit of work with sessions alone, whose queries answer when they are let. `sessions`: by their digests; a query
    sees those that are there when it begins, as a snapshot does."""

    sessions: dict[str, Any]
    queries: list[tuple[set[str], asyncio.Future[None]]] = field(factory=list)

    def __call__(self) -> Self:
        return self

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        pass

    def __getitem__(self, port: object) -> Self:
        return self

    async def identify_all(self, digests: Collection[str]) -> dict[str, Any]:
        seen = {digest: self.sessions[digest] for digest in digests if digest in self.sessions}
        answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.queries.append((set(digests), answered))
        await answered
        return seen

    def answer(self, number: int, error: Exception | None = None) -> None:
        _, answered = self.queries[number]
        if error is None:
            answered.set_result(None)
        else:
            answered.set_exception(error)

    @property
    def asked(self) -> list[set[str]]:
        return [digests for digests, _ in self.queries]


@pytest.fixture
def store() -> Store:
    return Store({name: f"session {name}" for name in "abc"})


@pytest.fixture
def found(store: Store) -> SessionLookups:
    return SessionLookups(cast(UnitOfWork, store))


async def turns() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def ask(lookups: SessionLookups, *digests: str) -> list[asyncio.Task[SignedIn | None]]:
    return [asyncio.create_task(lookups.find(digest)) for digest in digests]


async def test_who_asks_while_a_query_is_under_way_is_answered_by_the_next(store: Store, found: SessionLookups) -> None:
    first = ask(found, "a")
    await turns()
    later = ask(found, "a", "b", "a", "unknown")
    await turns()
    assert store.asked == [{"a"}]
    store.answer(0)
    await turns()
    store.answer(1)
    assert await asyncio.gather(*first, *later) == ["session a", "session a", "session b", "session a", None]
    assert store.asked == [{"a"}, {"a", "b", "unknown"}]


async def test_a_session_that_has_ended_is_not_found_by_a_query_from_before(
    store: Store, found: SessionLookups
) -> None:
    before = ask(found, "a")
    await turns()
    del store.sessions["a"]  # as another process does
    after = ask(found, "a")
    await turns()
    store.answer(0)
    await turns()
    store.answer(1)
    assert await asyncio.gather(*before, *after) == ["session a", None]


async def test_nothing_is_kept(store: Store, found: SessionLookups) -> None:
    for number, expected in enumerate(("session a", None)):
        asked = ask(found, "a")
        await turns()
        store.answer(number)
        assert await asyncio.gather(*asked) == [expected]
        store.sessions.pop("a", None)


async def test_one_who_leaves_takes_nothing_from_the_others(store: Store, found: SessionLookups) -> None:
    first, *joined = ask(found, "c", "a", "b")
    await turns()
    store.answer(0)
    await turns()
    leaving, staying = joined
    leaving.cancel()
    await turns()
    store.answer(1)
    assert (await first, await staying) == ("session c", "session b")
    assert leaving.cancelled()


async def test_one_who_leaves_a_query_of_its_own_lets_the_next_begin(store: Store, found: SessionLookups) -> None:
    leaving, staying = ask(found, "a", "b")
    await turns()
    leaving.cancel()
    await turns()
    assert store.asked == [{"a"}, {"b"}]
    store.answer(1)
    assert await staying == "session b"
    assert leaving.cancelled()


async def test_a_query_that_fails_fails_those_who_asked_it(store: Store, found: SessionLookups) -> None:
    failing = ask(found, "a", "b", "c")
    await turns()
    store.answer(0, Unavailable("The database does not answer."))
    await turns()
    later = ask(found, "a")
    await turns()
    store.answer(1, Unavailable("The database does not answer."))
    await turns()
    store.answer(2)
    answers = await asyncio.gather(*failing, *later, return_exceptions=True)
    assert [isinstance(answer, Unavailable) for answer in answers] == [True, True, True, False]
    assert store.asked == [{"a"}, {"b", "c"}, {"a"}]


async def test_a_query_that_hangs_holds_up_nobody_else(
    store: Store, found: SessionLookups, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookups, "WAIT_SECONDS", 0.001)
    hanging = ask(found, "a")
    await turns()
    later = ask(found, "b")
    while len(store.queries) < 2:
        await asyncio.sleep(0.001)
    store.answer(1)
    assert await asyncio.gather(*later) == ["session b"]
    assert not hanging[0].done()
    store.answer(0)
    assert await asyncio.gather(*hanging) == ["session a"]


def test_it_goes_on_in_another_loop_after_one_that_was_closed(store: Store, found: SessionLookups) -> None:
    async def left_under_way() -> None:
        ask(found, "a", "b")
        await turns()

    async def answered() -> SignedIn | None:
        asked = ask(found, "a")
        await turns()
        store.answer(-1)
        return await asked[0]

    asyncio.run(left_under_way())
    assert asyncio.run(answered()) == "session a"
    assert store.asked == [{"a"}, {"a"}]
