"""Rate limits per minute: of tenants, of addresses with invalid keys, of public operations and of mails."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from typing import Final

from attrs import define, field, frozen
from litestar.types import Scope

from contentgen_core.errors import ContentgenError, DailyQuotaExceeded, RateLimited
from contentgen_core.model.tenant import Caller
from contentgen_core.policies.tenancy.plans import PLANS
from contentgen_core.ports.counters import MINUTE, Allowance, RateLimiter
from contentgen_core.ports.repositories.mail_counts import MailCounts
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_http.server.client_addresses import ClientAddresses
from contentgen_http.telemetry.context import trace_of

MAILS_PER_MINUTE: Final = 5  # to one address
MAILS_PER_DAY: Final = 20
FORGOTTEN: Final = 100
"""Counts of former days that a mail deletes at most."""
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
    """Mails of this process: until when there were too many to an address in a minute. Of more than `most` addresses
    the one is forgotten that was sent none for the longest time. `under_way`: how many are being sent to each just
    now."""

    most: int = MOST_ADDRESSES
    under_way: Counter[str] = field(factory=Counter)
    _resumes: OrderedDict[str, datetime] = field(factory=OrderedDict)

    def resumes_at(self, address: str, now: datetime) -> datetime:
        """When the next one may be sent as far as the minute's limit goes."""
        return max(now, self._resumes.get(address, now))

    def pause(self, address: str, until: datetime) -> None:
        """Send none to an address before this moment."""
        self._resumes[address] = until
        self._resumes.move_to_end(address)
        while len(self._resumes) > self.most:
            self._resumes.popitem(last=False)


def _digest(address: str, purpose: str) -> str:
    return hashlib.sha256(f"{purpose}\n{mailbox(address)}".encode("utf-8", "surrogatepass")).hexdigest()


@frozen
class Limits:
    """Counts requests against the limits. `failures_per_minute`: invalid keys per address. `unit_of_work`: where the
    mails of a day are counted, for all processes."""

    limiter: RateLimiter
    clock: Clock
    failures_per_minute: int
    unit_of_work: UnitOfWork
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
        not have asked for it. Raises RateLimited, DailyQuotaExceeded and Unavailable before the block.

        `purpose`: of mails that are counted apart, so that others take nothing from them."""
        digest = _digest(address, purpose)
        self._check_minute(digest)
        # Counted as it begins, so that several at once are not each the last one.
        self.mails.under_way[digest] += 1
        try:
            async with self._day(digest):
                yield
            allowance = await self.limiter.take(f"mail:{digest}", MAILS_PER_MINUTE)
            if allowance.remaining < 1:  # the other processes count in the same bucket
                self.mails.pause(digest, self.clock.now() + timedelta(seconds=MINUTE / MAILS_PER_MINUTE))
        finally:
            self.mails.under_way -= Counter([digest])

    @asynccontextmanager
    async def _day(self, digest: str) -> AsyncIterator[None]:
        """Counts a mail of the day, and takes it back where the block fails. Raises DailyQuotaExceeded."""
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            await tx[MailCounts].forget(now.date(), FORGOTTEN)
            counted = await tx[MailCounts].consume(now.date(), digest, MAILS_PER_DAY)
        if not counted:
            midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
            raise DailyQuotaExceeded(
                "No more mail is sent to this address today.",
                limit=MAILS_PER_DAY,
                used=MAILS_PER_DAY,
                resets_at=midnight,
            )
        try:
            yield
        except BaseException:
            with suppress(ContentgenError):  # what the block failed with counts for more
                async with self.unit_of_work() as tx:
                    await tx[MailCounts].refund(now.date(), digest)
            raise

    def _check_minute(self, digest: str) -> None:
        """Raises RateLimited where one more mail to an address is too many."""
        now, under_way = self.clock.now(), self.mails.under_way[digest]
        wait = self.mails.resumes_at(digest, now) - now
        if under_way >= MAILS_PER_MINUTE:
            wait = max(wait, timedelta(seconds=MINUTE / MAILS_PER_MINUTE))
        if wait > timedelta():
            raise RateLimited(
                limit=MAILS_PER_MINUTE, retry_after=wait / timedelta(seconds=1), resets_at=now + timedelta(minutes=1)
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
