"""Wishes for niches."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from contentgen_adapters.memory.common_tables import TENANTS
from contentgen_adapters.memory.records import existing
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.errors import Conflict
from contentgen_core.model.ids import NicheRequestId
from contentgen_core.model.niche import NicheRequest
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.ports.repositories.niches import NicheRequests

NICHE_REQUESTS: Final = TableOf[NicheRequestId, NicheRequest]("niche_requests")


@repository(NicheRequests)
class MemoryNicheRequests:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def put(self, request: NicheRequest, limit: int) -> NicheRequestId:
        await self._session.writing()
        existing(self._session[TENANTS], request.tenant_id, "tenant")
        own = [r for r in self._session[NICHE_REQUESTS].rows() if r.tenant_id == request.tenant_id]
        same = next((r for r in own if topic_key(r.name) == topic_key(request.name)), None)
        if same is None and len(own) >= limit:
            raise Conflict(f"There are {limit} requests already.")
        kept = request if same is None else evolve(same, description=request.description or same.description)
        self._session[NICHE_REQUESTS].put(kept.id, kept)
        return kept.id

    async def list(self, limit: int) -> list[NicheRequest]:
        requests = self._session[NICHE_REQUESTS].rows()
        return sorted(requests, key=lambda request: (request.created_at, request.id), reverse=True)[:limit]
