"""Every query parameter of every read, over PostgreSQL: whatever is sent, no answer is a fault of ours.

The description is put to the test over memory (test_schemathesis.py); what only SQL can get wrong shows here."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.model.tenant import PlanName
from tests.support.http import AGENT, NICHE, open_api

ODD = (
    "",
    " ",
    "0",
    "-1",
    "1e309",
    "NaN",
    "99999999999999999999",
    "null",
    "true",
    "x" * 300,
    "a\0b",
    "é🫖",
    "%",
    "_",
    "\\",
    "' OR 1=1 --",
    "1-x",
    "17-0",
    "2026-02-30",
    "9999-12-31T23:59:59Z",
    "0001-01-01T00:00:00+23:59",
)
STREAMS = {"/agents/events"}


def plausible(schema: dict[str, Any], name: str) -> list[str]:
    """Values that the schema takes."""
    for choice in schema.get("anyOf", ()):
        return plausible(choice, name)
    if "enum" in schema:
        return [str(value) for value in schema["enum"]]
    if schema.get("type") == "integer":
        return ["1"]
    if schema.get("type") == "boolean":
        return ["true", "false"]
    if schema.get("format") == "date-time":
        return ["2026-01-01T00:00:00Z"]
    return {"nicheKey": [NICHE], "niche": [NICHE], "agentKey": [AGENT]}.get(name, ["abc"])


@pytest.fixture
async def operations() -> list[tuple[str, dict[str, list[str]]]]:
    """The path of each read, and values that each of its query parameters takes."""
    async with open_api() as api:
        described = (await api.call("GET", "/openapi.json")).json()
    schemas = described["components"]["schemas"]

    def resolved(schema: dict[str, Any]) -> dict[str, Any]:
        reference = schema.get("$ref")
        return resolved(schemas[reference.rpartition("/")[2]]) if reference else schema

    found = []
    for path, item in described["paths"].items():
        queries = {
            each["name"]: plausible(resolved(each["schema"]), each["name"])
            for each in item.get("get", {}).get("parameters", ())
            if each["in"] == "query"
        }
        if queries and path not in STREAMS:
            found.append((path, queries))
    assert len(found) > 20
    return found


async def test_no_query_is_a_fault_of_ours(
    postgres_unit_of_work: PostgresUnitOfWork, operations: list[tuple[str, dict[str, list[str]]]]
) -> None:
    faults = []
    async with open_api(PlanName.BUSINESS, data=postgres_unit_of_work) as api:
        niches = (await api.call("GET", "/niches")).json()["niches"]
        niche_id = next(niche["id"] for niche in niches if niche["nicheKey"] == NICHE)
        for path, queries in operations:
            concrete = path.replace("{nicheKey}", NICHE).replace("{id}", niche_id if "niches" in path else "abc")
            concrete = concrete.replace("{", "").replace("}", "")
            usual = [(name, value) for name, values in queries.items() for value in values]
            asked = [{name: value} for name, value in usual]
            asked += [{name: odd} for name in queries for odd in ODD]
            asked += [dict(pair) for pair in itertools.combinations(usual, 2) if pair[0][0] != pair[1][0]]
            for query in asked:
                answer = await api.call("GET", concrete, params=query)
                if answer.status_code == 500:
                    faults.append((path, query))
    assert faults == []
