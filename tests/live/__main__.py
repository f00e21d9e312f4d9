"""Runs the OpenAI writer, the premium search and the rerankers against real servers: one behaves as told, one enforces
schemas, one serves a cross-encoder."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import httpx
import pytest
from rich.console import Console

from contentgen_adapters.http import make_client
from contentgen_adapters.llm import wire
from contentgen_adapters.llm.conversation import ask
from contentgen_adapters.llm.openai import OpenAIWriter
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.article_plan import validate_edited_plan
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.content_model import PlanRequest
from contentgen_core.testing.content_model import NICHE, sample_brief, sample_sources
from tests.live.answers import FIXTURES
from tests.live.peers import CannotInstall, aimock, install_llama, llama
from tests.live.reranking import RERANKING
from tests.live.web_search import SEARCH_FIXTURES, SEARCHES

Check = Callable[[str, httpx.AsyncClient], Awaitable[None]]
SAY: Final = Console()


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
        await ask(chat, "Where did Marie Curie work?", wire.TextAnswer, lambda answer, last: answer.text)
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


async def run(peer: str, address: str, checks: tuple[Check, ...]) -> int:
    failed = 0
    async with make_client() as client:
        for check in checks:
            name = check.__name__.replace("_", " ")
            try:
                await check(address, client)
            except (AssertionError, ProviderFailed, pytest.fail.Exception) as error:
                failed += 1
                SAY.print(f"[red]FAILED[/] {peer}: {name}: {error!r}")
            else:
                SAY.print(f"[green]passed[/] {peer}: {name}")
    return failed


async def main() -> int:
    failed = 0
    with tempfile.TemporaryDirectory(prefix="contentgen-live") as folder:
        try:
            async with aimock(Path(folder) / "aimock", FIXTURES + SEARCH_FIXTURES) as address:
                failed += await run("aimock", address, BEHAVIOUR + SEARCHES)
        except CannotInstall as error:
            failed += 1
            SAY.print(f"[yellow]NOT CHECKED[/] aimock: {error}")
        try:
            python = await install_llama(Path(folder) / "llama")
            async with llama(python, "llama_server.py") as address:
                failed += await run("llama.cpp", address, SCHEMAS)
            async with llama(python, "rerank_server.py") as address:
                failed += await run("llama.cpp", address, RERANKING)
        except CannotInstall as error:
            failed += 1
            SAY.print(f"[yellow]NOT CHECKED[/] llama.cpp: {error}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
