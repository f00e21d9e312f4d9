"""The grounding check on SummEdits: summaries of a text, most with an edit that makes them wrong, by domain and by kind
of edit, beside ROUGE and what was published of language models. Nothing of the check was fitted on them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean
from typing import Final

import msgspec
from attrs import frozen

from benchmarks.quality.collections import rows
from benchmarks.quality.grounding_controls import ANALYSIS
from benchmarks.quality.grounding_meaning import meaning as meaning_of_product
from benchmarks.quality.report import Table
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import Verdict
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.evaluation.metrics import auroc
from contentgen_core.policies.grounding.verifier import Receipts, Verifier
from contentgen_core.testing.builders import kb_document, passage
from contentgen_core.use_cases.grounding.checking import check
from contentgen_core.use_cases.grounding.meaning import Meaning

DESCRIPTION: Final = "the grounding check on edited summaries, beside ROUGE and published systems"

DOMAINS: Final = ("ectsum", "podcast", "sales_email", "samsum", "scitldr")
EDITS: Final = ("entity_modification", "antonym_swap", "hallucinated_fact_insertion", "negation_insertion_removal")
PUBLISHED: Final = {
    "people": (0.954, 0.908, 0.874, 0.894, 0.893),
    "GPT-4": (0.870, 0.827, 0.795, 0.831, 0.824),
    "ChatGPT": (0.786, 0.684, 0.655, 0.691, 0.756),
    "QAFactEval": (0.726, 0.637, 0.636, 0.662, 0.675),
    "SummaCConv": (0.579, 0.581, 0.590, 0.531, 0.597),
}
"""Balanced accuracy in each of DOMAINS, as the collection's own page has it."""
MEASURES: Final = ("rouge1", "rouge2", "rougeL")
FITTED: Final = "evaluation"
"""The split that thresholds are chosen on; figures are those of the other."""

Cells = tuple[str, ...]


class Claim(msgspec.Struct, frozen=True):
    """A line of the collection. `passages`: the one text that it is a summary of."""

    claim: str
    passages: tuple[str, ...]
    label: str
    source: str
    split: str
    edit_types: tuple[str, ...] = ()

    @property
    def supported(self) -> bool:
        return self.label == "supported"

    @property
    def domain(self) -> str:
        return self.source.rpartition("/")[2]


@frozen
class Judged:
    """The scores of one system. `accepted`: by the system's own verdict, False if it has none."""

    claim: Claim
    accepted: bool
    score: float


@frozen
class System:
    """The judgements of a system on every claim. `judges`: whether it has a verdict of its own."""

    name: str
    found: Sequence[Judged]
    judges: bool


def run(data: Path) -> list[Table]:
    claims = load(data)
    begun = time.process_time()
    by_words = asyncio.run(judged(claims, None))
    words_took = time.process_time() - begun
    systems, took = asyncio.run(_by_meaning(claims))
    systems.append(System("words alone", by_words, judges=True))
    again = took.same and asyncio.run(judged(claims, None)) == by_words
    systems += [System(f"ROUGE-{name[5:].upper()}", found, judges=False) for name, found in _by_rouge(claims).items()]
    nearness = f" and {1000 * took.seconds / len(claims):.0f} ms with nearness" if took.seconds else ""
    note = (
        f"{len(claims)} claims about {len({c.passages for c in claims})} texts. A claim took "
        f"{1000 * words_took / len(claims):.1f} ms of processor time by words alone{nearness}, reading and embedding "
        f"the text included. Judged a second time, {'no' if again else 'some'} verdict or score was different."
    )
    return tables(systems, note)


def tables(systems: Sequence[System], note: str) -> list[Table]:
    """Return tables by domain with `note`, over all domains, and by edit."""
    return [_domain_table(systems, note), _score_table(systems), _edit_table([it for it in systems if it.judges])]


def load(data: Path) -> tuple[Claim, ...]:
    """Raises FileNotFoundError."""
    found: tuple[Claim, ...] = rows(data / "grounding-summedits" / "summedits.jsonl", Claim)
    return found


@frozen
class _Took:
    seconds: float
    same: bool


async def _by_meaning(claims: Sequence[Claim]) -> tuple[list[System], _Took]:
    """Judge as the product with its model of meaning does, a claim as a whole and sentence by sentence; nothing if none
    is installed.
    """
    model = await meaning_of_product()
    if model is None:
        return [], _Took(0.0, same=True)
    begun = time.process_time()
    whole = await judged(claims, model)
    seconds = time.process_time() - begun
    apart = await judged(claims, model, by_sentence=True)
    again = await meaning_of_product()
    same = whole == await judged(claims, again)
    return [
        System("grounding check", whole, judges=True),
        System("the same, sentence by sentence", apart, judges=True),
    ], _Took(seconds, same)


async def judged(claims: Sequence[Claim], meaning: Meaning | None, *, by_sentence: bool = False) -> list[Judged]:
    """Judge the claims. `meaning`: None judges by words alone; `by_sentence`: a claim gets the score of its weakest
    sentence.
    """
    of_text: dict[str, list[int]] = {}
    for place, claim in enumerate(claims):
        of_text.setdefault(claim.passages[0], []).append(place)
    found: dict[int, Judged] = {}
    for text, places in of_text.items():
        source = passage(kb_document(title=""), text, terms=())
        parts = {
            place: [DraftSentence(part, (source.ref,)) for part in _parts(claims[place].claim, by_sentence)]
            for place in places
        }
        sentences = [sentence for each in parts.values() for sentence in each]
        receipts = await check(sentences, Verifier({source.ref: source}, ANALYSIS), Language.EN, meaning=meaning)
        found |= {place: _judged(claims[place], each, receipts) for place, each in parts.items()}
    return [found[place] for place in range(len(claims))]


