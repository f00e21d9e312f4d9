"""Niches and their activation by tenants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from contentgen_core.model.ids import NicheRequestId, TenantId
from contentgen_core.model.niche import Activation, Niche, NichePreferences, NicheRequest


class Niches(Protocol):
    """A tenant sees the preconfigured niches and its own, each with its own activation and preferences."""

    async def add(self, niche: Niche) -> None:
        """Raises AlreadyExists when the key is taken (by the platform, or within the tenant)."""
        ...

    async def get(self, tenant_id: TenantId, id_or_key: str) -> Niche:
        """Raises NotFound."""
        ...

    async def find_preconfigured(self, niche_key: str) -> Niche | None: ...

    async def list(self, tenant_id: TenantId) -> list[Niche]:
        """By name, at most 1,000."""
        ...

    async def activated(self, tenant_id: TenantId) -> Sequence[Niche]:
        """Those that the tenant has activated, by name, at most 1,000."""
        ...

    async def count_custom(self, tenant_id: TenantId) -> int: ...

    async def save(self, niche: Niche) -> None:
        """Store name, description and icon of a tenant's own niche. Raises NotFound."""
        ...

    async def lock(self, tenant_id: TenantId, niche_key: str) -> None:
        """Prevent this niche from being deleted until the transaction ends; waits for one that is deleting it. For
        storing something that belongs to it; concurrent callers do not wait for each other. Raises NotFound."""
        ...

    async def delete(self, niche: Niche) -> None:
        """Delete a tenant's own niche, with its activation, its preferences and what was computed for it. Waits for
        transactions that `lock`ed it. Raises NotFound; NicheInUse while the tenant has agents, articles or documents in
        it."""
        ...

    async def set_activation(self, tenant_id: TenantId, niche: Niche, activation: Activation | None) -> None:
        """Replace the tenant's activation; None deactivates."""
        ...

    async def preferences(self, tenant_id: TenantId, niche_key: str) -> NichePreferences:
        """The defaults where none are stored."""
        ...

    async def set_preferences(self, tenant_id: TenantId, niche_key: str, preferences: NichePreferences) -> None:
        """Store a tenant's preferences for a niche, replacing former ones."""


class NicheRequests(Protocol):
    """Requests for niches: one per tenant and name, in any spelling (`policies.topics.validation.topic_key`)."""

    async def put(self, request: NicheRequest, limit: int) -> NicheRequestId:
        """Store a request. One that the tenant has with this name keeps its id and time, and gets the description if
        there is a new one. Raises Conflict when the tenant would have more than `limit`."""
        ...

    async def list(self, limit: int) -> list[NicheRequest]:
        """Those of all tenants, newest first."""
        ...
