"""Integrations: a tenant's connections to publishing targets."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from attrs import evolve, field, frozen

from contentgen_core.model.ids import IntegrationId, TenantId

MAX_OBJECT_BYTES: Final = 16 * 1024
"""Of the credentials, and of the settings, as JSON."""


class IntegrationHealth(StrEnum):
    """connected: the target accepted the credentials at the last call; failing: it refused them."""

    CONNECTED = "connected"
    FAILING = "failing"


@frozen
class Integration:
    """A tenant's connection to a target. `credentials`: the values of fields that are not secret (an address, a user's
    name); `sealed`: the secret ones, encrypted together (`ports.sealing`); `secret_fields`: the names of those that are
    set. `settings`: as the provider declares them. `revision` grows with each stored change."""

    id: IntegrationId
    tenant_id: TenantId
    provider: str
    name: str
    created_at: datetime
    updated_at: datetime
    enabled: bool = True
    credentials: Mapping[str, Any] = field(factory=dict)
    sealed: str = field(default="", repr=False)
    secret_fields: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(factory=dict)
    health: IntegrationHealth = IntegrationHealth.CONNECTED
    last_error: str | None = None
    tested_at: datetime | None = None
    revision: int = 0

    def connected(self, now: datetime) -> Integration:
        """The integration after the target accepted its credentials."""
        return evolve(self, health=IntegrationHealth.CONNECTED, last_error=None, tested_at=now)

    def failing(self, now: datetime, reason: str) -> Integration:
        """The integration after the target refused its credentials, for this reason."""
        return evolve(self, health=IntegrationHealth.FAILING, last_error=reason, tested_at=now)
