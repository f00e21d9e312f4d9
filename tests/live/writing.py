"""What must hold for the OpenAI writer: against a server that behaves as told, and one that enforces schemas."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

import httpx
import pytest

from contentgen_adapters.llm import wire
from contentgen_adapters.llm.conversation import Question, ask
from contentgen_adapters.llm.openai import OpenAIWriter
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.article_plan import validate_edited_plan
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.content_model import PlanRequest
from contentgen_core.testing.content_model import NICHE, sample_brief, sample_sources

Check = Callable[[str, httpx.AsyncClient], Awaitable[None]]


def writer(address: str, model: str, client: httpx.AsyncClient) -> OpenAIWriter:
    return OpenAIWriter(address, "test-key-123456", model, client, max_output_tokens=4_000)


async def a_plan_comes_back(address: str, client: httpx.AsyncClient) -> None:
    sources = sample_sources()
    answer = await writer(address, "good", client).plan(PlanRequest(sample_brief(), NICHE, sources))
    validate_edited_plan(answer.value, {source.ref for source in sources}, 600)
    assert answer.usage.input_tokens > 0


async def an_unknown_source_is_repaired(address: str, client: httpx.AsyncClient) -> None:
    sources = sample_sources()
    plan = (await writer(address, "unknown-source", client).plan(PlanRequest(sample_brief(), NICHE, sources))).value
    assert plan.cited == {sources[0].ref}


async def a_busy_server_is_waited_for(address: str, client: httpx.AsyncClient) -> None:
    answer = await writer(address, "busy", client).judge_topic(NICHE, "Heat pumps", (), Language.EN)
    assert answer.value.valid


async def a_refused_key_is_final(address: str, client: httpx.AsyncClient) -> None:
    await _fails(writer(address, "refused", client), "CONTENTGEN_OPENAI_API_KEY", retryable=False)


async def a_cut_answer_says_so(address: str, client: httpx.AsyncClient) -> None:
    await _fails(writer(address, "cut", client), "cut off", retryable=False)


async def a_filtered_answer_says_so(address: str, client: httpx.AsyncClient) -> None:
    await _fails(writer(address, "filtered", client), "refused", retryable=False)


async def a_broken_server_may_recover(address: str, client: httpx.AsyncClient) -> None:
    await _fails(writer(address, "broken", client), "HTTP 500", retryable=True)


async def a_schema_is_enforced(address: str, client: httpx.AsyncClient) -> None:
    """Random weights answer by the schema at the first try. No schema with numbers: theirs are beyond any float."""
    asked: list[httpx.Request] = []

    async def remember(request: httpx.Request) -> None:
        asked.append(request)

    client.event_hooks["request"].append(remember)
    for _ in range(5):
        chat = writer(address, "random", client)._backend
        question = Question("Where did Marie Curie work?")
        await ask(chat, question, wire.TextAnswer, lambda answer, last: answer.text)
    assert len(asked) == 5, f"{len(asked)} requests for 5 answers"


async def a_plan_of_nonsense_is_refused_in_bounded_time(address: str, client: httpx.AsyncClient) -> None:
    try:
        await writer(address, "random", client).plan(PlanRequest(sample_brief(), NICHE, sample_sources()))
    except ProviderFailed as error:
        said = str(error)
    else:
        said = "a plan that cites no source"
    assert "no usable answer" in said or "cut off" in said, said


async def _fails(model: OpenAIWriter, says: str, *, retryable: bool) -> None:
    with pytest.raises(ProviderFailed) as caught:
        await model.judge_topic(NICHE, "Heat pumps", (), Language.EN)
    assert says in str(caught.value), caught.value
    assert caught.value.retryable is retryable, caught.value


BEHAVIOUR: Final[tuple[Check, ...]] = (
    a_plan_comes_back,
    an_unknown_source_is_repaired,
    a_busy_server_is_waited_for,
    a_refused_key_is_final,
    a_cut_answer_says_so,
    a_filtered_answer_says_so,
    a_broken_server_may_recover,
)
SCHEMAS: Final[tuple[Check, ...]] = (a_schema_is_enforced, a_plan_of_nonsense_is_refused_in_bounded_time)
