"""Deleting everything that a tenant has."""

from __future__ import annotations

from contentgen_adapters.memory.common_tables import DOCUMENTS, USERS
from contentgen_adapters.memory.repositories.knowledge import MemoryKnowledge
from contentgen_adapters.memory.repositories.reviews import drop_reviews_of
from contentgen_adapters.memory.session import Session
from contentgen_core.model.ids import TenantId

# The outbox names documents that are gone, and tells the index so.
_KEPT = frozenset({"changes", "change_numbers"})


async def erase(session: Session, tenant_id: TenantId) -> None:
    documents = [document.id for document in session[DOCUMENTS].rows() if document.scope.tenant_id == tenant_id]
    await MemoryKnowledge(session).remove(documents)
    for user in [user for user in session[USERS].rows() if user.tenant_id == tenant_id]:
        drop_reviews_of(session, user.id)
    tables = [table for name, table in session.tables().items() if name not in _KEPT]
    own = [(table, key) for table in tables for key, row in table.items() if _names(tenant_id, key, row)]
    ids = {key for _, key in own}
    parts = [(table, key) for table in tables for key, row in table.items() if _hangs_on(ids, key, row)]
    for table, key in own + parts:
        table.drop(key)


def _names(tenant_id: TenantId, key: object, row: object) -> bool:
    of = key[0] if isinstance(key, tuple) else key
    return tenant_id in (of, getattr(of, "tenant_id", None), getattr(row, "tenant_id", None))


def _hangs_on(ids: set[object], key: object, row: object) -> bool:
    """Whether it is a part of one of these, or leads to it."""
    return (
        key in ids
        or (isinstance(key, tuple) and key[0] in ids)
        or (isinstance(row, str) and row in ids)
        or bool({getattr(row, name, None) for name in ("article_id", "source_id", "search_id")} & ids)
    )
