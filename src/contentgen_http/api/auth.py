"""Authentication: from the API key in a header to a caller, before anything else of the request is read."""

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

from contentgen_core.errors import TenantSuspended, Unauthenticated
from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import Caller
from contentgen_core.use_cases.keys.authenticate import Authenticate, AuthenticatedCaller
from contentgen_http.api.operation import Operation
from contentgen_http.server.client_addresses import ClientAddresses
from contentgen_http.server.concurrency_limit import RequestLimits
from contentgen_http.server.rate_limit import Limits
from contentgen_http.telemetry.context import trace_of

# A revoked key must stop working within a second everywhere; half of that leaves time for a slow query.
FRESH_SECONDS: Final = 0.5
# Instead of FRESH_SECONDS while change notifications arrive, confirmed by a heartbeat within the last half second. Less
# than the minute after which the use of a key is recorded again.
NOTIFIED_FRESH_SECONDS: Final = 30.0
MAX_CACHED: Final = 10_000
MAX_BLOCKED: Final = 10_000
MAX_RENEWED: Final = 1_000  # keys per query; further ones are looked up one by one

NO_KEY: Final = "An API key is needed: send it as X-API-Key or as Authorization: Bearer."


def presented_key(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The API key in the headers of a request. Raises Unauthenticated for none, or two that differ."""
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
class _CachedCaller:
    """A cache entry; times are monotonic seconds.

    `fresh_until`: unconditionally. `fresh_if_notified_until`: while change notifications arrive. `used`: since the last
    renewal.
    """

    caller: Caller
    fresh_until: float
    fresh_if_notified_until: float
    used: bool = True


@define
class CallerCache:
    """Callers by API key, cached briefly so that not every request queries the database.

    Expired entries that are in use are renewed together by one query. Entries live longer while change notifications
    arrive (`ports.identity_changes`, whose listener this is). Addresses that keep sending invalid keys are refused for
    a while, except for keys that are in the cache.

    `fresh_seconds`: lifetime without notifications. `monotonic`: clock, in seconds.
    """

    authenticate: Authenticate
    limits: Limits
    fresh_seconds: float = FRESH_SECONDS
    monotonic: Callable[[], float] = time.monotonic
    _cached: OrderedDict[str, _CachedCaller] = field(factory=OrderedDict, init=False)
    _blocked: OrderedDict[str, float] = field(factory=OrderedDict, init=False)
    _renewal: asyncio.Task[None] | None = field(default=None, init=False)
    _notifications_alive_until: float = field(default=float("-inf"), init=False)
    _changes: int = field(default=0, init=False)

    def changed(self, tenant_id: TenantId) -> None:
        self._changes += 1
        for cached in self._cached.values():
            if cached.caller.tenant_id == tenant_id:
                cached.fresh_until = cached.fresh_if_notified_until = float("-inf")

    def resync(self) -> None:
        self._changes += 1
        for cached in self._cached.values():
            cached.fresh_if_notified_until = cached.fresh_until

    def heartbeat(self) -> None:
        self._notifications_alive_until = self.monotonic() + self.fresh_seconds

    async def caller(self, key: str, address: Callable[[], str]) -> Caller:
        """The caller of a key.

        `address`: returns that of the client. Raises Unauthenticated, TenantSuspended, and RateLimited after too many
        of either from that address.
        """
        digest = self.authenticate.keys.digest(key)
        now = self.monotonic()
        cached = self._cached.get(digest)
        if cached is None:
            await self._check_address(address(), now)
        else:
            cached.used = True
            if not self._fresh(cached, now):
                await self._join_renewal(now)
            if self._fresh(cached, now):
                return cached.caller
        changes = self._changes
        try:
            recognised = await self.authenticate.identify(key)
        except (Unauthenticated, TenantSuspended):
            self._cached.pop(digest, None)
            await self._count_failure(address(), now)
            raise
        # Counted from before the query: a revocation while it ran must not be missed for longer.
        fresh_until, fresh_if_notified_until = self._times(recognised, now, changes)
        self._cached[digest] = _CachedCaller(recognised.caller, fresh_until, fresh_if_notified_until)
        self._cached.move_to_end(digest)
        if len(self._cached) > MAX_CACHED:
            self._cached.popitem(last=False)
        return recognised.caller

    def _fresh(self, cached: _CachedCaller, now: float) -> bool:
        return now < cached.fresh_until or (
            now < cached.fresh_if_notified_until and now < self._notifications_alive_until
        )

    def _times(self, recognised: AuthenticatedCaller, now: float, changes: int) -> tuple[float, float]:
        """`fresh_until` and `fresh_if_notified_until` of an entry queried at `now`. After a change during the query
        both are short: the result may be from before it.

        `changes`: the number of changes before the query.
        """
        fresh_until = now + self.fresh_seconds
        if changes != self._changes:
            return fresh_until, fresh_until
        fresh_if_notified_until = now + NOTIFIED_FRESH_SECONDS
        if recognised.expires_at is not None:
            left = (recognised.expires_at - self.limits.clock.now()).total_seconds()
            fresh_if_notified_until = min(fresh_if_notified_until, now + left)
        return fresh_until, max(fresh_until, fresh_if_notified_until)

    async def _join_renewal(self, now: float) -> None:
        """Renews expired entries, or waits for a renewal under way. Raises Unavailable."""
        if self._renewal is None:
            self._renewal = asyncio.create_task(self._renew(now))
        await asyncio.shield(self._renewal)

    async def _renew(self, now: float) -> None:
        try:
            due = (digest for digest, cached in self._cached.items() if cached.used and not self._fresh(cached, now))
            digests, changes = list(islice(due, MAX_RENEWED)), self._changes
            found = await self.authenticate.revalidate(digests)
            for digest in digests:
                cached = self._cached.get(digest)
                if cached is not None:
                    cached.used = False
                    if digest in found:
                        cached.caller = found[digest].caller
                        cached.fresh_until, cached.fresh_if_notified_until = self._times(found[digest], now, changes)
        finally:
            self._renewal = None

    async def _check_address(self, address: str, now: float) -> None:
        blocked_until = self._blocked.get(address)
        if blocked_until is None:
            return
        if blocked_until <= now:
            del self._blocked[address]
            return
        await self._count_failure(address, now)

    async def _count_failure(self, address: str, now: float) -> None:
        """Raises RateLimited once the address exceeds its limit, and blocks it until the limit resets."""
        allowance = await self.limits.count_failure(address)
        if allowance.allowed:
            return
        self._blocked[address] = now + allowance.retry_after
        self._blocked.move_to_end(address)
        if len(self._blocked) > MAX_BLOCKED:
            self._blocked.popitem(last=False)
        raise self.limits.refusal(allowance)


def tenant_gate(callers: CallerCache, limits: Limits, addresses: ClientAddresses, requests: RequestLimits) -> Guard:
    """The guard of all operations of tenants: authentication (401), then the rate limit (429), then the request's turn
    among its tenant's (429).

    A function and not an object: Litestar deep-copies handlers with all objects they refer to.
    """

    async def gate(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
        scope = connection.scope
        caller = await callers.caller(presented_key(scope["headers"]), lambda: addresses.network_of(scope))
        scope["user"] = caller
        trace = trace_of(scope)
        trace.tenant_id = caller.tenant_id
        trace.allowance = allowance = await limits.count_request(caller)
        if not allowance.allowed:
            raise limits.refusal(allowance)
        declared: Operation | None = handler.opt.get("operation")
        await requests.enter(trace, caller.tenant_id, slow=declared is not None and declared.slow)

    return gate
