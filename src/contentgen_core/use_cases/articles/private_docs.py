"""The private documents that an article is written from, in addition to the knowledge base of its niche.

disabled: none; manual: the given ones, before any passage of the knowledge base; auto: all of the tenant's, ranked with
the knowledge base."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from contentgen_core.errors import InvalidInput, NotFound
from contentgen_core.model.article import Brief
from contentgen_core.model.document import DocumentStatus
from contentgen_core.model.ids import DocumentId, TenantId
from contentgen_core.model.knowledge import PRIVATE, KbView
from contentgen_core.model.vocabulary import PrivateDocsMode
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.knowledge.retrieve import Retrieve, Retrieved


def private_views(
    tenant_id: TenantId | None, mode: PrivateDocsMode, document_ids: Sequence[DocumentId]
) -> tuple[KbView, ...]:
    """The view of private documents that an article includes: none or one."""
    match mode:
        case PrivateDocsMode.DISABLED:
            return ()
        case PrivateDocsMode.MANUAL:
            return (KbView(PRIVATE, tenant_id, document_ids=frozenset(document_ids)),)
        case PrivateDocsMode.AUTO:
            return (KbView(PRIVATE, tenant_id),)


async def check_documents(tx: Transaction, tenant_id: TenantId, named: Sequence[DocumentId]) -> None:
    """Raises NotFound for a document that the tenant does not have, InvalidInput for one that is not ready."""
    found = {document.id: document for document in await tx.documents.named(tenant_id, named)}
    for n, document_id in enumerate(named):
        if document_id not in found:
            raise NotFound("document", document_id)
        status = found[document_id].status
        if status is not DocumentStatus.READY:
            raise InvalidInput.of(f"documentIds[{n}]", f"is not ready: it is {status}")


async def retrieve_sources(retrieve: Retrieve, view: KbView, brief: Brief, limit: int) -> Retrieved:
    """At most `limit` passages to write from. Raises what `Retrieve` raises."""
    private = private_views(view.tenant_id, brief.private_docs_mode, brief.document_ids)
    found = await retrieve(view, brief.topic, limit, also=private)
    if brief.private_docs_mode is not PrivateDocsMode.MANUAL:
        return found
    # Documents that the caller names are used before the knowledge base, whatever their scores.
    named = (await retrieve(private[0], brief.topic, limit)).ranked
    first = {ranked.ref for ranked in named}
    rest = (ranked for ranked in found.ranked if ranked.ref not in first)
    return evolve(found, ranked=(*named, *rest)[:limit])
