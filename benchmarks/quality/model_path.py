"""Measure what leading and checking a model adds: articles by a stand-in that plants errors, once with the product's
prompts and checks, once with the same answers unchecked, and once by a loop that only retrieves and prompts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

import numpy as np
from attrs import frozen

from benchmarks.quality import article_sets
from benchmarks.quality.article_sets import ArticleSet, Topic
from benchmarks.quality.articles import LENGTH, article_about, import_paragraphs, source_keys
from benchmarks.quality.report import Table
from benchmarks.quality.stand_in import KINDS, PLANTED, REPETITIONS, StandIn, Written, sentences_in
from contentgen_adapters.llm.structured import StructuredWriter
from contentgen_core.model.article import Article, Brief
from contentgen_core.model.drafting import SectionDraft
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.policies.evaluation.article_figures import near_identical
from contentgen_core.ports.content_model import NicheBrief, PlanRequest, SectionRequest
from contentgen_core.ports.knowledge_base import Embedder
from contentgen_core.testing.builders import kb_document, passage
from contentgen_core.use_cases.articles.section_requests import section_requests
from contentgen_grounded import Language, in_memory

DESCRIPTION: Final = "a model that plants errors, led and checked, beside a bare loop"
NEAREST: Final = 10
"""Passages that the bare loop retrieves for an article."""
LED, UNCHECKED, BARE = "led and checked", "the same answers, unchecked", "bare loop"
TRUE: Final = ""


@frozen
class CitedSentence:
    """A sentence of an article, and the paragraphs that it cites."""

    text: str
    keys: tuple[str, ...]


@frozen
class Outcome:
    """An article by one of the systems. `written`: all that the stand-in wrote for it at first, by text."""

    topic: Topic
    sentences: Sequence[CitedSentence]
    written: Mapping[str, Written]

    def reached(self, kind: str) -> tuple[int, int]:
        """How many of the sentences of a kind reached the article, of how many. A repetition counts as long as the
        sentence that it repeats is there too.
        """
        texts = {it.text for it in self.sentences}
        of_kind = [it for it in self.written.values() if it.kind == kind]
        return sum(it.text in texts and (kind not in REPETITIONS or it.of in texts) for it in of_kind), len(of_kind)

    @property
    def on_subject(self) -> float:
        """The share of sentences that cite paragraphs of the subject alone, and come from no other subject."""
        own = set(self.topic.docs)
        about = [own.issuperset(it.keys) and self._kind(it) != "other subject" for it in self.sentences if it.keys]
        return fmean(about) if about else 0.0

    @property
    def wrong(self) -> float:
        """The share of sentences that are planted errors, repetitions aside."""
        kinds = [self._kind(it) for it in self.sentences]
        return fmean(kind in PLANTED for kind in kinds) if kinds else 0.0

    def _kind(self, sentence: CitedSentence) -> str:
        found = self.written.get(sentence.text)
        return TRUE if found is None else found.kind


class Recording(StructuredWriter):
    """A writer that keeps the first draft of each section, by the brief's topic."""

    def __init__(self, backend: StandIn) -> None:
        super().__init__(backend)
        self.first: dict[str, dict[int, SectionDraft]] = {}

    async def write_section(self, request: SectionRequest) -> SectionDraft:
        draft = await super().write_section(request)
        if not request.refused:
            self.first.setdefault(request.brief.topic, {})[request.position] = draft
        return draft


def run(data: Path) -> list[Table]:
    sets = [each for each in article_sets.load(data) if each.language is Language.EN]
    return [table({each.name: asyncio.run(measured(each)) for each in sets})]


async def measured(each: ArticleSet) -> dict[str, list[Outcome]]:
    """Return the outcome of each system on each topic."""
    found: dict[str, list[Outcome]] = {LED: [], UNCHECKED: [], BARE: []}
    foreign = _foreign(each)
    model = StandIn(foreign)
    writer = Recording(model)
    async with in_memory(model=writer) as services:
        await import_paragraphs(services, each)
        model.written.clear()
        for topic in each.topics:
            article = await article_about(services, each, topic)
            drafts = writer.first.get(topic.title, {})
            ids = {ref.document_id for draft in drafts.values() for s in draft.sentences for ref in s.sources}
            keys = await source_keys(services, {DocumentId(id) for id in ids})
            written = model.written.get(topic.title, {})
            found[LED].append(Outcome(topic, _sentences_of(article, keys), written))
            found[UNCHECKED].append(Outcome(topic, _drafted(drafts, keys), written))
        found[BARE] = await _bare(each, foreign, services.ports.embedder)
    return found


