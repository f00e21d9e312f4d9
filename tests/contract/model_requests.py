"""What tests of the writers over chat models ask, and answers to it."""

from __future__ import annotations

import json
from typing import Any

from contentgen_adapters.llm.structured import StructuredWriter
from contentgen_core.model.article_plan import ArticlePlan
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.ports.content_model import (
    PlanRequest,
    SectionRequest,
)
from contentgen_core.testing.content_model import NICHE, sample_brief, sample_sources, section_request
from tests.contract.model_server import ModelServer

VENDORS = ["openai", "anthropic"]


def writer(vendor: str, server: ModelServer) -> StructuredWriter:
    return server.openai() if vendor == "openai" else server.anthropic()


def plan_request(sources: tuple[RankedPassage, ...] | None = None) -> PlanRequest:
    return PlanRequest(sample_brief(), NICHE, sample_sources() if sources is None else sources)


def plan_answer(sources: list[str], **changes: Any) -> str:
    section = {"heading": "Basics", "goal": "g", "keyPoints": ["k"], "sources": sources, "targetWords": 100}
    seo = {"metaTitle": "t", "metaDescription": "d", "keywords": []}
    answer = {"title": "A title", "angle": "a", "audience": "b", "sections": [section], "faq": [], "seo": seo}
    return json.dumps(answer | changes)


def section_answer(text: str = "A heat pump moves heat.", sources: tuple[str, ...] = ("S1",)) -> str:
    sentence = {"text": text, "sources": list(sources), "quotation": False}
    return json.dumps({"paragraphs": [{"sentences": [sentence], "bullets": False}]})


async def a_section() -> SectionRequest:
    sources = sample_sources()
    plan: ArticlePlan = (await ModelServer().openai().plan(plan_request(sources))).value
    return section_request(sample_brief(), plan, 0, sources)
