"""/search-queries over HTTP."""

from __future__ import annotations

from typing import Any

from tests.support.house import NICHE
from tests.support.http import Api, faults_of, open_api, problem_of

QUERIES = "Top queries,Clicks,Impressions,CTR,Position\nheat pump noise,12,400,3%,6.2\nheat pump cost,3,100,3%,11\n"
OCTOBER = {"start": "2025-10-01", "end": "2025-10-28"}
HEAD = "Query,Page,Clicks,Impressions,Position\n"
COVERED = "heat pump efficiency in winter"
QUEUES = f"/search-queries/queues?nicheKey={NICHE}"


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


async def test_queues_say_what_to_do_and_how_much_is_to_be_gained() -> None:
    async with open_api() as api:
        await imported(api, f"{HEAD}{COVERED},,2,1000,14\nvintage tractor gearbox,,1,800,22\n", **OCTOBER)
        waiting = (await api.call("GET", QUEUES)).json()
        assert (waiting["entries"], waiting["running"]) == ([], True)
        await api.house.work()
        found = (await api.call("GET", QUEUES)).json()
        assert (found["total"], found["page"], found["limit"], found["running"]) == (2, 1, 20, False)
        write, enrich = found["entries"]
        assert (write["queue"], write["query"], write["expectedGain"]) == ("write", COVERED, 75.0)
        assert (write["expectedPosition"], write["expectedCtr"]) == (5.0, 0.072)
        assert write["now"] == {"clicks": 2, "impressions": 1000, "position": 14.0}
        assert write["next"] == {
            "method": "POST",
            "path": "/writer/generate-plan",
            "body": {"agentKey": "home-energy-GB", "topic": COVERED},
        }
        assert (await api.call("POST", write["next"]["path"], write["next"]["body"])).status_code == 200
        assert (enrich["queue"], enrich["next"]["path"]) == ("enrich", "/writer/enrich-kb-topic")
        assert enrich["coverage"]["missingTerms"]
        assert [e["queue"] for e in (await api.call("GET", f"{QUEUES}&queue=enrich")).json()["entries"]] == ["enrich"]
        assert (await api.call("GET", f"{QUEUES}&limit=1&page=2")).json()["entries"] == [enrich]
        for wrong in ("queue=none", "limit=0", "limit=101", "page=0"):
            assert (await api.call("GET", f"{QUEUES}&{wrong}")).status_code == 400


async def test_an_entry_is_dismissed_and_listed_again() -> None:
    async with open_api() as api:
        await imported(api, f"{HEAD}{COVERED},,2,1000,14\n", **OCTOBER)
        await api.house.work()
        [entry] = (await api.call("GET", QUEUES)).json()["entries"]
        dismiss = f"/search-queries/queues/{entry['id']}/dismiss"
        assert "dismissedUntil" in (await api.call("POST", dismiss, {"days": 30})).json()
        assert (await api.call("GET", QUEUES)).json()["total"] == 0
        assert (await api.call("GET", f"{QUEUES}&dismissed=true")).json()["total"] == 1
        assert "dismissedUntil" not in (await api.call("POST", dismiss, {"days": 0})).json()
        assert (await api.call("GET", QUEUES)).json()["total"] == 1
        assert (await api.call("POST", dismiss, {"days": 366})).status_code == 400


async def test_the_demand_of_a_niche() -> None:
    async with open_api() as api:
        path = f"/niches/{NICHE}/search-demand"
        assert (await api.call("GET", path)).json() == {
            "nicheKey": NICHE, "brandWords": [], "reports": [], "running": False,
        }  # fmt: skip
        assert (await api.call("POST", f"{path}/look")).status_code == 404
        await imported(api, f"{HEAD}acme {COVERED},,2,1000,14\n{COVERED},,2,1000,14\n", **OCTOBER)
        assert (await api.call("PATCH", path, {"brandWords": ["Acme"]})).json()["brandWords"] == ["acme"]
        await api.house.work()
        assert (await api.call("POST", f"{path}/look")).json()["running"] is True
        await api.house.work()
        demand = (await api.call("GET", path)).json()
        assert (demand["last"]["queries"], demand["last"]["lookedAt"]) == (2, 1)
        assert (demand["last"]["branded"], demand["last"]["queues"]["write"]) == (1, 1)
        assert demand["last"]["curveSource"] == "published"
        assert demand["last"]["curve"][0] == {"position": 1.0, "share": 0.285}
        assert [report["period"]["start"] for report in demand["reports"]] == ["2025-10-01"]
        assert (await api.call("DELETE", path)).status_code == 200
        assert (await api.call("GET", path)).json()["reports"] == []
        assert (await api.call("GET", QUEUES)).json()["total"] == 0


async def test_search_console_is_connected_and_its_key_is_never_told() -> None:
    async with open_api() as api:
        path = f"/niches/{NICHE}/search-console"
        account = '{"client_email": "reader@example.org", "private_key": "very secret"}'
        body = {"site": "sc-domain:example.org", "serviceAccount": account}
        answer = await api.call("POST", path, body)
        console = answer.json()["console"]
        assert (console["site"], console["clientEmail"]) == ("sc-domain:example.org", "reader@example.org")
        await api.house.work()
        demand = await api.call("GET", f"/niches/{NICHE}/search-demand")
        assert "does not show" in demand.json()["console"]["error"]
        assert "secret" not in answer.text + demand.text
        assert set(faults_of(await api.call("POST", path, {"site": "x", "serviceAccount": "x"}))) == {"site"}
        assert set(faults_of(await api.call("POST", path, body | {"serviceAccount": "x"}))) == {"serviceAccount"}
        assert (await api.call("DELETE", path)).status_code == 200
        assert "console" not in (await api.call("GET", f"/niches/{NICHE}/search-demand")).json()
        assert (await api.call("DELETE", path)).status_code == 404
