"""Private documents: stored completely, seen by their tenant alone, each content once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotFound
from contentgen_core.model.document import DocumentStatus, PrivateDocument
from contentgen_core.model.ids import DocumentId, TenantId
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.documents import Documents
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given_tenant, given_tenants


async def _stored(unit_of_work: UnitOfWork, tenant_id: TenantId, **changes: Any) -> PrivateDocument:
    document = builders.private_document(tenant_id=tenant_id, **changes)
    async with unit_of_work() as tx:
        await tx[Documents].add(document)
    return document


class PrivateDocumentsContract:
    async def test_a_private_document_is_given_back_as_it_was_added(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        document = await _stored(
            unit_of_work,
            tenant.id,
            description="Zwölf Seiten",
            tags=("a", "ב"),
            language=Language.HE,
            url="https://example.org/",
            error="no",
            words=3,
            published=MOMENT.date(),
            author="Ada Ohm",
        )
        async with unit_of_work() as tx:
            assert await tx[Documents].get(tenant.id, document.id) == document

    async def test_a_saved_change_has_the_next_revision_and_an_older_one_is_refused(
        self, unit_of_work: UnitOfWork
    ) -> None:
        tenant = await given_tenant(unit_of_work)
        document = await _stored(unit_of_work, tenant.id)
        changed = evolve(document, title="Another", status=DocumentStatus.READY)
        async with unit_of_work() as tx:
            saved = await tx[Documents].save(changed)
        assert saved == evolve(changed, revision=document.revision + 1)
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[Documents].save(document)
        async with unit_of_work() as tx:
            assert await tx[Documents].get(tenant.id, document.id) == saved

    async def test_another_tenants_private_document_is_not_there(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        document = await _stored(unit_of_work, tenant.id)
        async with unit_of_work() as tx:
            assert await tx[Documents].named(other.id, [document.id]) == []
            assert (await tx[Documents].page(other.id, None, 1, 10)).documents == ()
            assert await tx[Documents].count(other.id) == 0
            with pytest.raises(NotFound):
                await tx[Documents].get(other.id, document.id)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Documents].delete(other.id, document.id)

    @alien_ids
    async def test_an_id_that_names_no_document_is_not_found(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant = await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            with pytest.raises(NotFound):
                await tx[Documents].get(tenant.id, DocumentId(alien))
            assert await tx[Documents].named(tenant.id, [DocumentId(alien)]) == []
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Documents].delete(tenant.id, DocumentId(alien))

    async def test_pages_of_documents_are_newest_first_and_count_all(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        states = (DocumentStatus.READY, DocumentStatus.PROCESSING, DocumentStatus.READY)
        documents = [
            await _stored(unit_of_work, tenant.id, created_at=MOMENT + timedelta(hours=n), status=status)
            for n, status in enumerate(states)
        ]
        async with unit_of_work() as tx:
            first = await tx[Documents].page(tenant.id, None, 1, 2)
            second = await tx[Documents].page(tenant.id, None, 2, 2)
            ready = await tx[Documents].page(tenant.id, DocumentStatus.READY, 1, 10)
            beyond = await tx[Documents].page(tenant.id, None, 9, 2)
            assert await tx[Documents].count(tenant.id) == 3
        assert (first.documents, first.total) == ((documents[2], documents[1]), 3)
        assert (second.documents, second.total) == ((documents[0],), 3)
        assert (ready.documents, ready.total) == ((documents[2], documents[0]), 2)
        assert (beyond.documents, beyond.total) == ((), 3)

    async def test_named_documents_come_in_the_order_asked_for(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        first, second = await _stored(unit_of_work, tenant.id), await _stored(unit_of_work, tenant.id)
        async with unit_of_work() as tx:
            asked = [second.id, DocumentId("unknown"), first.id, second.id]
            assert await tx[Documents].named(tenant.id, asked) == [second, first]

    async def test_a_deleted_document_is_gone(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        document = await _stored(unit_of_work, tenant.id)
        async with unit_of_work() as tx:
            await tx[Documents].delete(tenant.id, document.id)
        async with unit_of_work() as tx:
            with pytest.raises(NotFound):
                await tx[Documents].get(tenant.id, document.id)
            assert await tx[Documents].count(tenant.id) == 0

    @pytest.mark.parametrize("same", [{"content_hash": "c0ffee"}, {"url": "https://example.org/"}])
    async def test_the_same_content_or_page_is_there_once_a_tenant(
        self, unit_of_work: UnitOfWork, same: dict[str, str]
    ) -> None:
        tenant, other = await given_tenants(unit_of_work)
        await _stored(unit_of_work, tenant.id, **same)
        await _stored(unit_of_work, other.id, **same)
        with pytest.raises(AlreadyExists):
            await _stored(unit_of_work, tenant.id, **same)

    async def test_what_failed_may_be_tried_again_and_pages_not_read_yet_are_different(
        self, unit_of_work: UnitOfWork
    ) -> None:
        tenant = await given_tenant(unit_of_work)
        failed = await _stored(unit_of_work, tenant.id, content_hash="c0ffee", status=DocumentStatus.FAILED)
        again = await _stored(unit_of_work, tenant.id, content_hash="c0ffee")
        for n in range(2):
            await _stored(unit_of_work, tenant.id, content_hash="", url=f"https://example.org/{n}")
        with pytest.raises(AlreadyExists):
            async with unit_of_work() as tx:
                await tx[Documents].save(evolve(failed, status=DocumentStatus.READY))
        async with unit_of_work() as tx:
            assert await tx[Documents].save(evolve(again, title="Renamed"))
