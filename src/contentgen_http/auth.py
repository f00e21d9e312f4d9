"""Who is asking: from a key in a header to a caller, before anything else of the request is read."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, Final

from attrs import define, field
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.types import Guard

from contentgen_core.errors import Unauthenticated
from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import Caller
from contentgen_core.use_cases.keys.authenticate import Authenticate, AuthenticatedCaller
from contentgen_http.rate_limit import ClientAddresses, Limits
from contentgen_http.trace import trace_of

# A revoked key must stop everywhere within a second; half of it leaves room for a slow query.
FRESH_SECONDS: Final = 0.5
# For so long where whatever changes is told, and it was certain half a second ago that nothing was left unsaid. Shorter
# than the minute after which a use of a key is recorded again.
TOLD_SECONDS: Final = 30.0
MAX_KNOWN: Final = 10_000
MAX_BLOCKED: Final = 10_000
MAX_RENEWED: Final = 1_000  # by one query; beyond, each key asks for itself

NO_KEY: Final = "An API key is needed: send it as X-API-Key or as Authorization: Bearer."


def presented_key(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The key of a request. Raises Unauthenticated when there is none, or two that differ."""
    keys: set[bytes] = set()
    for name, value in headers:
        if name == b"x-api-key":
            keys.add(value.strip())
        elif name == b"authorization":
            scheme, _, credentials = value.partition(b" ")
            if scheme.lower() == b"bearer":
                keys.add(credentials.strip())
    if len(keys) > 1:
        raise Unauthenticated("Two different API keys were sent. Send one, as X-API-Key or as Authorization: Bearer.")
    key = keys.pop() if keys else b""
    if not key:
        raise Unauthenticated(NO_KEY)
    return key.decode("latin-1")


@define
class _Known:
    """`until`: fresh whatever happens; `told_until`: fresh as long as changes are told. `used`: since it was last
    looked up."""

    caller: Caller
    until: float
    told_until: float
    used: bool = True


@define
class Callers:
    """Keys to callers, remembered for a moment so that not every request asks the database. When the moment is over,
    one query asks again for all keys that were in use. The moment is longer while changes are told
    (`ports.identity_changes`).

    Addresses whose keys keep failing are refused for a while; keys that have worked here still work from there."""

    authenticate: Authenticate
    limits: Limits
    fresh_seconds: float = FRESH_SECONDS
    monotonic: Callable[[], float] = time.monotonic
    _known: OrderedDict[str, _Known] = field(factory=OrderedDict, init=False)
    _blocked: OrderedDict[str, float] = field(factory=OrderedDict, init=False)
    _asking: asyncio.Task[None] | None = field(default=None, init=False)
    _certain_until: float = field(default=float("-inf"), init=False)
    _changes: int = field(default=0, init=False)

    def changed(self, tenant_id: TenantId) -> None:
        self._changes += 1
        for known in self._known.values():
            if known.caller.tenant_id == tenant_id:
                known.until = known.told_until = float("-inf")

    def resync(self) -> None:
        self._changes += 1
        for known in self._known.values():
            known.told_until = known.until

    def heartbeat(self) -> None:
        self._certain_until = self.monotonic() + self.fresh_seconds

    async def caller(self, key: str, address: Callable[[], str]) -> Caller:
        """Raises Unauthenticated; RateLimited when too many keys from that address did not work."""
        digest = self.authenticate.keys.digest(key)
        now = self.monotonic()
        known = self._known.get(digest)
        if known is None:
            await self._check_address(address(), now)
        else:
            known.used = True
            if not self._fresh(known, now):
                await self._ask_again(now)
            if self._fresh(known, now):
                return known.caller
        changes = self._changes
        try:
            recognised = await self.authenticate.identify(key)
        except Unauthenticated:
            self._known.pop(digest, None)
            await self._count_failure(address(), now)
            raise
        # Fresh from before the query: what was revoked while it ran is not remembered for longer.
        until, told_until = self._times(recognised, now, changes)
        self._known[digest] = _Known(recognised.caller, until, told_until)
        self._known.move_to_end(digest)
        if len(self._known) > MAX_KNOWN:
            self._known.popitem(last=False)
        return recognised.caller

    def _fresh(self, known: _Known, now: float) -> bool:
        return now < known.until or (now < known.told_until and now < self._certain_until)

    def _times(self, recognised: AuthenticatedCaller, now: float, changes: int) -> tuple[float, float]:
        """Until when what was asked at `now` is fresh, and until when if changes are told: of one that came while the
        query ran nobody knows whether the answer had it."""
        until = now + self.fresh_seconds
        if changes != self._changes:
            return until, until
        told_until = now + TOLD_SECONDS
        if recognised.expires_at is not None:
            left = (recognised.expires_at - self.limits.clock.now()).total_seconds()
            told_until = min(told_until, now + left)
        return until, max(until, told_until)

    async def _ask_again(self, now: float) -> None:
        """Whoever comes while the query runs waits for it. Raises Unavailable."""
        if self._asking is None:
            self._asking = asyncio.create_task(self._renew(now))
        await asyncio.shield(self._asking)

    async def _renew(self, now: float) -> None:
        try:
            due = (digest for digest, known in self._known.items() if known.used and not self._fresh(known, now))
            digests, changes = list(islice(due, MAX_RENEWED)), self._changes
            found = await self.authenticate.revalidate(digests)
            for digest in digests:
                known = self._known.get(digest)
                if known is not None:
                    known.used = False
                    if digest in found:
                        known.caller = found[digest].caller
                        known.until, known.told_until = self._times(found[digest], now, changes)
        finally:
            self._asking = None

    async def _check_address(self, address: str, now: float) -> None:
        until = self._blocked.get(address)
        if until is None:
            return
        if until <= now:
            del self._blocked[address]
            return
        await self._count_failure(address, now)

    async def _count_failure(self, address: str, now: float) -> None:
        """Raises RateLimited once the address has no failures left."""
        allowance = await self.limits.of_failures(address)
        if allowance.allowed:
            return
        self._blocked[address] = now + allowance.retry_after
        self._blocked.move_to_end(address)
        if len(self._blocked) > MAX_BLOCKED:
            self._blocked.popitem(last=False)
        raise self.limits.refusal(allowance)


def tenant_gate(callers: Callers, limits: Limits, addresses: ClientAddresses) -> Guard:
    """Guard of every tenant operation: first who is asking (401), then the minute's allowance (429).

    A function and no object, since Litestar copies its handlers deeply with all the objects that hang on them."""

    async def gate(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        scope = connection.scope
        caller = await callers.caller(presented_key(scope["headers"]), lambda: addresses.of(scope))
        scope["user"] = caller
        trace = trace_of(scope)
        trace.tenant_id = caller.tenant_id
        trace.allowance = allowance = await limits.of_tenant(caller)
        if not allowance.allowed:
            raise limits.refusal(allowance)

    return gate
