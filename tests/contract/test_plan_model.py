"""One model plans, another writes."""

from __future__ import annotations

from decimal import Decimal

import httpx
import pytest

from contentgen_adapters.llm.catalog import WriterSettings, build_writer
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.prices import Cost, TokenPrices
from contentgen_core.ports.content_model import ContentModel, PlanRequest
from contentgen_core.testing.content_model import NICHE, sample_brief, sample_sources, section_request
from contentgen_http.telemetry.metrics import Metrics
from contentgen_http.telemetry.observed import ObservedModel, Watch
from contentgen_http.telemetry.tracing import Tracing
from tests.contract.model_server import ModelServer

SOURCES = sample_sources()
REQUEST = PlanRequest(sample_brief(), NICHE, SOURCES)
VENDORS = ["openai", "anthropic"]


def writer(server: ModelServer, vendor: str, **more: object) -> ContentModel:
    settings = WriterSettings(
        openai_base_url="https://models.example/v1" if vendor == "openai" else None,
        openai_model="large",
        anthropic_api_key="k" if vendor == "anthropic" else None,
        anthropic_model="large",
        model_prices=TokenPrices(Decimal(3), Decimal(15), "USD"),
        **more,  # type: ignore[arg-type]
    )
    return build_writer(settings, IcuTextAnalysis(), server.client())


@pytest.mark.parametrize("vendor", VENDORS)
async def test_the_model_that_plans_is_asked_for_plans_alone_and_has_its_own_prices(vendor: str) -> None:
    server = ModelServer()
    model = writer(server, vendor, plan_model="small", plan_prices=TokenPrices(Decimal(1), Decimal(2), "USD"))
    planned = await model.plan(REQUEST)
    section = await model.write_section(section_request(sample_brief(), planned.value, 0, SOURCES))
    topics = await model.suggest_topics(NICHE, [s.passage for s in SOURCES], [], sample_brief().language, 1)
    assert [server.body(n)["model"] for n in range(3)] == ["small", "large", "large"]
    assert (planned.usage.model, planned.usage.cost) == ("small", Cost(140, "USD"))
    assert (section.usage.model, topics.usage.model, section.usage.planned_by) == ("large", "large", None)
    article = planned.usage.plus(section.usage)
    assert (article.model, article.planned_by, article.cost) == ("large", "small", Cost(140 + 600, "USD"))


@pytest.mark.parametrize("vendor", VENDORS)
async def test_without_one_the_model_that_writes_plans(vendor: str) -> None:
    server = ModelServer()
    planned = await writer(server, vendor).plan(REQUEST)
    assert (server.body()["model"], planned.usage.model, planned.usage.planned_by) == ("large", "large", None)


async def test_a_plan_whose_price_is_not_known_leaves_the_article_without_a_cost() -> None:
    server = ModelServer()
    model = writer(server, "openai", plan_model="small")
    planned = await model.plan(REQUEST)
    section = await model.write_section(section_request(sample_brief(), planned.value, 0, SOURCES))
    assert planned.usage.cost is None
    assert planned.usage.plus(section.usage).cost is None


async def test_a_plan_that_stays_bad_is_made_without_a_model_and_says_whose_tokens_it_took() -> None:
    server = ModelServer(*["no plan"] * 2)
    planned = await writer(server, "openai", plan_model="small").plan(REQUEST)
    assert planned.value.sections
    assert (planned.usage.model, planned.usage.planned_by, planned.usage.input_tokens) == ("small", "small", 200)


async def test_what_a_server_refuses_to_one_model_is_not_held_against_the_other() -> None:
    refusal = httpx.Response(400, json={"error": {"message": "'response_format' json_schema is not supported"}})
    server = ModelServer(refusal)
    model = writer(server, "openai", plan_model="small")
    planned = await model.plan(REQUEST)
    await model.write_section(section_request(sample_brief(), planned.value, 0, SOURCES))
    formats = [server.body(n)["response_format"]["type"] for n in range(3)]
    assert formats == ["json_schema", "json_object", "json_schema"]


async def test_metrics_tell_the_two_apart() -> None:
    metrics = Metrics()
    model = ObservedModel(writer(ModelServer(), "openai", plan_model="small"), Watch(metrics, Tracing()))
    planned = await model.plan(REQUEST)
    await model.write_section(section_request(sample_brief(), planned.value, 0, SOURCES))
    for name in ("small", "large"):
        labels = {"model": name, "outcome": "ok"}
        assert metrics.registry.get_sample_value("contentgen_model_calls_total", labels) == 1
        tokens = {"model": name, "direction": "input"}
        assert metrics.registry.get_sample_value("contentgen_model_tokens_total", tokens) == 100
