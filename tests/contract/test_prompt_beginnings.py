"""What requests to chat models begin with in common, and what vendors say they kept of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from decimal import Decimal
from itertools import takewhile
from typing import Any

import httpx
import pytest
from attrs import evolve

from contentgen_adapters.llm.openai import OPENAI, OpenAIWriter
from contentgen_adapters.llm.structured import StructuredWriter
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.article import Brief
from contentgen_core.model.article_plan import ArticlePlan, FaqEntry, PlanSection
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.ids import VoiceId
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.model.prices import Cost, TokenPrices
from contentgen_core.model.voice import ChosenVoice
from contentgen_core.ports.content_model import PlanRequest, Refusal, SectionRequest
from contentgen_core.testing.content_model import NICHE, sample_brief, sample_sources, section_request
from tests.contract.model_server import KEY, ModelServer

VENDORS = ["openai", "anthropic"]
SOURCES = sample_sources()


def writer(vendor: str, server: ModelServer) -> StructuredWriter:
    return server.openai() if vendor == "openai" else server.anthropic()


def section_answer() -> str:
    sentence = {"text": "A heat pump moves heat.", "sources": ["S1"], "quotation": False}
    return json.dumps({"paragraphs": [{"sentences": [sentence], "bullets": False}]})


def a_section() -> SectionRequest:
    return section_request(sample_brief(), planned(SOURCES), 0, SOURCES)


def shared_beginning(*texts: str) -> str:
    columns = takewhile(lambda letters: len(set(letters)) == 1, zip(*texts, strict=False))
    return "".join(letters[0] for letters in columns)


def planned(sources: Sequence[RankedPassage], heading: str = "First") -> ArticlePlan:
    section = PlanSection(heading, "g", ("What it costs",), (sources[0].ref,))
    other = evolve(section, heading="Second", source_ids=(sources[1].ref,))
    faq = (FaqEntry("Is it loud?", (sources[2].ref,)),)
    return ArticlePlan("Heat", "Money first", "Owners", (section, other), faq)


async def parts(server: ModelServer, brief: Brief, plan: ArticlePlan, vendor: str = "openai") -> list[str]:
    """What the sections and the FAQ of a plan are asked with."""
    model, asked = writer(vendor, server), []
    for position in range(len(plan.sections) + 1):
        await model.write_section(section_request(brief, plan, position, SOURCES))
        asked.append(server.prompt())
    return asked


async def test_all_requests_for_parts_of_an_article_begin_alike() -> None:
    asked = await parts(ModelServer(), sample_brief(), planned(SOURCES))
    shared = shared_beginning(*asked)
    for shown in ("Angle: Money first", "Audience: Owners", "1. First", "2. Second", "What it costs", "Is it loud?"):
        assert shown in shared
    assert shared.count("<<<BEGIN") == shared.count("<<<END") == 2


async def test_a_part_that_is_written_again_is_asked_for_as_before_and_with_what_was_refused() -> None:
    server, request = ModelServer(), a_section()
    await server.openai().write_section(request)
    first = server.prompt()
    await server.openai().write_section(evolve(request, refused=(Refusal(DraftSentence("It is loud."), "no"),)))
    assert server.prompt().startswith(first)


async def test_articles_in_one_voice_begin_alike_with_rules_and_voice() -> None:
    voice = ChosenVoice(VoiceId("v"), "House", "Plain words.", avoid=("leverage",))
    servers, briefs = [], [evolve(sample_brief(), voice=voice, topic=topic) for topic in ("Heat pumps", "Wind")]
    planning, writing = [], []
    for brief in briefs:
        servers.append(server := ModelServer())
        await server.openai().plan(PlanRequest(brief, NICHE, SOURCES))
        planning.append(server.prompt())
        writing += await parts(server, brief, planned(SOURCES, brief.topic))
    assert "<<<END NICHE>>>" in shared_beginning(*planning)
    for asked in (planning, writing):
        shared = shared_beginning(*asked)
        assert "Plain words." in shared
        assert "<<<END VOICE>>>" in shared
        assert "rests on at least one source" in shared


async def test_anthropic_keeps_the_beginning_that_parts_share_once_it_is_answered() -> None:
    server = ModelServer(together=2)
    model, plan = server.anthropic(), planned(SOURCES)
    requests = [section_request(sample_brief(), plan, position, SOURCES) for position in range(3)]
    await asyncio.gather(model.write_section(requests[0]), model.write_section(requests[1]))
    await model.write_section(requests[2])

    contents = [server.body(n)["messages"][0]["content"] for n in range(3)]
    marked = [[block.get("cache_control") for block in content] for content in contents]
    kept = [{"type": "ephemeral"}, None]
    assert sorted(marked[:2], key=str) == sorted([kept, [None, None]], key=str), "the one that is under way keeps it"
    assert marked[2] == kept
    assert len({content[0]["text"] for content in contents}) == 1
    assert "<<<END PLAN>>>" in contents[0][0]["text"]


async def test_a_failed_first_request_leaves_keeping_to_the_next() -> None:
    server = ModelServer(httpx.Response(400, json={"error": {"message": "no"}}))
    model, request = server.anthropic(), a_section()
    with pytest.raises(ProviderFailed):
        await model.write_section(request)
    await model.write_section(request)
    assert server.body()["messages"][0]["content"][0]["cache_control"] == {"type": "ephemeral"}


async def test_openai_itself_is_told_which_requests_begin_alike_and_other_servers_are_not() -> None:
    server, plan = ModelServer(), planned(SOURCES)
    own = OpenAIWriter(OPENAI, KEY, "sample-model", server.client())
    for topic in ("Heat pumps", "Wind"):
        for position in range(3):
            brief = evolve(sample_brief(), topic=topic)
            await own.write_section(section_request(brief, plan, position, SOURCES))
    keys = [server.body(n)["prompt_cache_key"] for n in range(6)]
    assert len(set(keys[:3])) == len(set(keys[3:])) == 1
    assert keys[0] != keys[3]
    await parts(server, sample_brief(), plan)
    assert "prompt_cache_key" not in server.body()


CACHED = {
    "openai": {"prompt_tokens": 1_000, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 600}},
    "anthropic": {"input_tokens": 300, "output_tokens": 10, "cache_read_input_tokens": 600,
                  "cache_creation_input_tokens": 100},
}  # fmt: skip


def answered(vendor: str, usage: dict[str, Any]) -> httpx.Response:
    text = section_answer()
    if vendor == "openai":
        choice = {"message": {"content": text}, "finish_reason": "stop"}
        return httpx.Response(200, json={"choices": [choice], "usage": usage})
    block = {"type": "tool_use", "input": json.loads(text)}
    return httpx.Response(200, json={"content": [block], "stop_reason": "tool_use", "usage": usage})


@pytest.mark.parametrize("vendor", VENDORS)
async def test_tokens_that_the_vendor_kept_are_counted_and_priced(vendor: str) -> None:
    written = 100 if vendor == "anthropic" else 0
    prices = TokenPrices(Decimal(3), Decimal(15), "USD", Decimal("0.3"), Decimal("3.75"))
    server = ModelServer(answered(vendor, CACHED[vendor]))
    model = server.openai(prices=prices) if vendor == "openai" else server.anthropic(prices=prices)
    usage = (await model.write_section(a_section())).usage
    assert (usage.input_tokens, usage.cached_tokens, usage.cache_written_tokens) == (1_000, 600, written)
    assert usage.cost == Cost(round((400 - written) * 3 + 600 * 0.3 + written * 3.75 + 150), "USD")


@pytest.mark.parametrize("details", [None, {}, {"cached_tokens": None}, {"cached_tokens": 5_000}])
async def test_a_server_that_reports_kept_tokens_badly_never_gets_a_cost_below_nothing(details: Any) -> None:
    usage = {"prompt_tokens": 100, "completion_tokens": 0, "prompt_tokens_details": details}
    prices = TokenPrices(Decimal(3), Decimal(15), "USD", Decimal(1))
    server = ModelServer(answered("openai", usage))
    found = (await server.openai(prices=prices).write_section(a_section())).usage
    assert found.cached_tokens == (100 if details and details.get("cached_tokens") else 0)
    assert found.cost == Cost(100 if found.cached_tokens else 300, "USD")
