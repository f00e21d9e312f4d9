"""Measure how well the grounding check tells support from contradiction, from silence and from invention, and how well
the built-in writer's own articles pass it.

The claims are SciFact's training claims, checked against whole abstracts of the collection `retrieval/scifact`. Blocks
of twenty claim ids alternate between the half that the weights were fitted on and the half that is reported, so that
claims made from the same finding stay on one side.
"""

from __future__ import annotations

import asyncio
import csv
import json
import random
import re
import time
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from attrs import evolve, frozen

from benchmarks.quality import grounding_across, grounding_entailment, grounding_meaning
from benchmarks.quality import grounding_controls as controls
from benchmarks.quality.grounding_controls import ANALYSIS, Written
from benchmarks.quality.report import Table, at_least, at_most
from benchmarks.quality.simple_verifier import ACCEPTED_FROM, SimpleVerifier
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import SentenceReceipt, Verdict
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.evaluation.metrics import auroc
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.testing.builders import kb_document, passage
from contentgen_core.use_cases.grounding.meaning import Meaning

DESCRIPTION: Final = "the grounding check on SciFact claims and on the built-in writer's articles"

BLOCK: Final = 20
SEED: Final = 20_260_101
KINDS: Final = ("SUPPORT", "CONTRADICT", "no evidence", "nearest other", "random other")
COLUMNS: Final = ("Figure", "Measured", "Target", "")
BESIDE: Final = (*COLUMNS, "Words alone", "Simple verifier")
ACCEPTED_AT_MOST: Final = {"CONTRADICT": 0.27, "no evidence": 0.08}
AUROC_AIMS: Final = {"CONTRADICT": 0.75, "no evidence": 0.92}

Row = tuple[str, ...]


@frozen
class Claim:
    """A claim against one abstract. `kind`: one of KINDS."""

    text: str
    source: Passage
    kind: str
    fitted: bool


def run(data: Path) -> list[Table]:
    """Claims first, then articles. `data` holds the folders `grounding` and `retrieval`."""
    return [
        *claim_tables(data),
        *entailment_tables(data),
        *asyncio.run(across_tables(data)),
        *article_tables(),
    ]


def claims(data: Path) -> list[Claim]:
    """Return every claim with its evidence abstract, or the cited ones without evidence, and with two that it does not
    cite: the one that shares most of its words, and a random one.
    """
    abstracts = _abstracts(data)
    with (data / "grounding" / "scifact-claims.csv").open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    found: dict[tuple[str, str, str], Claim] = {}
    cited: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        cited[row["id"]] |= {*re.findall(r"\d+", row["cited_doc_ids"]), row["evidence_doc_id"]}
    nearest = _Nearest(abstracts)
    chance = random.Random(SEED)
    order = sorted(abstracts)
    for row in rows:
        text, fitted = row["claim"], is_fitted(int(row["id"]))

        def put(kind: str, ids: Sequence[str], row: dict[str, str] = row, text: str = text, fit: bool = fitted) -> None:
            for id in ids:
                found.setdefault((row["id"], id, kind), Claim(text, abstracts[id], kind, fit))

        if row["evidence_label"]:
            put(row["evidence_label"], [row["evidence_doc_id"]])
        else:
            put("no evidence", re.findall(r"\d+", row["cited_doc_ids"]))
        if not any(key[0] == row["id"] and key[2] == "nearest other" for key in found):
            put("nearest other", [nearest.to(text, cited[row["id"]])])
            put("random other", [chance.choice([id for id in order if id not in cited[row["id"]]])])
    return list(found.values())


