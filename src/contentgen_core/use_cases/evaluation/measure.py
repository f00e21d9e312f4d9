"""Measure coverage, retrieval and grounding on a copy of a knowledge base, through the code that serves requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from attrs import evolve

from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.evaluation import DIGITS, Figure, Outcome
from contentgen_core.model.grounding import SentenceReceipt, Verdict
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbView
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.coverage.assessment import ENOUGH
from contentgen_core.policies.evaluation.intervals import interval_of_mean
from contentgen_core.policies.evaluation.metrics import ndcg
from contentgen_core.policies.evaluation.questions import Asked, Question
from contentgen_core.policies.evaluation.statements import FALSE, Kind, Statement
from contentgen_core.policies.evaluation.topics import Topic
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.ports.entailment import EntailmentModel
from contentgen_core.use_cases.grounding.checking import check
from contentgen_core.use_cases.grounding.meaning import Meaning
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_core.use_cases.use_case import use_case

LENGTH: Final = ArticleLength.SHORT
CANDIDATES: Final = 60
CHECKED_AT_ONCE: Final = 40
DEPTH: Final = 10
"""Of a ranking."""
SHOWN_TITLES: Final = 3

OnProgress = Callable[[int], None]
"""Called with how many more cases were asked."""


def figure(name: str, outcomes: Iterable[Outcome], *, rises: bool = True) -> Figure | None:
    """Return the figure of outcomes; None without any case. `rises`: False for a count or a distance that should not
    rise and may be above 1."""
    cases = tuple(evolve(outcome, value=round(outcome.value, DIGITS)) for outcome in outcomes)
    if not cases:
        return None
    return Figure(name, cases, interval_of_mean([case.value for case in cases], shares=rises), rises)


@use_case
class MeasureCoverage:
    retrieve: Retrieve

    async def __call__(self, view: KbView, topics: Sequence[Topic], on_progress: OnProgress) -> list[Figure]:
        """Measure each topic with all documents in view, and again with those on it out of view. Raises StaleIndex,
        Unavailable."""
        assert view.document_ids is not None
        covered, refused, apart = [], [], []
        for topic in topics:
            with_them, _ = await self._assess(view, topic.text)
            without = evolve(view, document_ids=view.document_ids - topic.on)
            left, titles = await self._assess(without, topic.text)
            on_progress(1)
            level, score = with_them
            level_left, score_left = left
            key = topic.text
            taken = f"{len(topic.on)} of its documents taken out"
            covered.append(
                Outcome(key, float(level in ENOUGH), "" if level in ENOUGH else f"{key}: {level} ({score:.0f} of 100)")
            )
            kept = f"{key}: still {level_left} ({score_left:.0f} of 100) with {taken}, from: {'; '.join(titles)}"
            refused.append(Outcome(key, float(level_left not in ENOUGH), kept if level_left in ENOUGH else ""))
            closer = f"{key}: {score:.0f} of 100, and {score_left:.0f} with {taken}"
            apart.append(Outcome(key, float(score > score_left), "" if score > score_left else closer))
        made = (
            figure("coverage.covered", covered),
            figure("coverage.refused", refused),
            figure("coverage.apart", apart),
        )
        return [each for each in made if each is not None]

    async def _assess(self, view: KbView, text: str) -> tuple[tuple[str, float], list[str]]:
        found = await self.retrieve(view, text, CANDIDATES)
        coverage = await asyncio.to_thread(found.coverage, LENGTH)
        titles = [best.passage.document.title or best.passage.text[:60] for best in coverage.best_passages]
        return (coverage.level, coverage.score), titles[:SHOWN_TITLES]


@use_case
class MeasureRetrieval:
    retrieve: Retrieve

    async def __call__(self, view: KbView, questions: Sequence[Question], on_progress: OnProgress) -> list[Figure]:
        """nDCG@10 and recall@10 of the documents that the questions were made from. Raises StaleIndex, Unavailable."""
        gains: dict[Asked, list[Outcome]] = {asked: [] for asked in Asked}
        recalls: dict[Asked, list[Outcome]] = {asked: [] for asked in Asked}
        for question in questions:
            ranking = await self._ranking(view, question.text)
            on_progress(1)
            first = ranking[:DEPTH]
            gain = ndcg(first, dict.fromkeys(question.documents, 1), DEPTH)
            recall = len(question.documents.intersection(first)) / len(question.documents)
            place = next((n for n, id in enumerate(ranking, start=1) if id in question.documents), None)
            where = "found nowhere" if place is None else f"its document comes as number {place}"
            failed = "" if place == 1 else f"{question.text} [{question.title}]: {where}"
            gains[question.asked].append(Outcome(question.key, gain, failed))
            recalls[question.asked].append(Outcome(question.key, recall, "" if recall else failed))
        made = [
            figure(f"retrieval.{asked}_{measure}", outcomes[asked])
            for asked in Asked
            for measure, outcomes in (("ndcg", gains), ("recall", recalls))
        ]
        return [each for each in made if each is not None]

    async def _ranking(self, view: KbView, text: str) -> list[DocumentId]:
        found = await self.retrieve.to_show(view, text, CANDIDATES)
        return list(dict.fromkeys(ranked.passage.document.id for ranked in found.ranked))


@use_case
class MeasureGrounding:
    """`entailment`, `meaning`: as articles are checked with."""

    analysis: TextAnalysis
    entailment: EntailmentModel | None
    meaning: Meaning | None

    async def __call__(self, statements: Sequence[Statement], on_progress: OnProgress) -> list[Figure]:
        """Whether true statements are supported by the passages that they cite, and false ones refused. Raises
        NotConfigured."""
        outcomes: dict[Kind, list[Outcome]] = {kind: [] for kind in Kind}
        by_language: dict[Language, list[Statement]] = {}
        for statement in statements:
            by_language.setdefault(statement.passage.document.language, []).append(statement)
        for language, own in by_language.items():
            for start in range(0, len(own), CHECKED_AT_ONCE):
                some = own[start : start + CHECKED_AT_ONCE]
                for statement, receipt in zip(some, await self._check_statements(some, language), strict=True):
                    outcomes[statement.kind].append(_outcome_of(statement, receipt))
                on_progress(len(some))
        every = [outcome for kind in FALSE for outcome in outcomes[kind]]
        made = [
            figure("grounding.supported", outcomes[Kind.TRUE]),
            figure("grounding.refused", every),
            *(figure(f"grounding.refused_{kind}", outcomes[kind]) for kind in FALSE),
        ]
        return [each for each in made if each is not None]

    async def _check_statements(self, statements: Sequence[Statement], language: Language) -> list[SentenceReceipt]:
        """Check each statement by its own passage alone; together, since a model embeds many texts faster at once."""
        passages = {statement.passage.ref: statement.passage for statement in statements}
        drafts = [DraftSentence(statement.text, (statement.passage.ref,)) for statement in statements]
        verifier = Verifier(passages, self.analysis)
        receipts = await check(drafts, verifier, language, self.entailment, meaning=self.meaning)
        return [receipts[draft] for draft in drafts]


def _outcome_of(statement: Statement, receipt: SentenceReceipt) -> Outcome:
    document = statement.passage.document
    supported = receipt.verdict is Verdict.SUPPORTED
    right = supported is (statement.kind is Kind.TRUE)
    missing = f"; not found: {', '.join(receipt.missing_facts)}" if receipt.missing_facts else ""
    told = (
        f"{'accepted' if supported else 'refused'}: {statement.text} [{document.title or document.source_key}]{missing}"
    )
    source = f" The passage says: {statement.of}" if statement.kind is not Kind.OTHER else " It is of another document."
    key = f"{document.source_key} {statement.passage.chunk_index} {statement.text}"
    return Outcome(key, float(right), "" if right else told + source)
