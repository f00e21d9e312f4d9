"""Measure the grounding check on claims written by people: made to be hard (Fool Me Twice), and in Wikipedia (WiCE).

No part of the check was fitted on them. The claims of Fool Me Twice are checked against their evidence, those of WiCE
against the first 8,000 characters of the page that they cite.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
from attrs import frozen

from benchmarks.quality.collections import rows
from benchmarks.quality.grounding_controls import ANALYSIS
from benchmarks.quality.grounding_meaning import meaning as meaning_of_product
from benchmarks.quality.report import Table
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import Verdict
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.testing.builders import kb_document, passage
from contentgen_core.use_cases.grounding.checking import check
from contentgen_core.use_cases.grounding.meaning import Meaning

DESCRIPTION: Final = "the grounding check on claims that people wrote, true and false"

FOLDER: Final = "grounding-claims"
MOST_CHARACTERS: Final = 8_000


class _Claim(msgspec.Struct, frozen=True):
    claim: str
    evidence: tuple[str, ...]
    label: str
    page: str = ""


@frozen
class Case:
    collection: str
    label: str
    text: str
    source: Passage


def cases(data: Path) -> list[Case]:
    """Raises FileNotFoundError where the collections are not there."""
    return [
        Case(name, claim.label, claim.claim, _source(claim))
        for name, file in (("Fool Me Twice", "fm2-dev.jsonl"), ("WiCE", "wice-dev.jsonl"))
        for claim in rows(data / FOLDER / file, _Claim)
    ]


def _source(claim: _Claim) -> Passage:
    return passage(kb_document(title=claim.page), " ".join(claim.evidence)[:MOST_CHARACTERS], terms=())


def run(data: Path) -> list[Table]:
    return asyncio.run(_run(data))


async def _run(data: Path) -> list[Table]:
    each, meaning = cases(data), await meaning_of_product()
    by_words = await supported(each, None)
    by_meaning = None if meaning is None else await supported(each, meaning)
    shown = []
    for collection, label in dict.fromkeys((case.collection, case.label) for case in each):
        places = [n for n, case in enumerate(each) if (case.collection, case.label) == (collection, label)]
        cells = [
            "" if found is None else f"{sum(found[n] for n in places) / len(places):.3f}"
            for found in (by_meaning, by_words)
        ]
        shown.append((collection, f"{label.replace('_', ' ')} ({len(places)})", *cells))
    columns = ("Collection", "Claims", "Accepted", "Words alone")
    return [Table("Claims that people wrote", columns, shown)]


async def supported(each: Sequence[Case], meaning: Meaning | None) -> list[bool]:
    return [await _is_supported(case, meaning) for case in each]


async def _is_supported(case: Case, meaning: Meaning | None) -> bool:
    draft = DraftSentence(case.text, (case.source.ref,))
    verifier = Verifier({case.source.ref: case.source}, ANALYSIS)
    return (await check([draft], verifier, Language.EN, meaning=meaning))[draft].verdict is Verdict.SUPPORTED