def _parts(claim: str, by_sentence: bool) -> list[str]:
    return [span.of(claim) for span in ANALYSIS.sentences(claim, Language.EN)] if by_sentence else [claim]


def _judged(claim: Claim, sentences: Sequence[DraftSentence], receipts: Receipts) -> Judged:
    each = [receipts[sentence] for sentence in sentences]
    accepted = all(it.verdict is Verdict.SUPPORTED for it in each)
    return Judged(claim, accepted, min(it.support.score if it.support else 0.0 for it in each))


def _by_rouge(claims: Sequence[Claim]) -> dict[str, list[Judged]]:
    """Judge by the share of a claim's words, pairs of words, or words in order that the text has; nothing if
    rouge-score is not installed.
    """
    if find_spec("rouge_score") is None:
        return {}
    from rouge_score import rouge_scorer  # type: ignore[import-not-found,unused-ignore]

    scorer = rouge_scorer.RougeScorer(list(MEASURES), use_stemmer=True)
    scores = [scorer.score(claim.passages[0], claim.claim) for claim in claims]
    return {
        measure: [Judged(c, False, found[measure].precision) for c, found in zip(claims, scores, strict=True)]
        for measure in MEASURES
    }


def threshold(found: Sequence[Judged]) -> float:
    """The score from which on accepting gives the best balanced accuracy; the lowest of several."""
    scores = sorted({it.score for it in found})
    return max(scores, key=lambda cut: (balanced_accuracy(found, lambda it: it.score >= cut), -cut))


def balanced_accuracy(found: Sequence[Judged], accepts: Callable[[Judged], bool]) -> float:
    """The mean of the shares of supported claims accepted and of others refused."""
    kept, passed = _shares(found, accepts)
    return (kept + 1 - passed) / 2


def _shares(found: Sequence[Judged], accepts: Callable[[Judged], bool]) -> tuple[float, float]:
    """Return the share accepted of the supported claims, and of the others."""
    right, wrong = ([it for it in found if it.claim.supported is supported] for supported in (True, False))
    return fmean(map(accepts, right)), fmean(map(accepts, wrong))


def _split(found: Sequence[Judged], fitted: bool) -> list[Judged]:
    return [it for it in found if (it.claim.split == FITTED) is fitted]


def _by_threshold(system: System) -> Callable[[Judged], bool]:
    cut = threshold(_split(system.found, fitted=True))
    return lambda it: it.score >= cut


def _rules(system: System) -> dict[str, Callable[[Judged], bool]]:
    """The ways to accept that a system has, by what they are called."""
    own: dict[str, Callable[[Judged], bool]] = {"its own verdict": lambda it: it.accepted} if system.judges else {}
    return own | {"threshold": _by_threshold(system)}


def _domain_table(systems: Sequence[System], note: str) -> Table:
    shown: list[Cells] = []
    for system in systems:
        tested = _split(system.found, fitted=False)
        for rule, accepts in _rules(system).items():
            each = [balanced_accuracy([it for it in tested if it.claim.domain == d], accepts) for d in DOMAINS]
            shown.append(_domain_row(system.name, rule, each))
    shown += [_domain_row(name, "published", each) for name, each in PUBLISHED.items()]
    columns = ("System", "accepts by", *DOMAINS, "mean")
    return Table("Edited summaries: balanced accuracy", columns, shown, note)


def _domain_row(name: str, rule: str, each: Sequence[float]) -> Cells:
    return (name, rule, *(f"{value:.3f}" for value in each), f"{fmean(each):.3f}")


def _score_table(systems: Sequence[System]) -> Table:
    shown: list[Cells] = []
    for system in systems:
        tested = _split(system.found, fitted=False)
        right, wrong = ([it.score for it in tested if it.claim.supported is yes] for yes in (True, False))
        for rule, accepts in _rules(system).items():
            kept, passed = _shares(tested, accepts)
            whole = balanced_accuracy(tested, accepts)
            shown.append(
                (system.name, rule, f"{kept:.3f}", f"{passed:.3f}", f"{whole:.3f}", f"{auroc(right, wrong):.3f}")
            )
    tested = _split(systems[0].found, fitted=False)
    true, false = (sum(it.claim.supported is supported for it in tested) for supported in (True, False))
    columns = ("System", "accepts by", f"supported ({true})", f"unsupported ({false})", "balanced accuracy", "AUROC")
    others = len(systems[0].found) - len(tested)
    note = f"Shares accepted, over all domains. Thresholds were chosen on the other {others} claims."
    return Table("Edited summaries: what is accepted", columns, shown, note)


def _edit_table(systems: Sequence[System]) -> Table:
    shown: list[Cells] = []
    for name, belongs in _kinds().items():
        of = {
            system.name: [it for it in system.found if not it.claim.supported and belongs(it.claim)]
            for system in systems
        }
        many = max(map(len, of.values()), default=0)
        if many:
            shares = (f"{fmean(it.accepted for it in found):.3f}" for found in of.values())
            shown.append((f"{name} ({many})", *shares))
    note = "Share accepted of the unsupported claims of both splits, by the system's own verdict: less is better."
    return Table("Edited summaries: what passes, by edit", ("Edit", *(it.name for it in systems)), shown, note)


def _kinds() -> Mapping[str, Callable[[Claim], bool]]:
    alone = {f"{kind} alone": lambda claim, kind=kind: claim.edit_types == (kind,) for kind in EDITS}
    mixed = {f"{kind}, with others": lambda c, k=kind: k in c.edit_types and len(c.edit_types) > 1 for kind in EDITS}
    return alone | mixed | {"not annotated": lambda claim: not claim.edit_types}
