"""Being told that something happened to agents, by whatever process it was done."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Protocol

from contentgen_core.model.ids import TenantId


class AgentEventWakeUps(Protocol):
    """Says "look", never what happened: the events themselves are in the repository."""

    def __call__(self) -> AsyncGenerator[TenantId | None, None]:
        """The tenant of each event once it is committed; None when listening begins, and whenever it begins again
        after an interruption: what was appended before may have been missed, for any tenant.

        Never ends by itself, and may now and then lose an item: whoever must not miss anything also looks of his own
        accord from time to time. Several items may stand for one event, and one for several."""
        ...
