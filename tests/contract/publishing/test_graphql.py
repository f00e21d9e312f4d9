"""What GraphQL answers mean, and which calls are repeated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from contentgen_adapters.publishing.graphql import GraphQL, UserError
from contentgen_adapters.publishing.target import Target
from contentgen_adapters.shared.http import make_client
from contentgen_core.ports.publishing import PublishFailed, Refusal

SECRET = "a-secret-of-the-target"
Answers = list[httpx.Response | Exception]


def endpoint(answers: Answers, seen: list[httpx.Request]) -> GraphQL:
    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        made = answers.pop(0)
        if isinstance(made, Exception):
            raise made
        return made

    client = make_client(transport=httpx.MockTransport(answer))
    target = Target("Blogs", client, "https://blogs.example/graphql", secrets=(SECRET,))
    return GraphQL(target, wait=lambda extensions: extensions.get("wait"), hints={"FORBIDDEN": "a plan is needed"})


def data(value: Any) -> httpx.Response:
    return httpx.Response(200, json={"data": value})


def errors(*codes: str, **more: Any) -> httpx.Response:
    listed = [{"message": f"no, {SECRET}", "extensions": {"code": code}} for code in codes]
    return httpx.Response(200, json={"errors": listed, **more})


async def query(api: GraphQL) -> dict[str, int]:
    return await api.query("query { n }", dict[str, int])


async def mutate(api: GraphQL) -> dict[str, int]:
    return await api.mutate("mutation { n }", dict[str, int], {})


async def test_a_question_is_repeated_after_a_passing_failure_and_a_change_is_not() -> None:
    seen: list[httpx.Request] = []
    busy = httpx.Response(503, headers={"Retry-After": "0"})
    assert await query(endpoint([busy, data({"n": 1})], seen)) == {"n": 1}
    assert len(seen) == 2
    with pytest.raises(PublishFailed) as failure:
        await mutate(endpoint([busy, data({"n": 1})], seen))
    assert failure.value.outcome_unknown
    assert len(seen) == 3


async def test_a_question_without_an_answer_did_nothing() -> None:
    silence: Answers = [httpx.ReadTimeout("no answer") for _ in range(3)]
    with pytest.raises(PublishFailed) as failure:
        await query(endpoint(silence, []))
    assert failure.value.retryable
    assert not failure.value.outcome_unknown


@pytest.mark.parametrize(
    ("codes", "refusal"),
    [
        (["UNAUTHENTICATED"], Refusal.CREDENTIALS),
        (["FORBIDDEN"], Refusal.PERMISSION),
        (["ACCESS_DENIED"], Refusal.PERMISSION),
        (["NOT_FOUND"], Refusal.GONE),
        (["BAD_USER_INPUT"], Refusal.INVALID),
        (["THROTTLED"], Refusal.LIMITED),
        (["INTERNAL_SERVER_ERROR"], Refusal.TRANSIENT),
        (["SOMETHING_NEW"], Refusal.INVALID),
        (["SOMETHING_NEW", "FORBIDDEN"], Refusal.PERMISSION),
    ],
)
@pytest.mark.parametrize("call", [query, mutate])
async def test_errors_in_a_good_answer_are_failures(
    call: Callable[[GraphQL], Any], codes: list[str], refusal: Refusal
) -> None:
    with pytest.raises(PublishFailed) as failure:
        await call(endpoint([errors(*codes, data={"n": 1})], []))
    assert failure.value.refusal is refusal
    assert failure.value.outcome_unknown == (refusal is Refusal.TRANSIENT and call is mutate)
    assert SECRET not in str(failure.value)
    assert ("a plan is needed" in str(failure.value)) == ("FORBIDDEN" in codes)


async def test_the_wait_is_read_from_the_answer() -> None:
    with pytest.raises(PublishFailed) as failure:
        await query(endpoint([errors("THROTTLED", extensions={"wait": 7.5})], []))
    assert failure.value.retry_after == 7.5


@pytest.mark.parametrize(
    "answer",
    [data(None), data({"n": "x"}), httpx.Response(200, json={}), httpx.Response(200, json=[]),
     httpx.Response(200, text="<html>"), httpx.Response(200, json={"errors": "no"})],
)  # fmt: skip
@pytest.mark.parametrize("call", [query, mutate])
async def test_an_answer_of_another_form_is_no_success(call: Callable[[GraphQL], Any], answer: httpx.Response) -> None:
    with pytest.raises(PublishFailed) as failure:
        await call(endpoint([answer], []))
    assert failure.value.refusal is Refusal.INVALID


def test_errors_of_a_change_name_the_field_and_did_nothing() -> None:
    api = endpoint([], [])
    api.check([])
    with pytest.raises(PublishFailed, match=r"article\.handle: Taken; Bad") as failure:
        api.check([UserError("Taken", ["article", "handle"], "TAKEN"), UserError("Bad")])
    assert failure.value.refusal is Refusal.CONFLICT
    assert not failure.value.outcome_unknown
