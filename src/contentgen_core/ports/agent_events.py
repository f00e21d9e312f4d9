"""Notifications that agent events were appended, by any process."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Protocol

from contentgen_core.model.ids import TenantId


class AgentEventWakeUps(Protocol):
    """Notifies that there are new events; the events themselves are in the repository."""

    def __call__(self) -> AsyncGenerator[TenantId | None, None]:
        """The tenant of each event once it is committed; None when listening begins, and when it begins again after an
        interruption, since events of any tenant may have been missed before.

        Never ends by itself, and may lose a notification: readers poll from time to time too. Several notifications may
        stand for one event, and one for several."""
        ...
