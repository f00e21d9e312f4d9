"""Niches and what tenants activated of them."""

from __future__ import annotations

from typing import Protocol

from contentgen_core.model.ids import NicheRequestId, TenantId
from contentgen_core.model.niche import Activation, Niche, NichePreferences, NicheRequest


class Niches(Protocol):
    """A tenant sees the preconfigured niches and its own, each with its own activation and switches."""

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

    async def count_custom(self, tenant_id: TenantId) -> int: ...

    async def save(self, niche: Niche) -> None:
        """Store name, description and icon of a tenant's own niche. Raises NotFound."""
        ...

    async def hold(self, tenant_id: TenantId, niche_key: str) -> None:
        """Let nobody delete this niche until the transaction ends; wait for one that is about to. For whoever stores
        something that belongs to it. Raises NotFound."""
        ...

    async def delete(self, niche: Niche) -> None:
        """A tenant's own niche, with its activation, its preferences and what was computed of it. Waits for whoever
        holds it. Raises NotFound; NicheInUse while the tenant has agents, articles or documents in it."""
        ...

    async def set_activation(self, tenant_id: TenantId, niche: Niche, activation: Activation | None) -> None:
        """Replace the tenant's activation; None deactivates."""
        ...

    async def preferences(self, tenant_id: TenantId, niche_key: str) -> NichePreferences:
        """The defaults where nothing was set."""
        ...

    async def set_preferences(self, tenant_id: TenantId, niche_key: str, preferences: NichePreferences) -> None: ...


class NicheRequests(Protocol):
    """Wishes for niches: one a tenant and name, however it is written (`policies.topics.validation.topic_key`)."""

    async def put(self, request: NicheRequest, most: int) -> NicheRequestId:
        """Keep a request. One that the tenant has of this name keeps its id and its time, and takes the description
        when there is a new one. Raises Conflict when this would be the tenant's request number `most` + 1."""
        ...

    async def list(self, limit: int) -> list[NicheRequest]:
        """Those of all tenants, newest first."""
        ...
