"""Deleting what is over."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from contentgen_adapters.memory.common_tables import TRANSLATIONS
from contentgen_adapters.memory.repositories.enrichments import ENRICHMENT_PAGES, ENRICHMENTS
from contentgen_adapters.memory.repositories.quotas import QUOTAS
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import Table
from contentgen_adapters.shared.stored.article_updates import ARTICLE_UPDATES
from contentgen_adapters.shared.stored.executions import EXECUTIONS
from contentgen_core.model.article_update import OPEN
from contentgen_core.model.enrichment import ENDED
from contentgen_core.model.history import History, first_id
from contentgen_core.model.translation import Translation, TranslationStatus
from contentgen_core.ports.repositories.history import Histories

K = TypeVar("K")
V = TypeVar("V")


@repository(Histories)
class MemoryHistories:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def forget(self, what: History, before: datetime, limit: int) -> int:
        await self._session.writing()
        here, first = self._session, first_id(before)
        match what:
            case History.RUNS:
                return len(_dropped(here.table_of(EXECUTIONS), lambda id, run: id < first and run.ended, limit))
            case History.ENRICHMENTS:
                dropped = _dropped(here[ENRICHMENTS], lambda id, e: id < first and e.status in ENDED, limit)
                for id in dropped:
                    here[ENRICHMENT_PAGES].drop(id)
                return len(dropped)
            case History.TRANSLATIONS:
                return len(_dropped(here[TRANSLATIONS], lambda id, t: id < first and _is_over(t), limit))
            case History.UPDATES:
                return len(
                    _dropped(here.table_of(ARTICLE_UPDATES), lambda id, u: id < first and u.state not in OPEN, limit)
                )
            case History.QUOTAS:
                return len(_dropped(here[QUOTAS], lambda key, _: key[2] < before.date(), limit))


def _is_over(translation: Translation) -> bool:
    return translation.made_article_id is None and translation.status is not TranslationStatus.TRANSLATING


def _dropped(table: Table[K, V], over: Callable[[K, V], bool], limit: int) -> list[K]:
    found = sorted((key for key, row in table.items() if over(key, row)), key=str)[:limit]
    for key in found:
        table.drop(key)
    return found
