"""Counting the visitors who follow a trend, without identifying them."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable

from contentgen_core.errors import NotFound
from contentgen_core.model.trend import TrendSlug
from contentgen_core.policies.tenancy.client_networks import client_network
from contentgen_core.ports.repositories.trend_alerts import TrendClicks
from contentgen_core.ports.repositories.trends import Trends
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case


@use_case
class CountClick:
    """`new_salt`: 32 random bytes."""

    unit_of_work: UnitOfWork
    clock: Clock
    new_salt: Callable[[], bytes]

    async def __call__(self, slug: TrendSlug, address: str) -> bool:
        """Whether it was counted: each visitor of a trend counts once a day (UTC). `address`: the visitor's IP address.
        Raises NotFound."""
        day = self.clock.now().date()
        async with self.unit_of_work() as tx:
            if await tx[Trends].find(slug) is None:
                raise NotFound("trend", slug)
            salt = await tx[TrendClicks].salt(day, self.new_salt())
            new = await tx[TrendClicks].add(day, digest(salt, slug, address))
            if new:
                await tx[Trends].add_clicks(slug, 1)
        return new


def digest(salt: bytes, slug: str, address: str) -> bytes:
    """The digest of a visit: HMAC-SHA-256 with the salt as its key, so that once the salt is deleted addresses cannot
    even be tried. Of an IPv6 address the /64 network counts, which is one household."""
    return hmac.digest(salt, f"{client_network(address)}\n{slug}".encode(), hashlib.sha256)
