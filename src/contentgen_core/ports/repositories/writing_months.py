"""Figures of what was written, by month: they stay when articles go."""

from __future__ import annotations

from datetime import date
from typing import Protocol

from contentgen_core.model.ids import TenantId
from contentgen_core.model.writing import EndedWriting, FiguresBy, WritingFigures


class WritingMonths(Protocol):
    """The figures of each tenant, month, agent and model."""

    async def add(self, ended: EndedWriting) -> None:
        """Add to what is there. Call it late in the transaction: others that add to the same figures wait until it
        ends. Raises NotFound for an unknown tenant."""
        ...

    async def figures(
        self, tenant_id: TenantId | None, by: FiguresBy, since: date, limit: int
    ) -> list[tuple[str, WritingFigures]]:
        """Sums from the month that begins at `since`, by what they are of: an ISO date for months, which come in their
        order; else those with most words first, at most `limit`. `tenant_id`: None for all tenants."""
        ...
