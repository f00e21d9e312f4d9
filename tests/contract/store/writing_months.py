"""Figures of what was written: summed as it ends, seen by their tenant alone, or all together."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import NotFound
from contentgen_core.model.ids import TenantId
from contentgen_core.model.prices import Cost
from contentgen_core.model.writing import EndedWriting, FiguresBy, WritingFigures
from contentgen_core.ports.repositories.writing_months import WritingMonths
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from tests.contract.store.given import alien_ids, given_tenant, given_tenants

MARCH, APRIL = date(2026, 3, 1), date(2026, 4, 1)


def _ended(
    tenant_id: TenantId,
    words: int,
    month: date = MARCH,
    agent: str = "boats-GB",
    model: str = "m",
    **more: Any,
) -> EndedWriting:
    """An article that was written."""
    usual = {"written": 1, "covered": 1, "coverage": 80.0, "sentences": 10, "supported": 9}
    return EndedWriting(tenant_id, month, agent, model, WritingFigures(words=words, **(usual | more)))


async def _add(unit_of_work: UnitOfWork, *ended: EndedWriting) -> None:
    for one in ended:
        async with unit_of_work() as tx:
            await tx[WritingMonths].add(one)


class WritingMonthsContract:
    async def test_figures_of_a_month_are_summed(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        euros, dollars = (Cost(1_500, "EUR"),), (Cost(2_000, "USD"),)
        first = _ended(tenant.id, 700, input_tokens=10, output_tokens=20, cached_tokens=4, costs=euros)
        second = _ended(tenant.id, 300, input_tokens=1, output_tokens=2, costs=dollars)
        failed = _ended(
            tenant.id, 0, written=0, failed=1, covered=0, coverage=0.0, sentences=0, supported=0, unpriced=1
        )
        await _add(unit_of_work, first, second, failed, _ended(tenant.id, 500, APRIL, costs=euros))
        async with unit_of_work() as tx:
            march, april = await tx[WritingMonths].figures(tenant.id, FiguresBy.MONTH, MARCH, 10)
            assert await tx[WritingMonths].figures(tenant.id, FiguresBy.MONTH, APRIL, 10) == [april]
        assert march == (
            "2026-03-01",
            WritingFigures(2, 1, 1_000, 2, 160.0, 20, 18, 11, 22, 1, 4, (*euros, *dollars)),
        )
        assert (april[0], april[1].words, april[1].costs) == ("2026-04-01", 500, euros)

    async def test_parts_come_with_most_words_first(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        await _add(
            unit_of_work,
            _ended(tenant.id, 100, agent="cars-GB", model="large", costs=(Cost(1, "EUR"),)),
            _ended(tenant.id, 200, agent="boats-GB", model="small"),
            _ended(tenant.id, 200, APRIL, agent="cars-GB", model="small"),
            _ended(tenant.id, 200, agent="", model=""),
        )
        async with unit_of_work() as tx:
            for by, expected in (
                (FiguresBy.AGENT, [("cars-GB", 300), ("", 200), ("boats-GB", 200)]),
                (FiguresBy.MODEL, [("small", 400), ("", 200), ("large", 100)]),
            ):
                found = await tx[WritingMonths].figures(tenant.id, by, MARCH, 10)
                assert [(key, figures.words) for key, figures in found] == expected
                assert await tx[WritingMonths].figures(tenant.id, by, MARCH, 2) == found[:2]

    async def test_a_tenant_sees_its_own_figures(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        await _add(unit_of_work, _ended(tenant.id, 100), _ended(other.id, 300))
        async with unit_of_work() as tx:
            [(_, own)] = await tx[WritingMonths].figures(tenant.id, FiguresBy.MONTH, MARCH, 10)
            found = dict(await tx[WritingMonths].figures(None, FiguresBy.TENANT, MARCH, 1_000))
        assert own.words == 100
        assert (found[tenant.id].words, found[other.id].words) == (100, 300)

    async def test_months_of_all_are_those_of_each_together(self, unit_of_work: UnitOfWork) -> None:
        month = date(2031, 5, 1)  # in which no other test writes
        euros, dollars = (Cost(1_500, "EUR"),), (Cost(2_000, "USD"),)
        tenants = await given_tenants(unit_of_work)
        await asyncio.gather(
            *(
                _add(unit_of_work, _ended(tenant.id, 100 * n, month, coverage=80.1, costs=costs))
                for tenant in tenants
                for n, costs in ((1, euros), (2, dollars), (3, euros), (4, ()))
            )
        )
        async with unit_of_work() as tx:
            of_each = [
                figures
                for tenant in tenants
                for _, figures in await tx[WritingMonths].figures(tenant.id, FiguresBy.MONTH, month, 10)
            ]
            [(key, found)] = await tx[WritingMonths].figures(None, FiguresBy.MONTH, month, 10)
        assert key == month.isoformat()
        together = of_each[0].plus(of_each[1])
        assert evolve(found, coverage=0.0) == evolve(together, coverage=0.0)
        assert found.coverage == pytest.approx(together.coverage) == pytest.approx(8 * 80.1)
        assert (found.written, found.words) == (8, 2_000)

    async def test_what_ends_at_the_same_time_is_counted(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        await asyncio.gather(*(_add(unit_of_work, _ended(tenant.id, 10)) for _ in range(8)))
        async with unit_of_work() as tx:
            [(_, figures)] = await tx[WritingMonths].figures(tenant.id, FiguresBy.MONTH, MARCH, 10)
        assert (figures.written, figures.words) == (8, 80)

    @alien_ids
    async def test_an_alien_tenant_has_no_figures(self, unit_of_work: UnitOfWork, alien: str) -> None:
        async with unit_of_work() as tx:
            assert await tx[WritingMonths].figures(TenantId(alien), FiguresBy.AGENT, MARCH, 10) == []

    async def test_figures_need_their_tenant(self, unit_of_work: UnitOfWork) -> None:
        with pytest.raises(NotFound):
            await _add(unit_of_work, _ended(TenantId(builders.new_id()), 10))
