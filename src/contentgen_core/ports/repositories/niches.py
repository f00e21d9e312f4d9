"""Niches and what tenants activated of them."""

from __future__ import annotations

from typing import Protocol

from contentgen_core.model.ids import TenantId
from contentgen_core.model.niche import Activation, Niche


class Niches(Protocol):
    """A tenant sees the preconfigured niches and its own, each with its own activation."""

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

    async def set_activation(self, tenant_id: TenantId, niche: Niche, activation: Activation | None) -> None:
        """Replace the tenant's activation; None deactivates."""
        ...
