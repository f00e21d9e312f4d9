"""Limit the simultaneous calls of a tenant's jobs and messages to one host."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from attrs import define, field, frozen

from contentgen_core.model.ids import TenantId
from contentgen_core.model.integration import Integration
from contentgen_core.model.publishing_target import FieldType, ProviderInfo
from contentgen_core.ports.runtime import Clock

CALLS_PER_HOST: Final = 16
SHORTEST_PAUSE: Final = timedelta(seconds=1)
LONGEST_PAUSE: Final = timedelta(minutes=5)
LONGEST_REQUESTED: Final = timedelta(hours=1)
"""The longest wait that a receiver is given at its request."""


class HostBusy(Exception):
    """The call was not made: as many as may be are under way or wait already, or the receiver asked to wait. Try again
    after `pause`."""

    def __init__(self, pause: timedelta) -> None:
        super().__init__(f"busy for {pause}")
        self.pause = pause


@define
class _Host:
    """`taken`: calls under way and waiting; `seconds`: of the latest call; `next_at`: when the last of those that were
    sent away comes back."""

    free: asyncio.Semaphore
    taken: int = 0
    seconds: float = 1.0
    next_at: datetime | None = None


@frozen
class _Pause:
    since: datetime
    until: datetime


@define
class HostPlaces:
    """Places for the calls of a tenant to one host, in this process. When all are taken, as many calls wait for one;
    further ones are sent away, so that whoever makes them gives its own place to another host. They are told to come
    back one after another, twice as fast as the host answered last: it may have become faster, and who comes too early
    is sent away again.

    A receiver that asks to wait is not called until then, but for what is asked for after its answer: a person may have
    mended something."""

    clock: Clock
    per_host: int = CALLS_PER_HOST
    _hosts: dict[tuple[TenantId, str], _Host] = field(factory=dict, init=False)
    _pauses: dict[str, _Pause] = field(factory=dict, init=False)

    @asynccontextmanager
    async def place(
        self, tenant_id: TenantId, host: str, receiver: str, asked_at: datetime | None = None
    ) -> AsyncIterator[bool]:
        """Hold a place during the block. The value is whether it had to be waited for. `receiver`: the id of the
        integration or endpoint. `asked_at`: when the call was asked for. Raises HostBusy."""
        self._check_pause(receiver, asked_at)
        key = tenant_id, host
        known = self._hosts.setdefault(key, _Host(asyncio.Semaphore(self.per_host)))
        if known.taken >= 2 * self.per_host:
            raise HostBusy(self._pause_at(known))
        known.taken += 1
        try:
            waits = known.free.locked()
            async with known.free:
                self._check_pause(receiver, asked_at)
                begun = self.clock.now()
                try:
                    yield waits
                finally:
                    known.seconds = (self.clock.now() - begun).total_seconds()
        finally:
            known.taken -= 1
            if not known.taken:
                del self._hosts[key]

    def pause(self, receiver: str, seconds: float | None) -> None:
        """Make no call of a receiver for as long as it asked. Does nothing where it did not ask."""
        if seconds:
            now = self.clock.now()
            self._pauses = {one: pause for one, pause in self._pauses.items() if pause.until > now}
            self._pauses[receiver] = _Pause(now, now + min(timedelta(seconds=seconds), LONGEST_REQUESTED))

    def _check_pause(self, receiver: str, asked_at: datetime | None) -> None:
        pause, now = self._pauses.get(receiver), self.clock.now()
        if pause is not None and pause.until > now and not (asked_at is not None and asked_at >= pause.since):
            raise HostBusy(pause.until - now)

    def _pause_at(self, host: _Host) -> timedelta:
        now = self.clock.now()
        host.next_at = max(host.next_at or now, now) + timedelta(seconds=host.seconds / (2 * self.per_host))
        return min(max(host.next_at - now, SHORTEST_PAUSE), LONGEST_PAUSE)


def host_of_integration(integration: Integration, info: ProviderInfo) -> str:
    """Return the host of the address that a person entered, or the provider's id where it has one address for all."""
    for declared in info.credential_fields:
        if declared.type is FieldType.URL and (host := host_of_url(integration.credentials.get(declared.name))):
            return host
    return info.id


def host_of_url(url: object) -> str:
    """Return the host of an address; "" where it has none."""
    try:
        return (urlsplit(url).hostname if isinstance(url, str) else None) or ""
    except ValueError:
        return ""
