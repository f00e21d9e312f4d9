"""All faults of a request are named in one answer, those that only the core knows of as well."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from itertools import combinations
from typing import Any

import pytest
import pytest_asyncio
from attrs import frozen

from tests.support.http import AGENT, COVERED, NICHE, Api, faults_of, open_api

pytestmark = pytest.mark.asyncio(loop_scope="module")

SUSPICIOUS = "Heat pumps at https://spam.example"
SCRIPT = "<script>alert(1)</script> pumps"
NOBODY = "0199b6c2-7d3e-7c10-9f6e-2f1f3c0a5b11"
KEYWORDS = ["pump", "{{constructor.constructor}}", "heat"]


@frozen
class Operation:
    """`good`: a body that is accepted as far as its fields go; `core`: for fields what only the core refuses, behind
    the name of the fault; `wire`: what their schema refuses; `later`: those of the core that need several fields, or
    what the service holds, and so a body of the right types."""

    method: str
    path: str
    good: dict[str, Any]
    core: dict[str, tuple[str, Any]]
    wire: dict[str, Any]
    later: frozenset[str] = frozenset()


TEXT = {"topic": ("topic", SUSPICIOUS), "keywords": ("keywords[1]", KEYWORDS)}
OPERATIONS = (
    Operation(
        "POST",
        "/writer/generate-plan",
        {"agentKey": AGENT, "topic": COVERED},
        {**TEXT, "documentIds": ("documentIds", ["a"])},
        {"language": "xx", "articleLength": "endless"},
        frozenset({"documentIds"}),
    ),
    Operation("POST", "/writer/generate", {"nicheId": NICHE}, TEXT, {"language": "xx", "tone": "loud"}),
    Operation(
        "POST",
        "/writer/enrich-kb-topic",
        {"agentKey": AGENT, "topic": COVERED},
        {"topic": ("topic", SUSPICIOUS), "nicheLabel": ("nicheLabel", SCRIPT)},
        {"agentKey": "nobody"},
    ),
    Operation(
        "POST",
        "/writer/check-kb-coverage",
        {"agentKey": AGENT, "topic": COVERED},
        {"topic": ("topic", SCRIPT)},
        {"agentKey": 7, "articleLength": "endless"},
    ),
    Operation(
        "POST",
        "/writer/validate-topic",
        {"agentKey": AGENT, "topic": COVERED},
        {"topic": ("topic", SUSPICIOUS)},
        {"agentKey": "nobody", "colour": "blue"},
    ),
    Operation(
        "PATCH",
        f"/writer/{NOBODY}",
        {},
        {"featuredImage": ("featuredImage", "https://")},
        {"title": 7, "status": "generated"},
    ),
    Operation(
        "POST",
        f"/publications/{NOBODY}/mark",
        {"status": "published"},
        {"url": ("url", "ftp://files.example.org")},
        {"status": "perhaps"},
    ),
    Operation(
        "POST",
        "/reviews",
        {"rating": 5, "title": "Good", "comment": "It cites."},
        {"title": ("title", "\u200b"), "comment": ("comment", "a\u202eb"), "author": ("author", "\u200b")},
        {"rating": 6},
    ),
    Operation(
        "POST",
        "/integrations",
        {"provider": "memory", "name": "A memory", "credentials": {"token": "let me in"}},
        {"settings": ("settings.nothing", {"nothing": 1}), "credentials": ("credentials.nothing",
         {"token": "let me in", "nothing": 1})},
        {"enabled": "yes"},
        frozenset({"settings", "credentials"}),
    ),
    Operation(
        "POST",
        "/translate",
        {"targetLanguage": "fr", "text": "A pump."},
        {"text": ("text", "1 + 1 = 2")},
        {"targetLanguage": "xx"},
    ),
)  # fmt: skip


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


def subsets(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Every choice of some of the names."""
    listed = sorted(names)
    return [chosen for n in range(1, len(listed) + 1) for chosen in combinations(listed, n)]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.path)
async def test_all_faults_that_only_the_core_knows_are_named_at_once(api: Api, operation: Operation) -> None:
    for wrong in subsets(operation.core):
        sent = operation.good | {field: operation.core[field][1] for field in wrong}
        found = faults_of(await api.call(operation.method, operation.path, sent))
        assert set(found) == {operation.core[field][0] for field in wrong}


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.path)
async def test_they_are_named_beside_those_of_types_and_unknown_fields(api: Api, operation: Operation) -> None:
    core = {field: fault for field, fault in operation.core.items() if field not in operation.later}
    for wrong in subsets([*core, *operation.wire]):
        bad = {field: core[field][1] if field in core else operation.wire[field] for field in wrong}
        found = faults_of(await api.call(operation.method, operation.path, operation.good | bad))
        assert set(found) == {core[field][0] if field in core else field for field in wrong}


async def test_they_are_named_beside_texts_that_cannot_be_stored(api: Api) -> None:
    sent = {"agentKey": AGENT, "topic": SUSPICIOUS, "keywords": ["a\0b", SCRIPT]}
    for more in ({}, {"language": "xx"}):
        found = faults_of(await api.call("POST", "/writer/generate-plan", sent | more))
        assert set(found) == {"topic", "keywords[0]", "keywords[1]", *more}


async def test_the_parameters_of_a_query_are_named_at_once(api: Api) -> None:
    found = faults_of(await api.call("GET", "/writer/check-trend-slug?topic=https://spam.example&slug="))
    assert set(found) == {"topic", "slug"}
    assert set(faults_of(await api.call("GET", "/documents?page=0&limit=1&limit=2"))) == {"page", "limit"}
