"""The tokens that an article's prompts begin with in common: vendors charge less for what they have kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from attrs import evolve, field, frozen

from benchmarks.report import Figure
from contentgen_adapters.embeddings.semantic.tokens import Tokenizer
from contentgen_adapters.embeddings.semantic.weights import Weights, known_file
from contentgen_adapters.llm.conversation import Message, OutputSchema, Reply
from contentgen_adapters.llm.structured import StructuredWriter
from contentgen_core.model.article import Brief
from contentgen_core.model.article_plan import ArticlePlan, FaqEntry, PlanSection
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.ids import DocumentId, VoiceId
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import LENGTHS, Language
from contentgen_core.model.voice import ChosenVoice
from contentgen_core.ports.content_model import NicheBrief, PlanRequest, Refusal
from contentgen_core.testing import builders
from contentgen_core.use_cases.articles.section_requests import section_requests

DESCRIPTION: Final = "tokens that an article's prompts begin with in common"

PAGES: Final = Path(__file__).parent.parent / "docs" / "howto"
PASSAGE: Final = 1_200  # characters
REWRITTEN: Final = (1, 3)  # sections that have a sentence refused
LEAST: Final = 1_024  # tokens of a beginning that vendors keep
KEPT_PRICE: Final = 0.1  # of what other tokens cost: Anthropic's, and that of OpenAI's newer models
VOICE: Final = ChosenVoice(
    VoiceId("v"),
    "House",
    "Write for people who run the service themselves. Say what to do before why. Prefer the short word to the long "
    "one, the verb to the noun, and one example to three adjectives. No jokes, no slogans, no exclamation marks.",
    ("passage", "knowledge base", "target"),
    ("leverage", "seamless", "cutting-edge", "game changer"),
)
NICHE: Final = NicheBrief("Software operation", "How services are run", "Operators", ("backup", "upgrade", "metrics"))


@frozen
class Backend:
    """Keeps what it is asked, and answers what is given to it. `asked`: as vendors lay a prompt out."""

    asked: list[str] = field(factory=list)
    provider = model = "sample"
    prices = None

    async def complete(self, system: str, messages: Sequence[Message], output: OutputSchema) -> Reply:
        said = "".join(message.whole for message in messages)
        self.asked.append(f"{json.dumps(output.schema)}\n{system}\n{said}")
        return Reply(json.dumps(_answer(output.name)))


def _answer(name: str) -> dict[str, Any]:
    if name == "SectionAnswer":
        return {
            "paragraphs": [
                {"sentences": [{"text": "A target is connected once.", "sources": ["S1"], "quotation": False}],
                 "bullets": False}
            ] * 4
        }  # fmt: skip
    sections = [
        {"heading": f"Part {n}", "goal": "g", "keyPoints": [f"point {n} {m}" for m in range(3)], "sources": ["S1"],
         "targetWords": 180}
        for n in range(5)
    ]  # fmt: skip
    seo = {"metaTitle": "t", "metaDescription": "d", "keywords": []}
    return {"title": "t", "angle": "a", "audience": "o", "sections": sections, "faq": [], "seo": seo}


def _passages(seed: int, count: int) -> list[Passage]:
    """Return pieces of this project's own pages, which read like customers' texts."""
    pages = sorted(PAGES.glob("*.md"))
    texts = [page.read_text(encoding="utf-8") for page in pages[seed::2]]
    pieces = [text[at : at + PASSAGE] for text in texts for at in range(0, len(text) - PASSAGE, PASSAGE)]
    return [
        builders.passage(document=builders.kb_document(id=DocumentId(f"d{n}")), text=text)
        for n, text in enumerate(pieces[:count])
    ]


def _plan(topic: str, passages: Sequence[Passage]) -> ArticlePlan:
    count = LENGTHS[Brief(topic, Language.EN).length].sections
    sections = tuple(
        PlanSection(
            f"What to prepare before step {n} of {topic}",
            f"Readers know what they need before they begin with step {n}, and why.",
            tuple(f"Why {p.text.split()[5]} comes before {p.text.split()[9]} in {topic}" for p in passages[n::count]),
            tuple(p.ref for p in passages[n::count]),
            180,
        )
        for n in range(count)
    )
    faq = tuple(FaqEntry(f"What if {topic} fails at step {n}?", (passages[n].ref,)) for n in range(4))
    return ArticlePlan(f"A calm guide to {topic}", f"{topic} is safe in five steps", "operators", sections, faq)


async def _asked(topic: str, seed: int) -> list[str]:
    """The prompts of one article: its plan, sections and FAQ, and what is written again."""
    backend = Backend()
    writer = StructuredWriter(backend)
    brief = Brief(topic, Language.EN, keywords=("operation", topic), voice=VOICE)
    passages = _passages(seed, LENGTHS[brief.length].passages)
    await writer.plan(PlanRequest(brief, NICHE, tuple(map(builders.ranked_passage, passages))))
    plan = _plan(topic, passages)
    requests = section_requests(brief, plan, {p.ref: p for p in passages})
    for request in requests:
        await writer.write_section(request)
    refused = (Refusal(DraftSentence("A target is connected twice."), "no source says “twice”"),)
    for position in REWRITTEN:
        await writer.write_section(evolve(requests[position], refused=refused))
    return backend.asked


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _figures(name: str, prompts: Sequence[Sequence[int]], before: Sequence[Sequence[int]]) -> list[Figure]:
    """Return the figures. `prompts`: of an article, in tokens; `before`: of other articles, which the vendor may still
    have cached.
    """
    total = sum(map(len, prompts))
    shared = [max((_common(p, q) for q in (*before, *prompts[:n])), default=0) for n, p in enumerate(prompts)]
    kept = sum(tokens for tokens in shared if tokens >= LEAST)
    cost = 1 - kept * (1 - KEPT_PRICE) / total
    return [
        Figure(f"{name}: tokens of {len(prompts)} prompts", f"{total:,}"),
        Figure(f"{name}: begin like an earlier one", f"{sum(shared):,}", "", f"{sum(shared) / total:.1%}"),
        Figure(f"{name}: where {LEAST:,} or more do", f"{kept:,}", "", f"{kept / total:.1%}"),
        Figure(f"{name}: price of the input, with these at {KEPT_PRICE:g}", f"{cost:.1%}", "100%"),
    ]


def run() -> list[Figure]:
    tokenizer = Tokenizer(Weights(known_file()).vocabulary())

    def tokens(texts: Sequence[str]) -> list[list[int]]:
        return [tokenizer.ids(text, most=10**6)[:-1] for text in texts]

    async def prompts() -> list[list[list[int]]]:
        return [tokens(await _asked(topic, seed)) for seed, topic in enumerate(("restoring a backup", "moving a site"))]

    first, second = asyncio.run(prompts())
    return [*_figures("an article", first, ()), *_figures("the agent's next", second, first)]
