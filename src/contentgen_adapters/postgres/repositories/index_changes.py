"""The outbox of the search index: which documents it shows as they no longer are."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from contentgen_adapters.postgres.repositories.knowledge_rows import MORE_PASSAGES, findables
from contentgen_adapters.postgres.session import Session
from contentgen_core.model.ids import DocumentId

CHANNEL: Final = "contentgen_index"

# A further change keeps the lease: the worker that has the older version finishes first, or its lease runs out, so that
# nobody overtakes it and is then overwritten by what it found before.
_RECORD: Final = (
    "WITH recorded AS (INSERT INTO kb_index_changes (document_id) SELECT unnest(%s::text[])"
    " ON CONFLICT (document_id) DO UPDATE SET version = excluded.version)"
    f" SELECT pg_notify('{CHANNEL}', '')"
)
_CLAIM: Final = (
    "WITH oldest AS MATERIALIZED (SELECT document_id FROM kb_index_changes"
    " WHERE leased_until IS NULL OR leased_until <= %(now)s ORDER BY version LIMIT %(limit)s FOR UPDATE SKIP LOCKED)"
    " UPDATE kb_index_changes c SET worker = %(worker)s, leased_until = %(leased_until)s, claimed_version = c.version"
    " FROM oldest WHERE c.document_id = oldest.document_id RETURNING c.version, c.document_id"
)
_APPLIED: Final = (
    "DELETE FROM kb_index_changes"
    " WHERE document_id = ANY(%(documents)s) AND worker = %(worker)s AND claimed_version = version"
)
_CHANGED_SINCE: Final = (
    "UPDATE kb_index_changes SET worker = NULL, leased_until = NULL, claimed_version = NULL"
    " WHERE document_id = ANY(%(documents)s) AND worker = %(worker)s AND claimed_version <> version"
)
_RELEASE: Final = (
    "UPDATE kb_index_changes SET worker = NULL, leased_until = NULL, claimed_version = NULL WHERE worker = %s"
)


async def record(session: Session, documents: Sequence[str]) -> None:
    """Sorted, so that two who record the same documents wait for each other instead of deadlocking."""
    await session.write(_RECORD, (sorted(documents),))


async def claim(session: Session, worker: str, now: datetime, leased_until: datetime, limit: int) -> list[DocumentId]:
    rows = await session.write(_CLAIM, {"worker": worker, "now": now, "leased_until": leased_until, "limit": limit})
    return [DocumentId(document_id) for _, document_id in sorted(rows)]


async def applied(session: Session, worker: str, documents: Sequence[DocumentId]) -> None:
    parameters = {"worker": worker, "documents": findables(documents)}
    await session.change(_APPLIED, parameters)
    await session.change(_CHANGED_SINCE, parameters)


async def renew(session: Session, worker: str, leased_until: datetime) -> None:
    await session.change("UPDATE kb_index_changes SET leased_until = %s WHERE worker = %s", (leased_until, worker))


async def release(session: Session, worker: str) -> None:
    await session.change(_RELEASE, (worker,))


async def any_indexed(session: Session) -> bool:
    rows = await session.read(
        "SELECT EXISTS (SELECT 1 FROM kb_documents d WHERE deleted_at IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM kb_index_changes c WHERE c.document_id = d.id))"
    )
    return bool(rows[0][0])


async def more_than(session: Session, passages: int) -> bool:
    """Whether nothing is pending, and there are more than so many passages."""
    rows = await session.read(
        f"SELECT NOT EXISTS (SELECT 1 FROM kb_index_changes) AND {MORE_PASSAGES}", {"passages": passages}
    )
    return bool(rows[0][0])


async def pending(session: Session) -> int:
    rows = await session.read("SELECT count(*) FROM kb_index_changes")
    return int(rows[0][0])
