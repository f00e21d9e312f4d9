"""The pages of insight, without a script: figures as pictures and tables, and the stages of an article."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.article import Usage
from contentgen_core.model.prices import Cost
from contentgen_core.model.writing import EndedWriting, FiguresBy, Stage, StageRecord, WritingFigures
from contentgen_core.ports.repositories.writing_months import WritingMonths
from contentgen_core.testing.runtime import MOMENT
from contentgen_core.use_cases.insight.read_insights import last_months
from contentgen_http.console.pages.insight.view import shown_trace
from tests.support.browser import signed_in, written
from tests.support.http import Api, open_api

MARKUP = "<script>alert(1)</script>"
PRICED = Usage("scripted", 10, 5, Cost(1_500, "EUR"))


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def add(api: Api, *ended: EndedWriting) -> None:
    async with api.house.services.ports.unit_of_work() as tx:
        for one in ended:
            await tx[WritingMonths].add(one)


async def test_what_was_written_is_shown_as_pictures_and_tables(api: Api) -> None:
    api.house.model.usage = PRICED
    browser = await signed_in(api)
    assert "Nothing was written" in (await browser.get("/console/insight")).text
    address = await written(browser)
    page = (await browser.get("/console/insight")).text
    assert page.count('<svg class="chart"') == 6
    assert "<rect" in page
    assert "style=" not in page
    assert "home-energy-GB" in page
    assert "€0.00" in page, "one article cost less than a cent"
    trace = address.replace("/articles/", "/insight/articles/")
    assert f'href="{trace}"' in page
    shown = (await browser.get(trace)).text
    for stage in ("Plan", "Section", "Final check"):
        assert f">{stage}" in shown
    assert "€0.0015" in shown
    assert (await browser.get("/console/insight/articles/unknown")).status_code == 404


async def test_the_table_is_downloaded_by_what_was_chosen(api: Api) -> None:
    browser = await signed_in(api)
    tenant, month = api.house.caller.tenant_id, MOMENT.date().replace(day=1)
    euros, dollars = (Cost(1_500_000, "EUR"),), (Cost(2_000_000, "USD"),)
    for agent, model, costs in (("boats-GB", "=1+1", euros), ("boats-GB", "m", dollars), ("cars-GB", "m", ())):
        await add(api, EndedWriting(tenant, month, agent, model, WritingFigures(1, words=100, costs=costs)))
    answer = await browser.get("/console/insight/table.csv", params={"by": "agent", "months": "6"})
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    found = [(row["agent"], row["words"], row["cost"] and Decimal(row["cost"]), row["currency"]) for row in rows]
    assert found == [
        ("boats-GB", "200", Decimal("1.5"), "EUR"),
        ("boats-GB", "", Decimal(2), "USD"),
        ("cars-GB", "100", "", ""),
    ]
    by_model = (await browser.get("/console/insight/table.csv?by=model")).text
    assert "'=1+1" in by_model
    months = list(csv.DictReader(io.StringIO((await browser.get("/console/insight/table.csv?by=month")).text)))
    present = [row for row in months if row["month"] == month.isoformat()]
    assert len({row["month"] for row in months}) == 12
    assert [(row["words"], row["currency"]) for row in present] == [("300", "EUR"), ("", "USD")]


async def test_figures_of_all_teams_are_for_platform_administrators(api: Api) -> None:
    browser = await signed_in(api)
    assert (await browser.get("/console/insight?by=tenant")).status_code == 403
    assert 'value="tenant"' not in (await browser.get("/console/insight")).text
    insights = api.house.services.writing.insights
    everybody = await insights(evolve(api.house.caller, platform_admin=True), FiguresBy.TENANT)
    assert everybody.backlog is None


async def test_what_cannot_be_asked_for_is_the_usual(api: Api) -> None:
    browser = await signed_in(api)
    page = (await browser.get("/console/insight", params={"by": MARKUP, "months": "999"})).text
    assert MARKUP not in page
    assert re.search(r'value="12" selected', page)


def test_the_last_months_end_with_the_present_one() -> None:
    now = datetime(2026, 2, 28, 23, 59, tzinfo=UTC)
    assert last_months(now, 3) == [date(2025, 12, 1), date(2026, 1, 1), date(2026, 2, 1)]


@given(st.lists(st.tuples(st.floats(0, 1e6), st.floats(0, 600)), max_size=12))
def test_stages_lie_on_the_axis_in_their_order_without_the_pauses(times: list[tuple[float, float]]) -> None:
    stages = [StageRecord(Stage.SECTION, MOMENT + timedelta(seconds=at), took, 1) for at, took in times]
    trace = shown_trace(stages)
    assert trace.work <= trace.passed + timedelta(milliseconds=1)
    starts = [each.start for each in trace.stages]
    assert starts == sorted(starts)
    for each in trace.stages:
        assert each.start >= -1e-6
        assert each.start + each.width <= 100 + 1e-3


def test_a_pause_for_a_person_is_left_out() -> None:
    plan = StageRecord(Stage.PLAN, MOMENT, 5, 0)
    section = StageRecord(Stage.SECTION, MOMENT + timedelta(days=2), 15, 1)
    trace = shown_trace([section, plan])
    assert trace.work == timedelta(seconds=20)
    assert [(each.start, each.width) for each in trace.stages] == [(0, 25), (25, 75)]
