"""Measure whether the coverage score knows what a knowledge base holds. Every figure of a collection is measured with
weights fitted without its family (the other collections of the same passages).
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from benchmarks.quality.baselines import Remembering
from benchmarks.quality.coverage_cases import Case, Left, Shelf, all_cases, shelves
from benchmarks.quality.coverage_notes import all_notes
from benchmarks.quality.coverage_simple import NAMES
from benchmarks.quality.fit_coverage import NOT_FITTED, enough, f1_of, held_out, level, macro_f1, score_of, true_level
from benchmarks.quality.reliability import Bin, bins, calibration_error, diagram
from benchmarks.quality.report import Plot, Table, at_least, at_most
from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.embeddings.semantic.embedder import SemanticEmbedder
from contentgen_adapters.embeddings.semantic.weights import is_installed
from contentgen_core.model.coverage import CoverageLevel
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.coverage.assessment import ENOUGH, Calibrations
from contentgen_core.policies.evaluation.metrics import auroc
from contentgen_core.ports.knowledge_base import Embedder

COVERED: Final = (Left.ALL,)
REMOVED: Final = (Left.NONE,)
FROM_ELSEWHERE: Final = (Left.ELSEWHERE,)
UNCOVERED: Final = REMOVED + FROM_ELSEWHERE
AGAINST: Final = {
    "all not covered": UNCOVERED,
    "the same, documents removed": REMOVED,
    "topics from elsewhere": FROM_ELSEWHERE,
}
HASHED: Final = "hashed"
SEMANTIC: Final = "e5"
"""multilingual-e5-small, where it is installed."""
COSINES: Final = NAMES[:2]
"""The simple systems that e5's cosines make."""
FRENCH_TITLES: Final = {UNCOVERED: 0.95, REMOVED: 0.92, FROM_ELSEWHERE: 0.98}
TITLES: Final = {UNCOVERED: 0.98, REMOVED: 0.96, FROM_ELSEWHERE: 0.995}
FRENCH: Final = {UNCOVERED: 0.93, REMOVED: 0.90, FROM_ELSEWHERE: 0.98}
OTHERS: Final = {UNCOVERED: 0.86, REMOVED: 0.70, FROM_ELSEWHERE: 0.98}
MAX_UNCOVERED_ACCEPTED: Final = 0.05
MIN_COVERED_ACCEPTED: Final = 0.65
MIN_MACRO_F1: Final = 0.55

Scored = list[tuple[Case, float]]
Systems = dict[str, dict[str, Scored]]
"""By embedder, then by collection."""


def run(data: Path) -> list[Table]:
    embedders: dict[str, Embedder] = {HASHED: HashedEmbedder()}
    if is_installed():
        embedders[SEMANTIC] = Remembering(asyncio.run(SemanticEmbedder.open()))
    cases = {name: all_cases(data, embedder) for name, embedder in embedders.items()}
    fitted = held_out(cases[HASHED], cases.get(SEMANTIC, []))
    systems = {name: _scored(found, fitted) for name, found in cases.items()}
    tables = [_telling_apart(systems), _accepting(systems, fitted), _levels(systems, fitted)]
    tables += [_calibration(name, scored) for name, scored in systems.items()]
    notes = {name: asyncio.run(all_notes(shelves(data), embedder)) for name, embedder in embedders.items()}
    return [*tables, _of_notes(notes, fitted)]


def _scored(cases: Sequence[Case], fitted: dict[str, Calibrations]) -> dict[str, Scored]:
    return {
        name: [(case, score_of(case, fitted[case.shelf.family])) for case in cases if case.shelf.name == name]
        for name in dict.fromkeys(case.shelf.name for case in cases)
    }


def target_of(shelf: Shelf, left: tuple[Left, ...]) -> float:
    if shelf.has_articles:
        return (FRENCH_TITLES if shelf.language == Language.FR else TITLES)[left]
    return (FRENCH if shelf.language == Language.FR else OTHERS)[left]


def _simple(scored: Scored, left: Collection[Left], system: str) -> list[float]:
    return [case.simple[system] for case, _ in scored if case.left in left]


def _of(scored: Scored, left: Collection[Left]) -> list[float]:
    return [score for case, score in scored if case.left in left]


def _telling_apart(systems: Systems) -> Table:
    rows = []
    last = systems[list(systems)[-1]]
    for name in last:
        for what, left in AGAINST.items():
            simple = [
                f"{auroc(*(_simple(found[name], side, system) for side in (COVERED, left))):.3f}"
                for embedder, found in systems.items()
                for system in (NAMES if embedder == HASHED else COSINES)
            ]
            measured = [auroc(_of(found[name], COVERED), _of(found[name], left)) for found in systems.values()]
            target = target_of(last[name][0][0].shelf, left)
            before = [f"{figure:.3f}" for figure in measured[:-1]]
            rows.append((name, what, *simple, *before, *at_least(measured[-1], target)))
    columns = (*NAMES, *(f"{name}, {SEMANTIC}" for name in COSINES if SEMANTIC in systems))
    return Table(
        "AUROC: covered topics against others",
        ("Collection", "Covered against", *columns, *(f"Product, {name}" for name in systems), "Target", ""),
        rows,
        "The simple systems see the candidates that the product sees, in the same run, with the hashed vectors unless "
        f"they are named {SEMANTIC} (multilingual-e5-small). The target is for the last product. "
        "Names in `-topics`: titles of articles as topics, every passage of the article relevant; the others: "
        "questions or claims, mostly with one relevant document. Fitted on the other families of collections (piaf, "
        f"xquad, scifact) each time; "
        f"cases of {', '.join(sorted(NOT_FITTED))} with the documents removed are never fitted on, "
        "since thousands of related abstracts go on treating the subject. Topics from elsewhere come half from "
        "collections of the same language where there are such, else from other languages. The first of a "
        "collection's three figures is the mean of the others, weighted by how many topics there are of each: "
        f"at exactly the other two targets it would be {_at_the_other_targets(last)}.",
    )


