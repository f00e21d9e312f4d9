"""Measure whether the check can tell a question that passages answer from one that they do not. NoMIRACL (Thakur et al.
2024): questions in nine languages with ten retrieved passages each, judged by people, and the answers of language
models to the same questions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

import msgspec
from attrs import frozen

from benchmarks.quality.baselines import Remembering
from benchmarks.quality.collections import rows
from benchmarks.quality.coverage import HASHED, SEMANTIC
from benchmarks.quality.coverage_cases import NICHE, composed, evidence_of, imported
from benchmarks.quality.curve import Curve, curves
from benchmarks.quality.report import VERDICTS, Plot, Table, at_least
from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.embeddings.semantic.embedder import SemanticEmbedder
from contentgen_adapters.embeddings.semantic.weights import is_installed
from contentgen_core.model.coverage import CoverageEvidence
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbView
from contentgen_core.model.vocabulary import LENGTHS, ArticleLength, Language
from contentgen_core.policies.coverage.assessment import PRODUCT
from contentgen_core.policies.evaluation.metrics import auroc
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.knowledge_base import Embedder
from contentgen_core.use_cases.knowledge.retrieve import Retrieve

FOLDER: Final = "coverage-nomiracl"
LANGUAGES: Final = ("en", "es", "ru", "zh", "ja", "ar", "ko", "id", "hi")
TARGET: Final = 0.78
MODELS: Final = {"gpt-3.5-turbo-azure": "GPT-3.5", "gpt-4-azure": "GPT-4"}
ERRORS: Final = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
TEN: Final = "ten passages"
ALL: Final = "folder"
LENGTH: Final = ArticleLength.SHORT


class _Question(msgspec.Struct, frozen=True):
    text: str
    answerable: bool
    docids: tuple[str, ...]


class _Document(msgspec.Struct, frozen=True):
    id: str
    title: str
    text: str


class _Rates(msgspec.Struct, frozen=True):
    hallucination_rate: float
    error_rate: float


class _Baselines(msgspec.Struct, frozen=True):
    these_queries: dict[str, _Rates]


@frozen
class Judged:
    """One system's scores of the questions of a language, higher for questions that it takes to be answered."""

    answerable: Sequence[float]
    unanswerable: Sequence[float]

    @property
    def auroc(self) -> float:
        return auroc(self.answerable, self.unanswerable)

    def hallucination_at(self, error: float) -> float:
        """The share of unanswerable questions that are accepted at the strictest cut-off that refuses no more than this
        share of the answerable ones."""
        cut = sorted(self.answerable)[int(error * len(self.answerable) + 1e-9)]
        return fmean(score >= cut for score in self.unanswerable)


Systems = dict[str, dict[str, Judged]]
"""By system, then by language."""


def run(data: Path) -> list[Table]:
    folder = data / FOLDER
    published = msgspec.json.decode((folder / "baselines.json").read_bytes(), type=dict[str, _Baselines])
    embedders: dict[str, Embedder] = {HASHED: HashedEmbedder()}
    if is_installed():
        embedders[SEMANTIC] = Remembering(asyncio.run(SemanticEmbedder.open()))
    systems: Systems = {}
    for name, embedder in embedders.items():
        for language in LANGUAGES:
            for system, judged in asyncio.run(_judged(folder / language, name, embedder)).items():
                systems.setdefault(system, {})[language] = judged
    rates = {language: published[language].these_queries for language in LANGUAGES}
    last = systems[_product(list(embedders)[-1], TEN)]
    return [_telling_apart(systems), _against_models(last, rates), _curves(last, rates)]


def _product(embedder: str, passages: str) -> str:
    return f"Product, {embedder}, {passages}"


async def _judged(folder: Path, name: str, embedder: Embedder) -> dict[str, Judged]:
    """Return the scores of the systems that use this embedder."""
    questions = rows(folder / "queries.jsonl", _Question)
    sources = [
        SourceText(d.id, d.title, d.text, language=Language(folder.name))
        for d in rows(folder / "docs.jsonl", _Document)
    ]
    found: dict[str, list[float]] = {}
    async with composed(embedder) as services:
        ids = await imported(services, NICHE, sources)
        for question in questions:
            scores = await _scores(services.writing.check_coverage.retrieve, question, ids, name)
            for system, score in scores.items():
                found.setdefault(system, []).append(score)
    return {
        system: Judged(
            [score for score, question in zip(scores, questions, strict=True) if question.answerable],
            [score for score, question in zip(scores, questions, strict=True) if not question.answerable],
        )
        for system, scores in found.items()
    }


