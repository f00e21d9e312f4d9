"""The grounding check on SummEdits: summaries of a text, most with one edit that makes them wrong. Nothing of the check
was fitted on them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from benchmarks.quality.grounding_controls import ANALYSIS
from benchmarks.quality.metrics import auroc
from benchmarks.quality.report import Table
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import Verdict
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.testing.builders import kb_document, passage
from contentgen_core.use_cases.grounding.checking import check
from contentgen_core.use_cases.grounding.meaning import Meaning


@frozen
class Judged:
    supported: bool
    accepted: bool
    score: float


async def judged(data: Path, meaning: Meaning | None) -> list[Judged]:
    """`meaning`: None judges by words alone."""
    claims: dict[str, list[tuple[str, bool]]] = {}
    with (data / "grounding-summedits" / "summedits.jsonl").open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            claims.setdefault(row["passages"][0], []).append((row["claim"], row["label"] == "supported"))
    found = []
    for text, of_text in claims.items():
        source = passage(kb_document(title=""), text, terms=())
        sentences = [DraftSentence(claim, (source.ref,)) for claim, _ in of_text]
        receipts = await check(sentences, Verifier({source.ref: source}, ANALYSIS), Language.EN, meaning=meaning)
        for sentence, (_, supported) in zip(sentences, of_text, strict=True):
            it = receipts[sentence]
            score = it.support.score if it.support else 0.0
            found.append(Judged(supported, it.verdict is Verdict.SUPPORTED, score))
    return found


def table(by_meaning: Sequence[Judged], by_words: Sequence[Judged]) -> Table:
    beside = [_figures(found) for found in (by_meaning, by_words)]
    rows = [(name, *(f"{figures[name]:.3f}" for figures in beside)) for name in beside[0]]
    note = (
        "Published balanced accuracy on these five domains: GPT-4 .80 to .87, SummaCConv .53 to .60, people .87 to .95."
    )
    return Table("SummEdits: nothing fitted", ("Figure", "Measured", "Words alone"), rows, note)


def _figures(found: Sequence[Judged]) -> dict[str, float]:
    right, wrong = ([it for it in found if it.supported is supported] for supported in (True, False))
    kept, passed = (sum(it.accepted for it in some) / len(some) for some in (right, wrong))
    return {
        f"accepted, supported ({len(right)})": kept,
        f"accepted, unsupported ({len(wrong)})": passed,
        "balanced accuracy": (kept + 1 - passed) / 2,
        "AUROC": auroc([it.score for it in right], [it.score for it in wrong]),
    }
