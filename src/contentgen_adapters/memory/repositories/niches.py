"""Niches and how each tenant activated them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import evolve

from contentgen_adapters.memory.common_tables import (
    ACTIVATIONS,
    AGENTS,
    ARTICLE_SCHEDULES,
    ARTICLES,
    CONFLICT_SEARCHES,
    CURATIONS,
    DOCUMENTS,
    NICHES,
    PASSAGES,
    SEARCH_DEMANDS,
    SEARCH_FIGURES,
    SEARCH_REPORTS,
    TOPIC_COVERAGES,
    TOPIC_COVERAGES_OF,
)
from contentgen_adapters.memory.repositories.conflicts import drop_search
from contentgen_adapters.memory.repositories.search_demands import drop_demand
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.errors import AlreadyExists, NotFound
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.area import looks_like_agent_key
from contentgen_core.model.ids import TenantId
from contentgen_core.model.niche import Activation, Niche, NicheInUse, NichePreferences, NicheUses
from contentgen_core.ports.repositories.niches import Niches

NICHE_PREFERENCES: Final = TableOf[tuple[TenantId, str], NichePreferences]("niche_preferences")

MAX_NICHES_LISTED = 1_000


@repository(Niches)
class MemoryNiches:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, niche: Niche) -> None:
        await self._session.writing()
        taken_by = (None, niche.tenant_id)
        if any(n.niche_key == niche.niche_key and n.tenant_id in taken_by for n in self._session[NICHES].rows()):
            raise AlreadyExists(f"There is a niche with the key {niche.niche_key!r} already.")
        self._session[NICHES].put(niche.id, evolve(niche, activation=None, websearch_premium=True))

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
        niches = self._session[NICHES].rows()
        return next((n for n in niches if n.niche_key == niche_key and n.tenant_id is None), None)

    def _by_name(self, tenant_id: TenantId) -> list[Niche]:
        niches = sorted(self._visible(tenant_id), key=lambda niche: (niche.name, niche.id))
        return [self._activated(niche, tenant_id) for niche in niches]

    async def list(self, tenant_id: TenantId) -> list[Niche]:
        return self._by_name(tenant_id)[:MAX_NICHES_LISTED]

    async def activated(self, tenant_id: TenantId) -> Sequence[Niche]:
        found = [niche for niche in self._by_name(tenant_id) if niche.activation is not None]
        return found[:MAX_NICHES_LISTED]

    async def count_custom(self, tenant_id: TenantId) -> int:
        return sum(niche.tenant_id == tenant_id for niche in self._session[NICHES].rows())

    async def save(self, niche: Niche) -> None:
        await self._session.writing()
        kept = self._own(niche)
        changed = evolve(kept, name=niche.name, description=niche.description, icon=niche.icon)
        self._session[NICHES].put(niche.id, changed)

    async def lock(self, tenant_id: TenantId, niche_key: str) -> None:
        await self._session.writing()
        if not any(niche.niche_key == niche_key for niche in self._visible(tenant_id)):
            raise NotFound("niche", niche_key)

    async def delete(self, niche: Niche) -> None:
        await self._session.writing()
        niche = self._own(niche)
        assert niche.tenant_id is not None
        uses = self._uses(niche, niche.tenant_id)
        if uses:
            raise NicheInUse(niche.niche_key, uses)
        self._session[NICHES].drop(niche.id)
        self._session[ACTIVATIONS].drop((niche.tenant_id, niche.niche_key))
        self._session[NICHE_PREFERENCES].drop((niche.tenant_id, niche.niche_key))
        self._session[ARTICLE_SCHEDULES].drop((niche.tenant_id, niche.id))
        for report in [r for r in self._session[SEARCH_REPORTS].rows() if r.niche_id == niche.id]:
            self._session[SEARCH_REPORTS].drop(report.id)
            self._session[SEARCH_FIGURES].drop(report.id)
        for demand in [d for d in self._session[SEARCH_DEMANDS].rows() if d.niche_id == niche.id]:
            drop_demand(self._session, demand.id)
        for search in [s for s in self._session[CONFLICT_SEARCHES].rows() if s.niche_id == niche.id]:
            drop_search(self._session, search.id)
        self._session.drop_parts("niches", niche.id)
        self._forget_computed(niche.tenant_id, niche.niche_key)

    async def preferences(self, tenant_id: TenantId, niche_key: str) -> NichePreferences:
        return self._session[NICHE_PREFERENCES].get((tenant_id, niche_key)) or NichePreferences()

    async def set_preferences(self, tenant_id: TenantId, niche_key: str, preferences: NichePreferences) -> None:
        await self._session.writing()
        self._session[NICHE_PREFERENCES].put((tenant_id, niche_key), preferences)

    async def set_activation(self, tenant_id: TenantId, niche: Niche, activation: Activation | None) -> None:
        await self._session.writing()
        if activation is None:
            self._session[ACTIVATIONS].drop((tenant_id, niche.niche_key))
        else:
            self._session[ACTIVATIONS].put((tenant_id, niche.niche_key), activation)

    def _visible(self, tenant_id: TenantId) -> Sequence[Niche]:
        """A tenant's own before the platform's, for a key that both have."""
        niches = [niche for niche in self._session[NICHES].rows() if niche.tenant_id in (None, tenant_id)]
        return sorted(niches, key=lambda niche: niche.tenant_id is None)

    def _activated(self, niche: Niche, tenant_id: TenantId) -> Niche:
        named = (tenant_id, niche.niche_key)
        kept = self._session[NICHE_PREFERENCES].get(named) or NichePreferences()
        return evolve(niche, activation=self._session[ACTIVATIONS].get(named), websearch_premium=kept.websearch_premium)

    def _own(self, niche: Niche) -> Niche:
        kept = self._session[NICHES].get(niche.id)
        if kept is None or kept.tenant_id is None or kept.tenant_id != niche.tenant_id:
            raise NotFound("niche", niche.id)
        return kept

    def _uses(self, niche: Niche, tenant_id: TenantId) -> NicheUses:
        tables, niche_key = self._session, niche.niche_key
        schedule = tables[ARTICLE_SCHEDULES].get((tenant_id, niche.id))
        documents = [
            document.id
            for document in tables[DOCUMENTS].rows()
            if (document.scope.tenant_id, document.scope.niche_key) == (tenant_id, niche_key)
        ]
        return NicheUses(
            agents=sum((a.tenant_id, a.key.niche_key) == (tenant_id, niche_key) for a in tables[AGENTS].rows()),
            articles=sum((a.tenant_id, a.niche_key) == (tenant_id, niche_key) for a in tables[ARTICLES].rows()),
            documents=len(documents),
            passages=sum(len(tables[PASSAGES].get(document) or ()) for document in documents),
            schedules=int(schedule is not None and schedule.next_fire_at is not None),
        )

    def _forget_computed(self, tenant_id: TenantId, niche_key: str) -> None:
        """What was computed of a niche is named by its key, or by that of an agent of it."""
        tables = self._session
        for coverage in list(tables[TOPIC_COVERAGES].rows()):
            if coverage.tenant_id == tenant_id and coverage.area.niche_key == niche_key:
                tables[TOPIC_COVERAGES].drop(coverage.id)
                tables[TOPIC_COVERAGES_OF].drop((tenant_id, coverage.area))
        for curation in list(tables[CURATIONS].rows()):
            named = curation.subject
            key = AgentKey.parse(named).niche_key if looks_like_agent_key(named) else named
            if curation.tenant_id == tenant_id and key == niche_key:
                tables[CURATIONS].drop((tenant_id, named))
