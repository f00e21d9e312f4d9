"""Looking up the sessions of browsers, which each page does."""

from __future__ import annotations

import asyncio
from typing import Final

from attrs import define, field

from contentgen_core.ports.repositories.sign_in import SignedIn, WebSessions
from contentgen_core.ports.unit_of_work import UnitOfWork

WAIT_SECONDS: Final = 0.05
"""For the query under way: one that hangs holds up nobody else."""
_Found = dict[str, SignedIn]


@define(eq=False)
class SessionLookups:
    """Looks up sessions, one query at a time: all who ask while one is under way are answered by the next one together.
    Nothing is kept: each answer is from a query that began after the request, so that a session that has ended is not
    found any more."""

    unit_of_work: UnitOfWork
    _wanted: set[str] = field(factory=set, init=False)
    _next: asyncio.Task[_Found] | None = field(default=None, init=False)
    _under_way: asyncio.Future[None] | None = field(default=None, init=False)
    """Done when the query is."""

    async def find(self, digest: str) -> SignedIn | None:
        """The session of this digest, usable or not."""
        if self._under_way is None:
            return (await self._ask({digest})).get(digest)
        self._wanted.add(digest)
        if self._next is None or self._next.done():
            self._next = asyncio.create_task(self._ask_next())
        return (await asyncio.shield(self._next)).get(digest)  # one who leaves takes nothing from the others

    async def _ask_next(self) -> _Found:
        try:
            if self._under_way is not None:
                await asyncio.wait([self._under_way], timeout=WAIT_SECONDS)
        finally:
            digests, self._wanted, self._next = self._wanted, set(), None
        return await self._ask(digests)

    async def _ask(self, digests: set[str]) -> _Found:
        self._under_way = done = asyncio.get_running_loop().create_future()
        try:
            async with self.unit_of_work() as tx:
                return await tx[WebSessions].identify_all(digests)
        finally:
            done.set_result(None)
            if self._under_way is done:
                self._under_way = None
