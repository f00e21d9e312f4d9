"""Niches and how each tenant activated them."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from contentgen_adapters.memory.session import Session
from contentgen_core.errors import AlreadyExists, NotFound
from contentgen_core.model.ids import TenantId
from contentgen_core.model.niche import Activation, Niche

MAX_NICHES_LISTED = 1_000


class MemoryNiches:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, niche: Niche) -> None:
        await self._session.writing()
        taken_by = (None, niche.tenant_id)
        if any(n.niche_key == niche.niche_key and n.tenant_id in taken_by for n in self._session.niches.rows()):
            raise AlreadyExists(f"There is a niche with the key {niche.niche_key!r} already.")
        self._session.niches.put(niche.id, evolve(niche, activation=None))

    async def get(self, tenant_id: TenantId, id_or_key: str) -> Niche:
        visible = self._visible(tenant_id)
        for niche in visible:
            if niche.id == id_or_key:
                return self._activated(niche, tenant_id)
        for niche in visible:
            if niche.niche_key == id_or_key:
                return self._activated(niche, tenant_id)
        raise NotFound("niche", id_or_key)

    async def find_preconfigured(self, niche_key: str) -> Niche | None:
        niches = self._session.niches.rows()
        return next((n for n in niches if n.niche_key == niche_key and n.tenant_id is None), None)

    async def list(self, tenant_id: TenantId) -> list[Niche]:
        niches = sorted(self._visible(tenant_id), key=lambda niche: (niche.name, niche.id))
        return [self._activated(niche, tenant_id) for niche in niches[:MAX_NICHES_LISTED]]

    async def set_activation(self, tenant_id: TenantId, niche: Niche, activation: Activation | None) -> None:
        await self._session.writing()
        if activation is None:
            self._session.activations.drop((tenant_id, niche.niche_key))
        else:
            self._session.activations.put((tenant_id, niche.niche_key), activation)

    def _visible(self, tenant_id: TenantId) -> Sequence[Niche]:
        """A tenant's own before the platform's, for a key that both have."""
        niches = [niche for niche in self._session.niches.rows() if niche.tenant_id in (None, tenant_id)]
        return sorted(niches, key=lambda niche: niche.tenant_id is None)

    def _activated(self, niche: Niche, tenant_id: TenantId) -> Niche:
        return evolve(niche, activation=self._session.activations.get((tenant_id, niche.niche_key)))