def _foreign(each: ArticleSet) -> dict[str, list[str]]:
    """Return by topic the first sentence of each paragraph on another subject."""
    first = [(p.group, sentences_in(p.text)[:1]) for p in each.paragraphs]
    return {topic.title: [s for group, some in first if group != topic.id for s in some] for topic in each.topics}


async def _bare(each: ArticleSet, foreign: Mapping[str, Sequence[str]], embedder: Embedder) -> list[Outcome]:
    """Write without checks: the passages nearest to the topic, a plan of them, and its sections unchanged."""
    model = StandIn(foreign)
    writer = StructuredWriter(model)
    sources = [
        passage(kb_document(title=p.title, source_key=p.id, language=each.language), p.text, terms=())
        for p in each.paragraphs
    ]
    keys = {source.document.id: source.document.source_key for source in sources}
    vectors = np.array(await embedder.embed([f"{p.title} {p.text}".strip() for p in each.paragraphs], "passage"))
    asked = np.array(await embedder.embed([topic.title for topic in each.topics], "query"))
    nearest = np.argsort(-(asked @ vectors.T), axis=1, kind="stable")[:, :NEAREST]
    found = []
    for topic, places in zip(each.topics, nearest, strict=True):
        brief = Brief(topic.title, each.language, length=LENGTH)
        ranked = tuple(RankedPassage(sources[place], 0.0, 0.0, 0.0) for place in places)
        plan = (await writer.plan(PlanRequest(brief, NicheBrief(""), ranked))).value
        requests = section_requests(brief, plan, {it.ref: it.passage for it in ranked})
        drafts = {request.position: await writer.write_section(request) for request in requests}
        found.append(Outcome(topic, _drafted(drafts, keys), model.written[topic.title]))
    return found


def _drafted(drafts: Mapping[int, SectionDraft], keys: Mapping[DocumentId, str]) -> list[CitedSentence]:
    sentences = [sentence for position in sorted(drafts) for sentence in drafts[position].sentences]
    return [CitedSentence(it.text, tuple(keys[DocumentId(ref.document_id)] for ref in it.sources)) for it in sentences]


def _sentences_of(article: Article, keys: Mapping[DocumentId, str]) -> list[CitedSentence]:
    number = {source.number: keys[source.parent_id] for source in article.sources}
    receipts = article.grounding.sentences if article.grounding else ()
    return [CitedSentence(it.text, tuple(number[n] for n in it.citations)) for it in receipts]


def table(found: Mapping[str, Mapping[str, Sequence[Outcome]]]) -> Table:
    """Return the table by knowledge base and system."""
    rows: list[Sequence[str]] = []
    for name, systems in found.items():
        kinds = {f"planted, {kind}: in the text": kind for kind in KINDS} | {"true sentences: in the text": TRUE}
        rows += [
            (name, shown, *(_share([it.reached(kind) for it in some]) for some in systems.values()))
            for shown, kind in kinds.items()
        ]
        written = [[it for it in some if it.sentences] for some in systems.values()]
        rows += [
            (name, "wrong sentences", *(f"{fmean(it.wrong for it in some):.3f}" for some in written)),
            (name, "sentences on the subject", *(f"{fmean(it.on_subject for it in some):.3f}" for some in written)),
            (name, "near-identical pairs", *(str(sum(map(_pairs, some))) for some in written)),
            (name, "words, mean", *(f"{fmean(map(_words, some)):.0f}" for some in written)),
        ]
    return Table(
        "A model that plants errors: articles of standard length",
        ("knowledge base", "figure", *next(iter(found.values()))),
        rows,
        f"In brackets: of how many. The bare loop writes from the {NEAREST} passages that are nearest to the topic.",
    )


def _share(reached: Sequence[tuple[int, int]]) -> str:
    inside, all_of_them = (sum(each) for each in zip(*reached, strict=True))
    return f"{inside / max(1, all_of_them):.3f} ({all_of_them})"


def _pairs(outcome: Outcome) -> int:
    return near_identical([it.text for it in outcome.sentences])


def _words(outcome: Outcome) -> int:
    return sum(len(it.text.split()) for it in outcome.sentences)