def is_fitted(claim_id: int) -> bool:
    """Whether the weights may have been fitted on this claim."""
    return (claim_id // BLOCK) % 2 == 0


@cache
def _abstracts(data: Path) -> dict[str, Passage]:
    """The collection's abstracts by their ids."""
    found = {}
    with (data / "retrieval" / "scifact" / "docs.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            found[row["id"]] = passage(kb_document(title=row["title"]), row["text"], terms=())
    return found


class _Nearest:
    """The abstract that shares most of a claim's words, rarer ones counting more."""

    def __init__(self, abstracts: dict[str, Passage]) -> None:
        self._holding: dict[str, set[str]] = defaultdict(set)
        for id, source in abstracts.items():
            for word in _words(f"{source.document.title} {source.text}"):
                self._holding[word].add(id)

    def to(self, text: str, but: set[str]) -> str:
        scores: dict[str, float] = defaultdict(float)
        for word in _words(text):
            for id in self._holding.get(word, ()):
                scores[id] += 1 / len(self._holding[word]) ** 0.5
        return max((id for id in scores if id not in but), key=lambda id: (scores[id], id))


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def claim_tables(data: Path) -> list[Table]:
    found = claims(data)
    checked = [(claim, *_check(claim)) for claim in found]
    each = sum(seconds for _, _, seconds in checked) / len(checked)
    by_words = [_scored(claim, receipt) for claim, receipt, _ in checked]
    by_meaning, note = asyncio.run(_by_meaning(found))
    simple = _simple(found, SimpleVerifier(_abstracts(data).values()))
    tables = []
    for fitted, half in ((False, "held out"), (True, "the half that the weights were fitted on")):
        rows, words, beside = (
            _half([scored for scored in some if scored.claim.fitted is fitted])
            for some in (by_meaning or by_words, by_words, simple)
        )
        shown = [(*row, word[1], other[1]) for row, word, other in zip(rows, words, beside, strict=True)]
        tables.append(Table(f"Claims against abstracts: {half}", BESIDE, shown))
    note = (
        f"By words alone a check takes {1000 * each:.1f} ms of processor time once the abstract has been read. {note}"
    )
    return [evolve(tables[0], note=note), tables[1]]


async def _by_meaning(found: Sequence[Claim]) -> tuple[list[Scored], str]:
    """Judge with nearness, and measure its time; nothing if no model is installed."""
    model = await grounding_meaning.meaning()
    if model is None:
        return [], grounding_meaning.NOT_MEASURED
    checked = await grounding_meaning.checked_each([(claim.text, claim.source) for claim in found], model)
    asked = sum(it.nearness is not None for it in checked)
    each = 1000 * sum(it.seconds for it in checked) / max(1, asked)
    note = f"Nearness takes {each:.0f} ms for each of the {asked} claims that stand nowhere word for word."
    return [_scored(claim, it.receipt) for claim, it in zip(found, checked, strict=True)], note


def entailment_tables(data: Path) -> list[Table]:
    """Measure the same with the entailment model of the settings. We fitted no part of it on these claims."""
    found = claims(data)
    judged = asyncio.run(grounding_entailment.judged([(claim.text, claim.source) for claim in found]))
    if judged is None:
        title = "Claims against abstracts with an entailment model"
        return [Table(title, ["Figure"], [], grounding_entailment.NOT_MEASURED)]
    tables = []
    for fitted, half in ((False, "held out"), (True, "the other half")):
        rows = _half([_scored(c, r) for c, r in zip(found, judged.receipts, strict=True) if c.fitted is fitted])
        tables.append(Table(f"Claims against abstracts with {judged.model}: {half}", COLUMNS, rows))
    each = 1000 * judged.seconds / max(1, judged.asked)
    note = f"The model was asked about {judged.asked} of {len(found)} claims and took {each:.0f} ms for each."
    return [evolve(tables[0], note=note), tables[1]]


async def across_tables(data: Path) -> list[Table]:
    model = await grounding_meaning.meaning()
    if model is None:
        return [Table("Across languages", ["Sentences"], [], grounding_meaning.NOT_MEASURED)]
    by_words = [each[0].accepted for each in (await grounding_across.measured(data, None)).values()]
    return [grounding_across.table(await grounding_across.measured(data, model), _mean(by_words))]


@frozen
class Scored:
    claim: Claim
    score: float
    accepted: bool


def _scored(claim: Claim, receipt: SentenceReceipt) -> Scored:
    return Scored(claim, receipt.support.score if receipt.support else 0.0, receipt.verdict is Verdict.SUPPORTED)


def _simple(found: Sequence[Claim], verifier: SimpleVerifier) -> list[Scored]:
    scores = [verifier.score(claim.text, claim.source) for claim in found]
    return [Scored(claim, score, score >= ACCEPTED_FROM) for claim, score in zip(found, scores, strict=True)]


def _check(claim: Claim) -> tuple[SentenceReceipt, float]:
    """The receipt, and the seconds of processor time it took."""
    ref = claim.source.ref
    verifier = Verifier({ref: claim.source}, ANALYSIS)
    verifier.check(DraftSentence("Nothing of the kind.", (ref,)), Language.EN)  # reads the abstract
    begun = time.process_time()
    return verifier.check(DraftSentence(claim.text, (ref,)), Language.EN), time.process_time() - begun


def _half(checked: Sequence[Scored]) -> list[Row]:
    scores: dict[str, list[float]] = {kind: [] for kind in KINDS}
    accepted: dict[str, list[bool]] = {kind: [] for kind in KINDS}
    for scored in checked:
        scores[scored.claim.kind].append(scored.score)
        accepted[scored.claim.kind].append(scored.accepted)
    rows: list[Row] = []
    for kind in KINDS:
        value, what = _mean(accepted[kind]), f"accepted, {kind} ({len(accepted[kind])})"
        if kind == "SUPPORT":
            rows.append((what, *at_least(value, 0.75)))
        elif kind in ACCEPTED_AT_MOST:
            rows.append((what, *at_most(value, ACCEPTED_AT_MOST[kind])))
        else:
            rows.append((what, f"{value:.3f}", "", ""))
    for kind in KINDS[1:]:
        value, what = auroc(scores["SUPPORT"], scores[kind]), f"AUROC, SUPPORT against {kind}"
        aim = AUROC_AIMS.get(kind)
        rows.append((what, f"{value:.3f}", "", "") if aim is None else (what, *at_least(value, aim)))
    return rows


def _mean(values: Sequence[bool | float]) -> float:
    return sum(values) / len(values) if values else 0.0


def article_tables() -> list[Table]:
    """Measure negative controls and the writer's own articles, in each language of the demonstration."""
    articles = asyncio.run(controls.written())
    meaning = asyncio.run(grounding_meaning.meaning())
    tables = []
    for language in dict.fromkeys(a.language for a in articles):
        own = [a for a in articles if a.language is language]
        words = sum(a.composed.word_count for a in own)
        title = f"Articles of the built-in writer, {language.value}: {len(own)} of {words} words together"
        tables.append(Table(title, COLUMNS, [*_controls(own, meaning), *_writing(own)]))
    return tables


def _controls(articles: Sequence[Written], meaning: Meaning | None) -> list[Row]:
    def supported(sentences: Sequence[DraftSentence]) -> float:
        return controls.share_supported(articles, sentences, meaning)

    clean, shuffled, altered = controls.clean(articles), controls.shuffled(articles), controls.altered(articles)
    invented, negated = controls.invented(articles), controls.negated(articles)
    return [
        (f"clean sentences supported ({len(clean)})", *at_least(supported(clean), 0.97)),
        (f"sources shuffled between articles, recall ({len(shuffled)})", *at_most(supported(shuffled), 0.05)),
        (f"altered numbers flagged ({len(altered)})", *at_least(1 - supported(altered), 0.98)),
        (f"invented sentences flagged ({len(invented)})", *at_least(1 - supported(invented), 1.0)),
        (f"negated sentences flagged ({len(negated)})", f"{1 - supported(negated):.3f}", "", ""),
    ]


def _writing(articles: Sequence[Written]) -> list[Row]:
    totals = [a.composed.grounding.totals for a in articles]
    quoted = _mean([s.quotation for s in controls.clean(articles)])
    return [
        ("citation recall", *at_least(_mean([t.citation_recall for t in totals]), 0.97)),
        ("citation precision", *at_least(_mean([t.citation_precision for t in totals]), 0.97)),
        (
            "longest verbatim run outside quotations, words",
            *at_most(max(t.longest_verbatim_run for t in totals), 24, 0),
        ),
        ("copied 8-grams outside quotations", f"{_mean([t.copied_8grams or 0.0 for t in totals]):.3f}", "", ""),
        ("sentences marked as quotations", f"{quoted:.3f}", "", ""),
    ]
