"""/search-queries over HTTP."""

from __future__ import annotations

from typing import Any

from tests.support.house import NICHE
from tests.support.http import Api, faults_of, open_api, problem_of

QUERIES = "Top queries,Clicks,Impressions,CTR,Position\nheat pump noise,12,400,3%,6.2\nheat pump cost,3,100,3%,11\n"
OCTOBER = {"start": "2025-10-01", "end": "2025-10-28"}
SEPTEMBER = {"start": "2025-09-03", "end": "2025-09-30"}


async def imported(api: Api, text: str = QUERIES, **fields: str) -> Any:
    form = {"nicheKey": NICHE} | fields
    parts: dict[str, Any] = {name: (None, value) for name, value in form.items()}
    return await api.call("POST", "/search-queries/import", files={"file": ("Queries.csv", text.encode())} | parts)


async def test_an_export_is_stored_and_told() -> None:
    async with open_api() as api:
        found = (await imported(api, QUERIES + ",1,2,3%,4\n", **OCTOBER)).json()
        [report], [table] = found["reports"], found["tables"]
        assert report["period"] == {"start": "2025-10-01", "end": "2025-10-28"}
        assert (report["about"], report["rows"], report["clicks"], report["impressions"]) == ("queries", 2, 15, 500)
        assert (table["file"], table["rows"], table["merged"]) == ("Queries.csv", 3, 0)
        assert (table["skipped"], table["examples"]) == ({"noName": 1}, [{"line": 4, "reason": "noName"}])
        assert (found["unused"], found["dropped"]) == ([], [])


async def test_two_periods_that_are_compared_become_two_reports() -> None:
    async with open_api() as api:
        text = "Query,Last 28 days Clicks,Previous 28 days Clicks\nheat pump noise,5,8\n"
        reports = (await imported(api, text, **OCTOBER)).json()["reports"]
        assert [(r["period"]["start"], r["period"]["end"], r["clicks"]) for r in reports] == [
            ("2025-10-01", "2025-10-28", 5),
            ("2025-09-03", "2025-09-30", 8),
        ]
        assert "impressions" not in reports[0]


async def test_six_periods_are_kept() -> None:
    async with open_api() as api:
        for month in range(1, 7):
            found = (await imported(api, start=f"2025-{month:02}-01", end=f"2025-{month:02}-28")).json()
            assert found["dropped"] == []
        seventh = (await imported(api, **OCTOBER)).json()
        assert seventh["dropped"] == [{"start": "2025-01-01", "end": "2025-01-28"}]
        old = (await imported(api, start="2024-01-01", end="2024-01-28")).json()
        assert (old["reports"], old["dropped"]) == ([], [{"start": "2024-01-01", "end": "2024-01-28"}])


async def test_what_cannot_be_imported_is_refused_field_by_field() -> None:
    async with open_api() as api:
        assert set(faults_of(await imported(api))) == {"start", "end"}
        assert set(faults_of(await imported(api, start="2025-10-01"))) == {"end"}
        assert set(faults_of(await imported(api, start="1 October", end="2025-10-28"))) == {"start"}
        assert set(faults_of(await imported(api, start="2025-10-28", end="2025-10-01"))) == {"end"}
        assert set(faults_of(await imported(api, start="2025-10-01", end="2036-10-01"))) == {"end"}
        assert set(faults_of(await imported(api, nicheKey=" ", **OCTOBER))) == {"nicheKey"}
        assert problem_of(await imported(api, nicheKey="none", **OCTOBER))["code"] == "not_found"
        assert problem_of(await imported(api, "nothing", **OCTOBER))["code"] == "unreadable_file"
