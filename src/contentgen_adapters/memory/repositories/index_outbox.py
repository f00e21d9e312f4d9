"""Which documents the search index has still to learn about."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from attrs import evolve

from contentgen_adapters.memory.common_tables import CHANGES, Change
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.model.ids import DocumentId

CHANGE_NUMBERS: Final = TableOf[str, int]("change_numbers")

_LAST: Final = "last"


class IndexOutbox:
    """One entry a document. A further change of a leased document keeps the lease, so that two workers never index the
    same document at once, and gets a new number, so that the worker's answer does not cover it."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def changed(self, document_id: DocumentId) -> None:
        number = (self._session[CHANGE_NUMBERS].get(_LAST) or 0) + 1
        self._session[CHANGE_NUMBERS].put(_LAST, number)
        change = self._session[CHANGES].get(document_id)
        self._session[CHANGES].put(
            document_id, Change(document_id, number) if change is None else evolve(change, number=number)
        )

    def claim(self, worker: str, now: datetime, leased_until: datetime, limit: int) -> list[DocumentId]:
        free = [c for c in self._session[CHANGES].rows() if c.leased_until is None or c.leased_until <= now]
        free.sort(key=lambda change: change.number)
        for change in free[:limit]:
            leased = evolve(change, worker=worker, leased_until=leased_until, claimed=change.number)
            self._session[CHANGES].put(change.document_id, leased)
        return [change.document_id for change in free[:limit]]

    def applied(self, worker: str, documents: Sequence[DocumentId]) -> None:
        for document_id in documents:
            change = self._session[CHANGES].get(document_id)
            if change is None or change.worker != worker:
                continue
            if change.claimed == change.number:
                self._session[CHANGES].drop(document_id)
            else:
                self._session[CHANGES].put(document_id, Change(document_id, change.number))

    def renew(self, worker: str, leased_until: datetime) -> None:
        for change in list(self._session[CHANGES].rows()):
            if change.worker == worker:
                self._session[CHANGES].put(change.document_id, evolve(change, leased_until=leased_until))

    def release(self, worker: str) -> None:
        for change in list(self._session[CHANGES].rows()):
            if change.worker == worker:
                self._session[CHANGES].put(change.document_id, Change(change.document_id, change.number))

    def pending(self) -> int:
        return sum(1 for _ in self._session[CHANGES].rows())
