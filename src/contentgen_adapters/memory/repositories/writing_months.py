"""Figures of what was written, by month."""

from __future__ import annotations

from datetime import date
from typing import Final

from contentgen_adapters.memory.common_tables import TENANTS
from contentgen_adapters.memory.records import existing
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.model.ids import TenantId
from contentgen_core.model.writing import EndedWriting, FiguresBy, WritingFigures
from contentgen_core.ports.repositories.writing_months import WritingMonths

WRITING_MONTHS: Final = TableOf[tuple[TenantId, date, str, str], WritingFigures]("writing_months")


@repository(WritingMonths)
class MemoryWritingMonths:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, ended: EndedWriting) -> None:
        await self._session.writing()
        existing(self._session[TENANTS], ended.tenant_id, "tenant")
        key = (ended.tenant_id, ended.month, ended.agent_key, ended.model)
        former = self._session[WRITING_MONTHS].get(key) or WritingFigures()
        self._session[WRITING_MONTHS].put(key, former.plus(ended.figures))

    async def figures(
        self, tenant_id: TenantId | None, by: FiguresBy, since: date, limit: int
    ) -> list[tuple[str, WritingFigures]]:
        found: dict[str, WritingFigures] = {}
        for (tenant, month, agent, model), figures in self._session[WRITING_MONTHS].items():
            if month < since or tenant_id not in (None, tenant):
                continue
            keys = {
                FiguresBy.MONTH: month.isoformat(),
                FiguresBy.AGENT: agent,
                FiguresBy.MODEL: model,
                FiguresBy.TENANT: tenant,
            }
            found[keys[by]] = found.get(keys[by], WritingFigures()).plus(figures)
        if by is FiguresBy.MONTH:
            return sorted(found.items())[:limit]
        return sorted(found.items(), key=lambda item: (-item[1].words, item[0]))[:limit]
