"""Evaluate the service on a knowledge base: figures over cases that are made from it, on a copy in memory."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import nsmallest
from typing import Final

import msgspec
from attrs import evolve, frozen

from contentgen_core.errors import InvalidInput
from contentgen_core.model.evaluation import (
    DEFAULT_ARTICLES,
    DEFAULT_SEED,
    DEFAULT_SIZE,
    Cases,
    Evaluation,
    Figure,
    Outcome,
    Part,
    Setup,
)
from contentgen_core.model.knowledge import KbScope, KbView
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.evaluation.article_outcomes import FALLING, article_outcomes
from contentgen_core.policies.evaluation.chance import place
from contentgen_core.policies.evaluation.questions import Questions, questions
from contentgen_core.policies.evaluation.statements import Statement, statements
from contentgen_core.policies.evaluation.topics import Topic, topics
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.services import CoreServices
from contentgen_core.use_cases.evaluation.measure import figure
from contentgen_core.use_cases.evaluation.sample import MAX_DOCUMENTS, KnowledgeSample
from contentgen_grounded.bootstrap.memory import in_memory
from contentgen_grounded.settings import Settings
from contentgen_grounded.version import VERSION
from contentgen_grounded.writing import WritingFailed, tenant_and_agent, write_article

WORKER: Final = "evaluation"
FOLDER: Final = KbScope("evaluated")
LENGTH: Final = ArticleLength.STANDARD
EMPTY: Final = "The knowledge base holds no passages, so there is nothing to evaluate."


@frozen
class EvaluationOptions:
    """Options of an evaluation. `size`: the most cases of a kind; `articles`: how many are written; `with_model`: use
    the model of the settings, which may cost money, instead of the built-in writer.
    """

    seed: int = DEFAULT_SEED
    size: int = DEFAULT_SIZE
    articles: int = DEFAULT_ARTICLES
    with_model: bool = False
    parts: frozenset[Part] = frozenset(Part)


OnProgress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much."""


async def sample_of_sources(sources: Iterable[SourceText], seed: int) -> KnowledgeSample:
    """Return a sample of these sources, as if they were a knowledge base. Of many, only those that the seed chooses
    stay in memory; `of` then counts all. Raises whatever iterating `sources` raises.
    """
    read = 0

    def counted() -> Iterator[SourceText]:
        nonlocal read
        for source in sources:
            read += 1
            yield source

    kept = await asyncio.to_thread(
        lambda: nsmallest(MAX_DOCUMENTS, counted(), key=lambda s: (place(seed, s.source_key), s.source_key))
    )
    async with in_memory(Settings(embeddings="hashed")) as services:
        await services.knowledge.import_sources(FOLDER, kept)
        found = await services.evaluation.sample(KbView(FOLDER.niche_key), seed)
    return evolve(found, of=max(found.of, read - len(kept) + found.of))


async def evaluate(
    sample: KnowledgeSample,
    subject: str,
    options: EvaluationOptions | None = None,
    *,
    settings: Settings | None = None,
    on_progress: OnProgress = lambda what, done, of: None,
) -> Evaluation:
    """Measure coverage, retrieval, grounding and articles on a copy of the sample in memory, by the same code that
    answers requests. Nothing else is stored, and no quota is used.

    `subject`: the knowledge base as its user names it. `settings`: choose the embedder, the entailment model and the
    reranker, as for `in_memory`, and with `with_model` the writer. `on_progress` gets what is being done.

    Raises InvalidInput for a sample without passages, NotConfigured, ProviderFailed, BadSetting.
    """
    options, settings = options or EvaluationOptions(), settings or Settings()
    if not sample.documents:
        raise InvalidInput.of("knowledge base", EMPTY)
    if not options.with_model:
        settings = msgspec.structs.replace(settings, content_model="extractive")
    begun = time.perf_counter()
    async with in_memory(settings) as services:
        language = _most_frequent([document.language for document, _ in sample.documents])
        caller, key = await tenant_and_agent(services, language)
        scope = KbScope(key.niche_key, caller.tenant_id)
        run = _Run(services, scope, sample.copy_to(scope), options, language, on_progress)
        figures, notes, writer = await run.measured()
        ports = services.ports
        setup = Setup(
            cases=Cases(subject, options.seed, options.size, options.articles),
            parts=options.parts,
            version=VERSION,
            embedder=ports.embedder.model,
            writer=writer,
            entailment=ports.entailment.model if ports.entailment else "",
            reranker=ports.reranker.model if ports.reranker else "",
            knowledge=sample.digest,
            documents=len(sample.documents),
            passages=sum(len(passages) for passages in sample.passages),
            of=sample.of,
        )
        return Evaluation(setup, ports.clock.now(), round(time.perf_counter() - begun, 1), figures, notes)


