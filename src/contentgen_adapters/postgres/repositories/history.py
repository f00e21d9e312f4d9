"""Deleting what is over, some rows at a time, each found by an index that has them in the order of their age."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from datetime import datetime
from typing import Final

from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.model.enrichment import ENDED
from contentgen_core.model.execution import ExecutionStatus
from contentgen_core.model.history import History, first_id
from contentgen_core.ports.repositories.history import Histories

_ENDED: Final = ", ".join(f"'{status}'" for status in sorted(ENDED))
_STATUS: Final = "record->>'status'"
_OVER: Final = {
    History.RUNS: ("executions", f"status NOT IN ('{ExecutionStatus.QUEUED}', '{ExecutionStatus.RUNNING}')"),
    History.ENRICHMENTS: ("enrichments", f"{_STATUS} IN ({_ENDED})"),
    # Word for word as in their partial indexes.
    History.TRANSLATIONS: ("translations", f"made_article_id IS NULL AND {_STATUS} <> 'translating'"),
    History.UPDATES: ("article_updates", "state NOT IN ('proposed', 'translating')"),
}
_QUOTAS: Final = (
    "DELETE FROM quota_usage WHERE ctid = ANY (ARRAY(SELECT ctid FROM quota_usage WHERE used_in < %s"
    " ORDER BY used_in LIMIT %s FOR UPDATE SKIP LOCKED))"
)


@repository(Histories)
class PostgresHistories:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def forget(self, what: History, before: datetime, limit: int) -> int:
        if what is History.QUOTAS:
            return await self._session.change(_QUOTAS, (before.date(), limit))
        table, over = _OVER[what]
        return await self._session.change(
            f"DELETE FROM {table} WHERE id = ANY (ARRAY(SELECT id FROM {table} WHERE id < %s AND {over}"
            " ORDER BY id LIMIT %s FOR UPDATE SKIP LOCKED))",
            (first_id(before), limit),
        )
