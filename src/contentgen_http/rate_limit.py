"""The minute's allowance of a tenant, and that of an address whose keys do not work."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from datetime import timedelta
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any, Final

from attrs import frozen
from litestar.types import Scope

from contentgen_core.errors import RateLimited
from contentgen_core.model.tenant import Caller
from contentgen_core.policies.tenancy.plans import PLANS
from contentgen_core.ports.counters import Allowance, RateLimiter
from contentgen_core.ports.runtime import Clock
from contentgen_http.trace import trace_of

MAILS_PER_MINUTE: Final = 5  # to one address

Network = IPv4Network | IPv6Network


def networks(text: str) -> tuple[Network, ...]:
    """Comma-separated addresses and networks. Raises ValueError."""
    return tuple(ip_network(part.strip(), strict=False) for part in text.split(",") if part.strip())


@frozen
class ClientAddresses:
    """Who is at the other end. A forwarded address is believed as far as trusted proxies vouch for it."""

    trusted: tuple[Network, ...]

    def of(self, scope: Mapping[str, Any]) -> str:
        client = scope.get("client")
        address = str(client[0]) if client else "unknown"
        if not self._trusts(address):
            return address
        for hop in reversed(_forwarded_for(scope["headers"])):
            address = hop
            if not self._trusts(hop):
                break
        return address

    def _trusts(self, text: str) -> bool:
        if not self.trusted:
            return False
        try:
            address = ip_address(text)
        except ValueError:
            return False
        return any(address in network for network in self.trusted)


def _forwarded_for(headers: Iterable[tuple[bytes, bytes]]) -> list[str]:
    """The addresses that proxies added, the nearest last; an entry that is no address ends what can be believed."""
    hops: list[str] = []
    for name, value in headers:
        if name == b"x-forwarded-for":
            hops += (part.strip() for part in value.decode("latin-1").split(","))
    believed: list[str] = []
    for hop in reversed(hops):
        try:
            believed.append(str(ip_address(hop)))
        except ValueError:
            break
    return believed[::-1]


@frozen
class Limits:
    """The limits that every request of a tenant, or of an address, counts against."""

    limiter: RateLimiter
    clock: Clock
    failures_per_minute: int

    async def of_tenant(self, caller: Caller) -> Allowance:
        """Count a request of a tenant; the caller of this refuses it when it is not allowed."""
        return await self.limiter.take(f"tenant:{caller.tenant_id}", PLANS[caller.plan].requests_per_minute)

    async def of_failures(self, address: str) -> Allowance:
        """Count a key that did not work."""
        return await self.limiter.take(f"failures:{address}", self.failures_per_minute)

    async def of_address(self, operation: str, address: str, per_minute: int) -> Allowance:
        """Count a request of somebody without a key; each public operation counts for itself."""
        return await self.limiter.take(f"{operation}:{address}", per_minute)

    async def of_mail(self, address: str) -> None:
        """Count a mail to somebody, who may not want it. Raises RateLimited."""
        digest = hashlib.sha256(address.strip().casefold().encode("utf-8", "surrogatepass")).hexdigest()
        allowance = await self.limiter.take(f"mail:{digest}", MAILS_PER_MINUTE)
        if not allowance.allowed:
            raise self.refusal(allowance)

    def refusal(self, allowance: Allowance) -> RateLimited:
        return RateLimited(
            limit=allowance.limit,
            retry_after=allowance.retry_after,
            resets_at=self.clock.now() + timedelta(seconds=allowance.reset_after),
        )


async def count_visit(
    scope: Scope, limits: Limits, addresses: ClientAddresses, operation: str, per_minute: int
) -> None:
    """Count a request of somebody without a key. What is left is told in the answer's headers, which also keep it out
    of caches. Raises RateLimited."""
    allowance = await limits.of_address(operation, addresses.of(scope), per_minute)
    trace_of(scope).allowance = allowance
    if not allowance.allowed:
        raise limits.refusal(allowance)