@frozen
class _Run:
    services: CoreServices
    scope: KbScope
    sample: KnowledgeSample
    options: EvaluationOptions
    language: Language
    on_progress: OnProgress

    async def measured(self) -> tuple[tuple[Figure, ...], tuple[str, ...], str]:
        """The figures, what could not be measured, and the writer's name."""
        made = await asyncio.to_thread(self._make_cases)
        await self._store_sources()
        figures: list[Figure] = []
        measure = self.services.evaluation
        view = KbView(self.scope.niche_key, self.scope.tenant_id)
        every = frozenset(document.id for document, _ in self.sample.documents)
        writer = ""
        if Part.GROUNDING in self.options.parts:
            figures += await measure.grounding(made.statements, self._progress_of("grounding", len(made.statements)))
        if Part.COVERAGE in self.options.parts:
            seen = evolve(view, document_ids=every)
            figures += await measure.coverage(seen, made.topics, self._progress_of("coverage", len(made.topics)))
        if Part.ARTICLES in self.options.parts and self.options.articles:
            written, writer = await self._articles(made.topics[: self.options.articles])
            figures += written
        if Part.RETRIEVAL in self.options.parts:
            await self._take_out(made.questions)
            asked = made.questions.asked
            figures += await measure.retrieval(view, asked, self._progress_of("retrieval", len(asked)))
        order = {part: number for number, part in enumerate(Part)}
        figures.sort(key=lambda each: order[Part(each.name.partition(".")[0])])
        return tuple(figures), self._notes(figures), writer

    def _make_cases(self) -> _Made:
        documents, options = self.sample.passages, self.options
        analysis = self.services.ports.analysis
        count = max(options.size, options.articles)
        return _Made(
            topics(documents, count, options.seed, analysis),
            questions(documents, options.size, options.seed, analysis),
            statements(documents, options.size, options.seed, analysis),
        )

    async def _store_sources(self) -> None:
        async with self.services.ports.unit_of_work() as tx:
            await tx[Knowledge].add(self.sample.documents)
        await self._findable()

    async def _findable(self) -> None:
        """Index and embed the passages, so that they can be found by words and by meaning."""
        knowledge, total = self.services.knowledge, len(self.sample.documents)
        await knowledge.apply_index_changes.drain(WORKER)
        done = 0
        while embedded := await knowledge.embed_passages(WORKER):
            done += embedded
            self.on_progress("embedding", min(done, total), total)

    async def _take_out(self, made: Questions) -> None:
        """The sentences that are asked for, out of the passages that are searched."""
        now = self.services.ports.clock.now()
        changed = [
            (evolve(document, revised_at=now), [made.passages.get(passage.ref, passage) for passage in passages])
            for document, passages in self.sample.documents
            if any(passage.ref in made.passages for passage in passages)
        ]
        async with self.services.ports.unit_of_work() as tx:
            await tx[Knowledge].replace(changed)
        await self._findable()

    async def _articles(self, asked: Sequence[Topic]) -> tuple[list[Figure], str]:
        outcomes: dict[str, list[Outcome]] = {}
        writer = ""
        for done, topic in enumerate(asked):
            self.on_progress("articles", done, len(asked))
            try:
                article = await write_article(
                    self.services, topic.text, language=topic.language, length=LENGTH, allow_low_coverage=True
                )
            except (WritingFailed, InvalidInput) as error:
                outcomes.setdefault("on_subject", []).append(Outcome(topic.text, 0.0, f"{topic.text}: {error.detail}"))
                continue
            writer = article.usage.model if article.usage else writer
            for what, outcome in article_outcomes(topic, article, self.sample.passages, LENGTH).items():
                outcomes.setdefault(what, []).append(outcome)
        self.on_progress("articles", len(asked), len(asked))
        made = [figure(f"articles.{what}", each, rises=what not in FALLING) for what, each in outcomes.items()]
        return [each for each in made if each is not None], writer

    def _progress_of(self, what: str, of: int) -> Callable[[int], None]:
        done = 0

        def count(more: int) -> None:
            nonlocal done
            done += more
            self.on_progress(what, done, of)

        return count

    def _notes(self, figures: Sequence[Figure]) -> tuple[str, ...]:
        measured = {each.name.partition(".")[0] for each in figures}
        wanted = self.options.parts - (set() if self.options.articles else {Part.ARTICLES})
        notes = [f"{part}: {_MISSING[part]}" for part in Part if part in wanted and part not in measured]
        few = sum(len(each.outcomes) < FEW for each in figures if not each.name.startswith(Part.ARTICLES))
        return (*notes, f"{few} figures have fewer than {FEW} cases: they say little.") if few else tuple(notes)


FEW: Final = 20
"""Cases below which a figure says little."""
_MISSING: Final = {
    Part.COVERAGE: "not measured: no title of a document makes a topic (two words or more, not of every document)",
    Part.RETRIEVAL: "not measured: no passage has enough words or sentences to make a question from",
    Part.GROUNDING: "not measured: no sentence can stand by itself",
    Part.ARTICLES: "not measured: no title of a document makes a topic to write about",
}


@frozen
class _Made:
    topics: list[Topic]
    questions: Questions
    statements: list[Statement]


def _most_frequent(languages: Sequence[Language]) -> Language:
    return max(sorted(set(languages)), key=languages.count)
