"""How many requests a tenant has at work at a time: the further ones wait behind its own, and those of others pass.
One limit for all surfaces (API, console, MCP, public pages), below which no tenant has all threads and connections of
the process."""

from __future__ import annotations

import asyncio
from typing import Final

from attrs import define, field, frozen

from contentgen_core.errors import TooManyAtOnce
from contentgen_http.telemetry.context import Permit, Trace

MAX_SLOW: Final = 8
SLOW_WAITING_FOR_EACH: Final = 2
MAX_SLOW_WAIT_SECONDS: Final = 10.0
MAX_ORDINARY: Final = 8
ORDINARY_WAITING_FOR_EACH: Final = 25
"""More than for slow ones: a program that reads two hundred articles at once need not know of the limit."""
MAX_ORDINARY_WAIT_SECONDS: Final = 30.0


@define
class _Requests:
    """Those of one tenant. `present`: at work or waiting."""

    places: asyncio.Semaphore
    present: int = 0


@define
class ConcurrencyLimit:
    """A semaphore for each tenant.

    `max_concurrent`: permits of a tenant; `waiting_for_each` times as many requests wait for one. `max_wait`: seconds.
    `slow`: whether it is for requests that take long, which its error says.
    """

    max_concurrent: int = MAX_SLOW
    waiting_for_each: int = SLOW_WAITING_FOR_EACH
    max_wait: float = MAX_SLOW_WAIT_SECONDS
    slow: bool = True
    _of: dict[str, _Requests] = field(factory=dict, init=False)

    async def acquire(self, subject: str) -> Permit:
        """A permit, to be released by the caller. `subject`: the tenant, or else the address. Raises TooManyAtOnce."""
        requests = self._of.setdefault(subject, _Requests(asyncio.Semaphore(self.max_concurrent)))
        if requests.present >= self.max_concurrent * (1 + self.waiting_for_each):
            raise self._refusal()
        requests.present += 1
        try:
            if requests.places.locked():
                async with asyncio.timeout(self.max_wait):
                    await requests.places.acquire()
            else:  # at once, without a timer, which costs as much as all else here
                await requests.places.acquire()
        except BaseException as error:
            self._leave(subject)
            if isinstance(error, TimeoutError):
                raise self._refusal() from None
            raise

        def released() -> None:
            requests.places.release()
            self._leave(subject)

        return Permit(released)

    def _refusal(self) -> TooManyAtOnce:
        return TooManyAtOnce(self.max_concurrent, slow=self.slow)

    def _leave(self, subject: str) -> None:
        requests = self._of[subject]
        requests.present -= 1
        if requests.present == 0:
            del self._of[subject]


@frozen
class RequestLimits:
    """The limits of all surfaces. Requests that take long have one of their own, so that a tenant reads its lists while
    it plans articles."""

    slow: ConcurrencyLimit
    ordinary: ConcurrencyLimit

    @classmethod
    def of(cls, max_slow: int) -> RequestLimits:
        """`max_slow`: requests of a tenant that take long, at work at a time."""
        ordinary = ConcurrencyLimit(MAX_ORDINARY, ORDINARY_WAITING_FOR_EACH, MAX_ORDINARY_WAIT_SECONDS, slow=False)
        return cls(ConcurrencyLimit(max_slow), ordinary)

    async def enter(self, trace: Trace, subject: str, *, slow: bool = False) -> None:
        """Wait for the request's turn; the edge releases its permit when it was answered. `subject`: the tenant, or
        else the address. Raises TooManyAtOnce."""
        trace.permit = await (self.slow if slow else self.ordinary).acquire(subject)