async def _scores(
    retrieve: Retrieve, question: _Question, ids: Mapping[str, DocumentId], name: str
) -> dict[str, float]:
    """The log-odds that the passages are on the topic, before the editor's rule on how many an article needs."""
    ten = frozenset(ids[id] for id in question.docids if id in ids)
    limit = LENGTHS[LENGTH].passages
    near = await retrieve(KbView(NICHE, document_ids=ten), question.text, limit)
    scores = {
        _product(name, TEN): _log_odds(evidence_of(near)),
        _product(name, ALL): _log_odds(evidence_of(await retrieve(KbView(NICHE), question.text, limit))),
    }
    if name != SEMANTIC:
        return scores
    cosines = sorted((c.hit.cosine for c in near.candidates if c.hit.cosine is not None), reverse=True)
    return {"best cosine, e5": cosines[0], "mean of 3 cosines, e5": fmean(cosines[:3]), **scores}


def _log_odds(evidence: CoverageEvidence) -> float:
    return PRODUCT.logit(evidence)


def _telling_apart(systems: Systems) -> Table:
    names = list(systems)
    lines = []
    for language in LANGUAGES:
        figures = [systems[name][language].auroc for name in names]
        lines.append((language, *(f"{figure:.3f}" for figure in figures), *at_least(figures[-2], TARGET)[1:]))
    means = [fmean(judged.auroc for judged in systems[name].values()) for name in names]
    lines.append(("mean", *(f"{mean:.3f}" for mean in means), "", ""))
    return Table(
        "AUROC: answerable questions against unanswerable ones",
        ("Language", *names, "Target", ""),
        lines,
        "90 questions of each kind in a language. Over its ten passages a question is unanswerable because people said "
        "so, and the product is held to the target there; over the whole folder a passage of another question may by "
        "chance answer it. Nothing was fitted on these questions. The product's figure is its log-odds before the "
        "editor's rule on how many sources an article needs.",
    )


def _against_models(judged: Mapping[str, Judged], rates: Mapping[str, Mapping[str, _Rates]]) -> Table:
    lines = []
    for language in LANGUAGES:
        cells = []
        for model in MODELS:
            of_model = rates[language][model]
            own = judged[language].hallucination_at(of_model.error_rate)
            cells += [
                f"{of_model.error_rate:.2f}",
                f"{of_model.hallucination_rate:.2f}",
                f"{own:.2f}",
                VERDICTS[own < of_model.hallucination_rate],
            ]
        lines.append((language, *cells))
    heads = [head for name in MODELS.values() for head in (f"{name}: error", "Hallucination", "Product's", "")]
    return Table(
        "Accepted without an answer, at the error of language models",
        ("Language", *heads),
        lines,
        "Error: the share of answerable questions that were refused; hallucination: of unanswerable ones accepted, "
        "from the same ten passages. The product's cut-off is set in each language to the model's error, which a model "
        "cannot do; the models' rates are those published with NoMIRACL for these questions.",
    )


def _curves(judged: Mapping[str, Judged], rates: Mapping[str, Mapping[str, _Rates]]) -> Table:
    lines = [
        (language, *(f"{judged[language].hallucination_at(error):.2f}" for error in ERRORS)) for language in LANGUAGES
    ]
    means = [fmean(judged[language].hallucination_at(error) for language in LANGUAGES) for error in ERRORS]
    lines.append(("mean", *(f"{mean:.2f}" for mean in means)))
    points = {
        model: (
            fmean(rates[language][model].error_rate for language in LANGUAGES),
            fmean(rates[language][model].hallucination_rate for language in LANGUAGES),
        )
        for model in rates[LANGUAGES[0]]
    }
    svg = curves(Curve("product", list(zip(ERRORS, means, strict=True))), points, ("error", "hallucination"))
    return Table(
        "The product's hallucination by its error",
        ("Language", *(f"{error:.2f}" for error in ERRORS)),
        lines,
        "From the ten passages, with a cut-off for each language. The picture has the mean over the languages and, as "
        "points, eleven language models.",
        (Plot("answerability", "Hallucination by error, mean of nine languages", svg),),
    )
