"""POST /niches/request: requests for new preconfigured niches, which operators read."""

from __future__ import annotations

from typing import Final

from contentgen_core.model.ids import NicheRequestId
from contentgen_core.model.niche import NicheRequest
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.ports.repositories.niches import NicheRequests
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.niches.texts import check_texts
from contentgen_core.use_cases.use_case import use_case

MAX_REQUESTS: Final = 100


@use_case
class RequestNiches:
    unit_of_work: UnitOfWork
    clock: Clock
    ids: Ids

    async def ask(self, caller: Caller, name: str, description: str | None = None) -> NicheRequestId:
        """Store a request; the same name again is the same request. Raises InvalidInput, NotPermitted; Conflict beyond
        100 requests of a tenant."""
        check_texts(name, description, None)
        require_role(caller, Role.EDITOR)
        request = NicheRequest(
            NicheRequestId(self.ids.new()), caller.tenant_id, " ".join(name.split()), self.clock.now(), description
        )
        async with self.unit_of_work() as tx:
            return await tx[NicheRequests].put(request, MAX_REQUESTS)

    async def list(self, limit: int) -> list[NicheRequest]:
        """List the requests of all tenants, newest first, for operators."""
        async with self.unit_of_work() as tx:
            return await tx[NicheRequests].list(limit)
