"""Plain inventions about subjects that the sources know, in six languages, beside true sentences in other words.

The notes and sentences are in known_subject_notes/LANGUAGE.toml. The rules were chosen on the first two subjects of
each language; the other three are reported apart."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from benchmarks.quality.grounding_controls import ANALYSIS
from benchmarks.quality.grounding_meaning import NOT_MEASURED
from benchmarks.quality.grounding_meaning import meaning as meaning_of_product
from benchmarks.quality.report import Table, at_least, at_most
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import Verdict
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.testing.builders import kb_document, passage
from contentgen_core.use_cases.grounding.checking import check
from contentgen_core.use_cases.grounding.meaning import Meaning

DESCRIPTION: Final = "the grounding check on inventions about known subjects, beside true sentences in other words"

FOLDER: Final = Path(__file__).parent / "known_subject_notes"
LANGUAGES: Final = (Language.EN, Language.FR, Language.DE, Language.ES, Language.IT, Language.NL)
FALSE: Final = {
    "invented": "said of the subject, in a sentence of its own",
    "planted": "in the place of a word of a sentence of the source",
}
"""Sentences that say something new of a known subject."""
TURNED: Final = "turned"
"""Sentences that say something else mostly in words of the source."""
TRUE: Final = {
    "shortened": "a part of a sentence of the source",
    "inflected": "in other forms and another order",
    "reworded": "in other words",
}
FITTED_SUBJECTS: Final = 2

Cells = tuple[str, ...]


@frozen
class Case:
    """A sentence to check. `kind`: one of FALSE, TURNED or TRUE."""

    language: Language
    kind: str
    text: str
    source: Passage
    fitted: bool


@frozen
class Judged:
    case: Case
    supported: bool


def cases() -> list[Case]:
    return [case for language in LANGUAGES for case in _cases(language)]


def _cases(language: Language) -> Iterator[Case]:
    read = tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8"))
    for place, subject in enumerate(read["subjects"]):
        title = _capital(subject["name"])
        note = passage(kb_document(title=title, language=language), " ".join(subject["note"].split()), terms=())
        invented = [predicate.format(**_forms(subject)) for predicate in read["invented"]]
        for kind in (*FALSE, TURNED, *TRUE):
            for text in invented if kind == "invented" else subject[kind]:
                yield Case(language, kind, text, note, place < FITTED_SUBJECTS)


def _forms(subject: dict[str, Any]) -> dict[str, str]:
    """Return the words for the gaps of a predicate: the subject, and the endings of its gender."""
    feminine, name = subject.get("feminine", False), subject["name"]
    return {
        "Subject": _capital(name),
        "subject": name,
        "Dative": subject.get("dative", name),
        "e": "e" if feminine else "",
        "o": "a" if feminine else "o",
        "i": "e" if feminine else "i",
    }


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


async def judged(each: Sequence[Case], meaning: Meaning | None) -> list[Judged]:
    return [Judged(case, await _is_supported(case, meaning)) for case in each]


async def _is_supported(case: Case, meaning: Meaning | None) -> bool:
    draft = DraftSentence(case.text, (case.source.ref,))
    verifier = Verifier({case.source.ref: case.source}, ANALYSIS)
    return (await check([draft], verifier, case.language, meaning=meaning))[draft].verdict is Verdict.SUPPORTED


def run(data: Path) -> list[Table]:
    """Needs no collections."""
    return asyncio.run(_run())


async def _run() -> list[Table]:
    each, meaning = cases(), await meaning_of_product()
    tables = [_by_kind("words alone", await judged(each, None))]
    if meaning is None:
        return [*tables, Table("Known subjects, with multilingual-e5-small", ["Sentences"], [], NOT_MEASURED)]
    found = await judged(each, meaning)
    return [_by_kind("multilingual-e5-small", found), *tables, _by_language(found)]


def _by_kind(by: str, found: Sequence[Judged]) -> Table:
    rows: list[Cells] = []
    for kinds, told in ((FALSE, "false"), ({TURNED: "of words of the source, mostly"}, "false"), (TRUE, "true")):
        for kind, how in kinds.items():
            own = [it for it in found if it.case.kind == kind]
            held = [it for it in own if not it.case.fitted]
            target = ("", "")
            if kind in FALSE:
                target = at_most(_share(held), 0.1)[1:]
            elif kind == "shortened":
                target = at_least(_share(held), 0.98)[1:]
            fitted = [it for it in own if it.case.fitted]
            rows.append((f"{told}: {how}", _cell(fitted), _cell(held), *target))
    columns = ("Sentences supported", "Fitted on", "Held out", "Target", "")
    return Table(f"Known subjects, by {by}", columns, rows, "Shares supported, of so many sentences.")


def _by_language(found: Sequence[Judged]) -> Table:
    kinds = (*FALSE, TURNED, *TRUE)
    rows = []
    for language in LANGUAGES:
        own = [it for it in found if it.case.language is language]
        rows.append((language.value, *(_cell([it for it in own if it.case.kind == kind]) for kind in kinds)))
    return Table("Known subjects, by language, with multilingual-e5-small", ("language", *kinds), rows)


def _cell(found: Sequence[Judged]) -> str:
    return f"{_share(found):.3f} ({len(found)})"


def _share(found: Sequence[Judged]) -> float:
    return sum(it.supported for it in found) / len(found)
