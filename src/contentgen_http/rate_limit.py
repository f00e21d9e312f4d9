"""Rate limits per minute: of tenants, of addresses with invalid keys, of public operations and of mails."""

from __future__ import annotations

import hashlib
import unicodedata
from datetime import date, datetime, timedelta
from typing import Final

from attrs import define, field, frozen
from litestar.types import Scope

from contentgen_core.errors import DailyQuotaExceeded, RateLimited
from contentgen_core.model.tenant import Caller
from contentgen_core.policies.tenancy.plans import PLANS
from contentgen_core.ports.counters import Allowance, RateLimiter
from contentgen_core.ports.runtime import Clock
from contentgen_http.client_addresses import ClientAddresses
from contentgen_http.trace import trace_of

MAILS_PER_MINUTE: Final = 5  # to one address
MAILS_PER_DAY: Final = 20
_MOST_ADDRESSES: Final = 50_000


def mailbox(address: str) -> str:
    """What tells mailboxes apart: `Ada+news@EXAMPLE.org` is read by whoever reads `ada@example.org`."""
    local, at, domain = unicodedata.normalize("NFKC", address).strip().casefold().rpartition("@")
    name, _, _ = local.strip('"').partition("+")
    return f"{name}{at}{domain}"


@define
class MailsOfDay:
    """Mails to each address since midnight UTC, in this process."""

    _day: date | None = None
    _sent: dict[str, int] = field(factory=dict)

    def count(self, address: str, now: datetime) -> None:
        """Raises DailyQuotaExceeded, also when there were too many addresses to count."""
        if now.date() != self._day:
            self._day, self._sent = now.date(), {}
        sent = self._sent.get(address, 0)
        if sent >= MAILS_PER_DAY or (sent == 0 and len(self._sent) >= _MOST_ADDRESSES):
            raise DailyQuotaExceeded(
                "No more mail is sent to this address today.",
                limit=MAILS_PER_DAY,
                used=sent,
                resets_at=now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1),
            )
        self._sent[address] = sent + 1


@frozen
class Limits:
    """Counts requests against the limits. `failures_per_minute`: invalid keys per address."""

    limiter: RateLimiter
    clock: Clock
    failures_per_minute: int
    mails: MailsOfDay = field(factory=MailsOfDay)

    async def count_request(self, caller: Caller) -> Allowance:
        """Counts a request of a tenant; the result says whether it is allowed."""
        return await self.limiter.take(f"tenant:{caller.tenant_id}", PLANS[caller.plan].requests_per_minute)

    async def count_failure(self, address: str) -> Allowance:
        """Counts a request with an invalid key."""
        return await self.limiter.take(f"failures:{address}", self.failures_per_minute)

    async def count_public(self, operation: str, address: str, per_minute: int) -> Allowance:
        """Counts a request without a key; each public operation is counted separately."""
        return await self.limiter.take(f"{operation}:{address}", per_minute)

    async def count_mail(self, address: str) -> None:
        """Counts a mail to an address, whose owner may not have asked for it. Raises RateLimited and
        DailyQuotaExceeded."""
        digest = hashlib.sha256(mailbox(address).encode("utf-8", "surrogatepass")).hexdigest()
        allowance = await self.limiter.take(f"mail:{digest}", MAILS_PER_MINUTE)
        if not allowance.allowed:
            raise self.refusal(allowance)
        self.mails.count(digest, self.clock.now())

    def refusal(self, allowance: Allowance) -> RateLimited:
        """The error for an exceeded limit."""
        return RateLimited(
            limit=allowance.limit,
            retry_after=allowance.retry_after,
            resets_at=self.clock.now() + timedelta(seconds=allowance.reset_after),
        )


async def count_visit(
    scope: Scope, limits: Limits, addresses: ClientAddresses, operation: str, per_minute: int
) -> None:
    """Counts a request without a key, and sets the rate limit headers of its response. Raises RateLimited."""
    allowance = await limits.count_public(operation, addresses.of(scope), per_minute)
    trace_of(scope).allowance = allowance
    if not allowance.allowed:
        raise limits.refusal(allowance)
