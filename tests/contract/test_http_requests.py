"""What the surface makes of odd requests: a clear 4xx that names the fault, and never a 500."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.http import AGENT, COVERED, NICHE, Api, faults_of, open_api, problem_of

NOBODY = "0199b6c2-7d3e-7c10-9f6e-2f1f3c0a5b11"
PLAN = "/writer/generate-plan"
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("PATCH", f"/writer/{NOBODY}"): {"title": "New"},
    ("POST", "/writer/generate"): {"nicheId": NICHE, "topic": COVERED},
    ("POST", PLAN): {"agentKey": AGENT, "topic": COVERED},
    ("POST", "/writer/generate-from-plan"): {"articleId": NOBODY},
    ("POST", "/writer/check-kb-coverage"): {"agentKey": AGENT, "topic": COVERED},
    ("POST", "/writer/suggest-topic"): {"agentKey": AGENT},
    ("POST", "/writer/validate-topic"): {"agentKey": AGENT, "topic": COVERED},
    ("POST", "/niches"): {"name": "Mine"},
    ("POST", "/niches/ecommerce/activate"): {"tones": ["casual"], "languages": ["de"], "countries": ["DE"]},
    ("POST", "/account/keys"): {"name": "Key"},
}
OPERATIONS = sorted(BODIES)

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def api() -> AsyncIterator[Api]:
    """For the requests that change nothing; the others have one of their own."""
    async with open_api() as opened:
        yield opened


async def send(api: Api, method: str, path: str, content: bytes, content_type: str | None = "application/json") -> Any:
    headers = {} if content_type is None else {"Content-Type": content_type}
    return await api.call(method, path, headers=headers, content=content)


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
async def test_a_field_that_the_operation_does_not_know_is_named(api: Api, method: str, path: str) -> None:
    answer = await api.call(method, path, BODIES[method, path] | {"colour": "blue"})
    assert faults_of(answer) == {"colour": "is not a field of this operation"}


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
async def test_all_wrong_fields_of_a_body_are_named_at_once(api: Api, method: str, path: str) -> None:
    body = BODIES[method, path]
    answer = await api.call(method, path, {name: {} for name in body} | {"colour": "blue", "size": 4})
    assert set(faults_of(answer)) == {*body, "colour", "size"}


async def test_a_wrong_field_is_named_alone_where_the_rest_is_no_json(api: Api) -> None:
    assert set(faults_of(await send(api, "POST", PLAN, b'{"agentKey": 1, "topic": 2, }'))) == {"agentKey"}


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
@pytest.mark.parametrize(
    "content", [b"", b"  ", b"{", b"[]", b"null", b'"text"', b"\xff\xfe", b'{"a":' * 5_000, b'{"a":"\\ud800"}', b"NaN"]
)
async def test_a_body_that_is_no_json_object_is_a_400(api: Api, method: str, path: str, content: bytes) -> None:
    assert faults_of(await send(api, method, path, content))


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
async def test_a_nul_anywhere_is_a_400_that_names_the_field(api: Api, method: str, path: str) -> None:
    body = BODIES[method, path]
    for field, value in body.items():
        if isinstance(value, str):
            assert set(faults_of(await api.call(method, path, body | {field: f"{value}\0"}))) == {field}


async def test_an_escaped_backslash_before_u0000_is_no_nul() -> None:
    async with open_api() as api:
        article_id = (await api.planned())["articleId"]
        answer = await api.call("PATCH", f"/writer/{article_id}", {"content": r"a \u0000 in a manual"})
        assert answer.json()["content"] == r"a \u0000 in a manual"


async def test_faults_name_the_path_in_the_callers_own_terms() -> None:
    async with open_api() as api:
        plan = (await api.planned())["plan"]
        plan["sections"][0]["heading"] = 7
        body = {"articleId": NOBODY, "plan": plan}
        answer = await api.call("POST", "/writer/generate-from-plan", body)
        assert faults_of(answer) == {"plan.sections[0].heading": "must be string, got integer"}
        plan["sections"][0] = {"heading": "A", "colour": "blue"}
        answer = await api.call("POST", "/writer/generate-from-plan", body)
        assert faults_of(answer) == {"plan.sections[0].colour": "is not a field of this operation"}
        answer = await api.call("PATCH", f"/writer/{NOBODY}", {"seo": {"metaTitel": "x"}})
        assert faults_of(answer) == {"seo.metaTitel": "is not a field of this operation"}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"topic": "x" * 501}, "topic"),
        ({"topic": ""}, "topic"),
        ({"topic": "see https://example.org/page"}, "topic"),
        ({"topic": 5}, "topic"),
        ({"agentKey": "no country"}, "agentKey"),
        ({"agentKey": AGENT + "\n"}, "agentKey"),
        ({"tone": "journalistic"}, "tone"),
        ({"language": "tlh"}, "language"),
        ({"keywords": ["k"] * 21}, "keywords"),
        ({"keywords": ["ok", "k" * 101]}, "keywords[1]"),
        ({"articleLength": "endless"}, "articleLength"),
        ({"autoValidate": "true"}, "autoValidate"),
        ({"documentIds": ["d"] * 11}, "documentIds"),
        ({"coverageLevel": "splendid"}, "coverageLevel"),
        ({"coverageSources": [{"parentId": "a", "chunkIndex": 0}] * 101}, "coverageSources"),
        ({"coverageSources": [{"parentId": "a"}]}, "coverageSources[0].chunkIndex"),
        ({"coverageSources": [{"parentId": "a", "chunkIndex": 10**12}]}, "coverageSources[0].chunkIndex"),
        ({"topic": None}, "topic"),
    ],
)
async def test_every_bound_of_plan_generation_is_kept(api: Api, changes: dict[str, object], field: str) -> None:
    answer = await api.call("POST", PLAN, {"agentKey": AGENT, "topic": COVERED, **changes})
    assert set(faults_of(answer)) == {field}
    assert (await api.call("GET", "/tenant/quotas")).json()["articles"]["used"] == 0


async def test_coverage_sources_may_carry_whatever_else_the_check_gave() -> None:
    async with open_api() as api:
        source = {"parentId": "gone", "chunkIndex": 3, "content": "x", "combinedScore": "high", "new": {"deep": [1]}}
        answer = await api.call("POST", PLAN, {"agentKey": AGENT, "topic": COVERED, "coverageSources": [source]})
        assert answer.status_code == 200


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("page=0", "page"), ("page=1.0", "page"), ("page=nan", "page"), ("page=1e9", "page"), ("page=", "page"),
        ("page=%D9%A1", "page"), ("page=+1", "page"), ("page=99999999999999999999", "page"),
        ("limit=101", "limit"), ("limit=inf", "limit"), ("page=1&page=2", "page"),
        ("search=%00", "search"), ("nicheKey=a%00b", "nicheKey"), ("sortBy=title", "sortBy"),
        ("sortOrder=up", "sortOrder"),
        ("search=" + "x" * 201, "search"), ("&".join(f"a{n}=1" for n in range(60)), "query"),
    ],
)  # fmt: skip
async def test_odd_query_parameters_are_named(api: Api, query: str, field: str) -> None:
    assert set(faults_of(await api.call("GET", f"/articles?{query}"))) == {field}


@pytest.mark.parametrize("query", ["enabled=1", "enabled=TRUE", "enabled=", "enabled=yes"])
async def test_a_boolean_parameter_is_true_or_false(api: Api, query: str) -> None:
    assert set(faults_of(await api.call("GET", f"/agents?{query}"))) == {"enabled"}


@pytest.mark.parametrize(
    "query", ["", "?", "?&&", "?unknown=1", "?search=", "?nicheKey=", "?search=%ff%fe", "?%zz=%", "?="]
)
async def test_harmless_query_strings_are_no_fault(api: Api, query: str) -> None:
    assert (await api.call("GET", f"/articles{query}")).status_code == 200


@pytest.mark.parametrize(
    "tail", ["%00", "..%2f..", "%ff", "a" * 5_000, "%F0%9F%90%9D", "%0a", "%E2%80%AE", "'--", "a%2Fb", "{id}"]
)
async def test_odd_ids_in_a_path_lead_nowhere(api: Api, tail: str) -> None:
    for path in (f"/writer/{tail}", f"/niches/{tail}", f"/writer/generation-status/{tail}"):
        assert (await api.call("GET", path)).status_code == 404, path
    assert (await api.call("DELETE", f"/account/keys/{tail}")).status_code == 404


async def test_unknown_addresses_are_a_404_and_wrong_methods_a_405(api: Api) -> None:
    for path in ("/nothing", "/writer", "/writer/a/b/c", "/articles/", "//articles//x"):
        answer = await api.call("GET", path)
        if answer.status_code != 200:
            assert (answer.status_code, problem_of(answer)["code"]) == (404, "not_found")
    answer = await api.call("DELETE", "/articles")
    assert (answer.status_code, problem_of(answer)["code"]) == (405, "method_not_allowed")
    assert set(answer.headers["allow"].split(", ")) == {"GET", "OPTIONS"}


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x"]
)
async def test_a_body_of_another_type_is_a_415(api: Api, content_type: str) -> None:
    answer = await send(api, "POST", "/account/keys", b'{"name": "a"}', content_type)
    assert (answer.status_code, problem_of(answer)["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize(
    "content_type",
    [None, "application/json", "application/json; charset=utf-8", "APPLICATION/JSON", "application/ld+json"],
)
async def test_json_is_taken_under_its_names_and_without_one(content_type: str | None) -> None:
    async with open_api() as api:
        assert (await send(api, "POST", "/account/keys", b'{"name": "a"}', content_type)).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "most"),
    [
        ("POST", "/writer/generate", 64 * 1024),
        ("POST", "/niches", 64 * 1024),
        ("POST", PLAN, 1024 * 1024),
        ("POST", "/writer/generate-from-plan", 1024 * 1024),
        ("PATCH", f"/writer/{NOBODY}", 2 * 1024 * 1024),
    ],
)
async def test_a_body_over_the_operations_limit_is_a_413(api: Api, method: str, path: str, most: int) -> None:
    assert (await send(api, method, path, b"{" + b" " * (most - 2) + b"}")).status_code in (400, 404)
    answer = await send(api, method, path, b"{" + b" " * most + b"}")
    assert (answer.status_code, problem_of(answer)["code"]) == (413, "too_large")


async def test_an_idempotency_key_makes_a_repeated_request_spend_once() -> None:
    async with open_api() as api:
        headers = {"Idempotency-Key": "order 66"}
        body = {"agentKey": AGENT, "topic": COVERED, "articleLength": "short"}
        first = await api.call("POST", PLAN, body, headers=headers)
        respelled = json.dumps(dict(reversed(body.items())) | {"autoValidate": False}, indent=2).encode()
        second = await api.call("POST", PLAN, headers=headers | {"Content-Type": "application/json"}, content=respelled)
        assert first.json() == second.json()
        assert (await api.call("GET", "/tenant/quotas")).json()["articles"]["used"] == 1
        other = await api.call("POST", PLAN, body | {"tone": "casual"}, headers=headers)
        assert (other.status_code, problem_of(other)["code"]) == (409, "idempotency_key_reused")
        elsewhere = await api.call("POST", "/writer/generate", {"nicheId": NICHE}, headers=headers)
        assert elsewhere.status_code == 409


@pytest.mark.parametrize("key", ["", "k" * 256, "caf\u00e9".encode("latin-1"), "tab\there"])
async def test_an_idempotency_key_has_1_to_255_printable_characters(api: Api, key: str) -> None:
    answer = await api.call("POST", PLAN, {"agentKey": AGENT, "topic": COVERED}, headers={"Idempotency-Key": key})
    assert set(faults_of(answer)) == {"Idempotency-Key"}


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    operation=st.sampled_from(OPERATIONS),
    changes=st.dictionaries(
        st.sampled_from(["topic", "agentKey", "plan", "title", "seo", "keywords", "coverageSources", "name", "tones"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
            max_leaves=8,
        ),
        max_size=3,
    ),
)
async def test_no_body_is_a_500(operation: tuple[str, str], changes: dict[str, object]) -> None:
    async with open_api() as api:
        answer = await api.call(*operation, BODIES[operation] | changes)
        assert answer.status_code < 500, answer.text
        if answer.status_code >= 400:
            problem_of(answer)
