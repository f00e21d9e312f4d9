"""Rate limits per minute: of tenants, of addresses with invalid keys, of public operations and of mails."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, datetime, timedelta
from typing import Final

from attrs import define, field, frozen
from litestar.types import Scope

from contentgen_core.errors import DailyQuotaExceeded, RateLimited
from contentgen_core.model.tenant import Caller
from contentgen_core.policies.tenancy.plans import PLANS
from contentgen_core.ports.counters import MINUTE, Allowance, RateLimiter
from contentgen_core.ports.runtime import Clock
from contentgen_http.client_addresses import ClientAddresses
from contentgen_http.trace import trace_of

MAILS_PER_MINUTE: Final = 5  # to one address
MAILS_PER_DAY: Final = 20
MOST_ADDRESSES: Final = 50_000
SIGN_IN: Final = "sign-in"
"""Mails that are counted apart: whoever has an address sent others shuts its owner out of nothing."""


def mailbox(address: str) -> str:
    """What tells mailboxes apart: `Ada+news@EXAMPLE.org` is read by whoever reads `ada@example.org`."""
    local, at, domain = unicodedata.normalize("NFKC", address).strip().casefold().rpartition("@")
    name, _, _ = local.strip('"').partition("+")
    return f"{name}{at}{domain}"


@define
class SentMails:
    """Mails that were sent to each address, in this process: how many since midnight UTC, and until when there were too
    many in a minute. Of more than `most` addresses the one is forgotten that was sent none for the longest time, so
    that a flood of addresses denies nobody theirs. `under_way`: how many are being sent to each just now."""

    most: int = MOST_ADDRESSES
    under_way: Counter[str] = field(factory=Counter)
    _sent: OrderedDict[str, tuple[date, int, datetime]] = field(factory=OrderedDict)

    def today(self, address: str, now: datetime) -> int:
        """How many were sent to an address since midnight UTC."""
        day, sent, _ = self._sent.get(address, (now.date(), 0, now))
        return sent if day == now.date() else 0

    def resumes_at(self, address: str, now: datetime) -> datetime:
        """When the next one may be sent as far as the minute's limit goes."""
        _, _, resumes_at = self._sent.get(address, (now.date(), 0, now))
        return max(now, resumes_at)

    def add(self, address: str, now: datetime, pause: timedelta) -> None:
        """Count one. `pause`: after which the next one may be sent."""
        self._sent[address] = (now.date(), self.today(address, now) + 1, now + pause)
        self._sent.move_to_end(address)
        while len(self._sent) > self.most:
            self._sent.popitem(last=False)


def _digest(address: str, purpose: str) -> str:
    return hashlib.sha256(f"{purpose}\n{mailbox(address)}".encode("utf-8", "surrogatepass")).hexdigest()


@frozen
class Limits:
    """Counts requests against the limits. `failures_per_minute`: invalid keys per address."""

    limiter: RateLimiter
    clock: Clock
    failures_per_minute: int
    mails: SentMails = field(factory=SentMails)

    async def count_request(self, caller: Caller) -> Allowance:
        """Counts a request of a tenant; the result says whether it is allowed."""
        return await self.limiter.take(f"tenant:{caller.tenant_id}", PLANS[caller.plan].requests_per_minute)

    async def count_failure(self, address: str) -> Allowance:
        """Counts a request with an invalid key."""
        return await self.limiter.take(f"failures:{address}", self.failures_per_minute)

    async def count_public(self, operation: str, address: str, per_minute: int) -> Allowance:
        """Counts a request without a key; each public operation is counted separately."""
        return await self.limiter.take(f"{operation}:{address}", per_minute)

    @asynccontextmanager
    async def mail(self, address: str, purpose: str = "") -> AsyncIterator[None]:
        """Counts the mail to an address that the block sends, or has sent: not where it fails. The address's owner may
        not have asked for it. Raises RateLimited and DailyQuotaExceeded before the block.

        `purpose`: of mails that are counted apart, so that others take nothing from them."""
        digest = _digest(address, purpose)
        self._check_mail(digest)
        # Counted as it begins, so that several at once are not each the last one.
        self.mails.under_way[digest] += 1
        try:
            yield
            allowance = await self.limiter.take(f"mail:{digest}", MAILS_PER_MINUTE)
            # The other processes count in the same bucket, so that it may be empty after one mail from here.
            pause = MINUTE / MAILS_PER_MINUTE if allowance.remaining < 1 else 0.0
            self.mails.add(digest, self.clock.now(), timedelta(seconds=pause))
        finally:
            self.mails.under_way -= Counter([digest])

    def _check_mail(self, digest: str) -> None:
        """Raises RateLimited and DailyQuotaExceeded where one more mail to an address is too many."""
        now, under_way = self.clock.now(), self.mails.under_way[digest]
        wait = self.mails.resumes_at(digest, now) - now
        if under_way >= MAILS_PER_MINUTE:
            wait = max(wait, timedelta(seconds=MINUTE / MAILS_PER_MINUTE))
        if wait > timedelta():
            raise RateLimited(
                limit=MAILS_PER_MINUTE, retry_after=wait / timedelta(seconds=1), resets_at=now + timedelta(minutes=1)
            )
        sent = self.mails.today(digest, now) + under_way
        if sent >= MAILS_PER_DAY:
            midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
            raise DailyQuotaExceeded(
                "No more mail is sent to this address today.", limit=MAILS_PER_DAY, used=sent, resets_at=midnight
            )

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
    allowance = await limits.count_public(operation, addresses.network_of(scope), per_minute)
    trace_of(scope).allowance = allowance
    if not allowance.allowed:
        raise limits.refusal(allowance)
