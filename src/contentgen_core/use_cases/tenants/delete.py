"""Deleting a tenant with everything that it has."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from contentgen_core.errors import Conflict, ContentgenError
from contentgen_core.model.document import PrivateDocument
from contentgen_core.model.ids import TenantId
from contentgen_core.ports.object_store import ObjectStore
from contentgen_core.ports.repositories.documents import Documents
from contentgen_core.ports.repositories.installation import Installation
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.free_articles.from_link import TENANT_FACT
from contentgen_core.use_cases.knowledge.index_upkeep import ApplyIndexChanges
from contentgen_core.use_cases.tenants.administer import AdministerTenants
from contentgen_core.use_cases.use_case import use_case

DOCUMENTS: Final = 100  # whose originals are deleted at a time
ERASED_AT_ONCE: Final = 500  # rows of a kind in one transaction


@use_case
class DeleteTenant:
    unit_of_work: UnitOfWork
    administer: AdministerTenants
    objects: ObjectStore
    apply_changes: ApplyIndexChanges

    async def __call__(self, tenant_id: TenantId) -> None:
        """Delete a tenant with everything it has: it is suspended first, and can be deleted again after a failure. What
        it published elsewhere stays there. Raises NotFound, Conflict for the tenant of the free articles, Unavailable.
        """
        async with self.unit_of_work() as tx:
            if await tx[Installation].find(TENANT_FACT) == tenant_id:
                raise Conflict("This tenant has the free articles of everybody, and stays.")
        await self.administer.suspend(tenant_id)
        # The originals first: a crash after this leaves documents without one, and never an original without a record.
        page = 1
        while documents := await self._documents(tenant_id, page):
            for document in documents:
                await self.objects.delete(document.object_key)
            page += 1
        gone = False
        while not gone:
            async with self.unit_of_work() as tx:
                gone = await tx[Tenants].erase(tenant_id, ERASED_AT_ONCE)
        with suppress(ContentgenError):  # the outbox has the removals, and no reader sees the passages
            await self.apply_changes.drain(f"deletion of {tenant_id}")

    async def _documents(self, tenant_id: TenantId, page: int) -> Sequence[PrivateDocument]:
        async with self.unit_of_work() as tx:
            return (await tx[Documents].page(tenant_id, None, page, DOCUMENTS)).documents