def _at_the_other_targets(scored: dict[str, Scored]) -> str:
    """Return the AUROC against all uncovered topics if both parts had exactly their target AUROC."""
    given = []
    for name, found in scored.items():
        shelf = found[0][0].shelf
        parts = [(len(_of(found, left)), target_of(shelf, left)) for left in (REMOVED, FROM_ELSEWHERE)]
        given.append(f"{sum(n * target for n, target in parts) / sum(n for n, _ in parts):.3f} ({name})")
    return ", ".join(given)


def _accepting(systems: Systems, fitted: dict[str, Calibrations]) -> Table:
    rows = []
    for name in systems[HASHED]:
        for what, left in (("not covered", UNCOVERED), ("covered", COVERED)):
            shares = [_accepted(found[name], fitted, left) for found in systems.values()]
            last = (
                at_least(shares[-1], MIN_COVERED_ACCEPTED)
                if left == COVERED
                else at_most(shares[-1], MAX_UNCOVERED_ACCEPTED)
            )
            rows.append((name, f"{what}, rated good or better", *(f"{share:.3f}" for share in shares[:-1]), *last))
    return Table(
        "What is accepted for a standard article",
        ("Collection", "What", *(f"Product, {name}" for name in systems), "Target", ""),
        rows,
        "The cut-off is taken from the collections fitted on, a little below the target for those not seen. A question "
        "that one document answers is rarely enough for a standard article, which should rest on three: low shares "
        "of covered questions are meant, those of titles are what counts.",
    )


def _accepted(found: Scored, fitted: dict[str, Calibrations], left: Collection[Left]) -> float:
    given = [level(case, score, fitted[case.shelf.family]) for case, score in found if case.left in left]
    return sum(rated in ENOUGH for rated in given) / len(given)


def _levels(systems: Systems, fitted: dict[str, Calibrations]) -> Table:
    rows = []
    for name in systems[HASHED]:
        if not systems[HASHED][name][0][0].shelf.has_articles:
            continue
        figures = []
        for found in systems.values():
            truth = [true_level(case) for case, _ in found[name]]
            given = [level(case, score, fitted[case.shelf.family]) for case, score in found[name]]
            each = " ".join(f"{one} {f1_of(one, truth, given):.2f}" for one in CoverageLevel)
            figures.append((macro_f1(truth, given), each))
        before = [f"{macro:.3f}" for macro, _ in figures[:-1]]
        rows.append((name, figures[-1][1], *before, *at_least(figures[-1][0], MIN_MACRO_F1)))
    last = list(systems)[-1]
    return Table(
        "The four levels",
        ("Collection", f"F1 of each level, {last}", *(f"Macro-F1, {name}" for name in systems), "Target", ""),
        rows,
        "Truth: the topic's own documents left in the knowledge base; none: insufficient, 1 or 2: low, 3 or 4: good, "
        "more: excellent.",
    )


def _of_notes(notes: dict[str, list[Case]], fitted: dict[str, Calibrations]) -> Table:
    rows = []
    for embedder, cases in notes.items():
        for name in dict.fromkeys(case.shelf.name for case in cases):
            own = fitted[name.split("-")[0]]
            scored = [(case, score_of(case, own, ArticleLength.SHORT)) for case in cases if case.shelf.name == name]
            parts = [[pair for pair in scored if pair[0].left in left] for left in (COVERED, FROM_ELSEWHERE)]
            shares = []
            for part in parts:
                given = [level(case, score, own) for case, score in part]
                at_least_low = sum(rated is not CoverageLevel.INSUFFICIENT for rated in given) / len(given)
                shares += [f"{at_least_low:.3f}", f"{sum(rated in ENOUGH for rated in given) / len(given):.3f}"]
            found, foreign = ([score for _, score in part] for part in parts)
            rows.append((name, embedder, f"{auroc(found, foreign):.3f}", *shares))
    return Table(
        "Knowledge bases of two notes",
        ("Collection", "Product", "AUROC", "Own: low or better", "Good or better", "Foreign: low or better", "Good"),
        rows,
        "Each title's knowledge base is two of its passages; its own title and eight titles of others are put to it, "
        "for a short article.",
    )


def _calibration(embedder: str, scored: dict[str, Scored]) -> Table:
    """Draw the calibration for titles: the score is meant for titles."""
    rows, plots = [], {}
    for name, found in scored.items():
        if not found[0][0].shelf.has_articles:
            continue
        pairs = [(score / 100, enough(case, ArticleLength.STANDARD)) for case, score in found]
        plots[name] = bins(pairs)
        rows.append((name, f"{calibration_error(plots[name]):.3f}", _read(plots[name])))
    svg = diagram(plots)
    return Table(
        f"Calibration, {embedder}",
        ("Collection", "Expected calibration error", "Mean score → share with enough documents"),
        rows,
        "Titles for a standard article; enough: at least three documents of the topic's own are left. Even odds of "
        "covered and not covered are assumed: both sides weigh the same.",
        (Plot(f"coverage-reliability-{embedder}", f"Reliability of the coverage score, {embedder}", svg),),
    )


def _read(found: Sequence[Bin]) -> str:
    return ", ".join(f"{100 * b.score:.0f} → {100 * b.share:.0f} %" for b in found)
