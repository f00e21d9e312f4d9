"""Leaflets of one office for many subjects, which differ in a name and in values. Two leaflets on different subjects do
not conflict, two on the same subject do.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Final

from attrs import frozen

from benchmarks.quality.report import Table, at_least, at_most
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.conflicts.finding import Finder
from contentgen_core.policies.conflicts.statements import Wordings
from contentgen_core.policies.text.facts import fold_name
from contentgen_core.testing.builders import kb_document, passage

LEAFLETS: Final = Path(__file__).with_name("leaflets.toml")
FITTED, HELD_OUT = "fitting", "held-out"
SEED: Final = 20_261_128
PLACES: Final = ("text", "title", "heading", "file")
"""Where the name of the subject stands, and nowhere else."""
ANALYSIS: Final = IcuTextAnalysis()
OF_A_LEAFLET: Final = 2
"""Pairs of each leaflet for each place."""


@frozen
class Leaflet:
    language: Language
    kind: str
    title: str
    named: str
    plain: str
    rest: Sequence[str]


@frozen
class LeafletPair:
    """Two passages of two documents. `place`: where the subject is named; `conflict`: whether it is the same one."""

    language: Language
    kind: str
    place: str
    conflict: bool
    one: Passage
    other: Passage


def leaflet_pairs(half: str) -> list[LeafletPair]:
    """Return as many pairs on two subjects as on one, in all places and kinds and in five languages."""
    table = tomllib.loads(LEAFLETS.read_text(encoding="utf-8"))
    leaflets = [
        Leaflet(Language(it["language"]), it["kind"], it["title"], it["named"], it["plain"], it["rest"])
        for it in table["leaflet"]
        if it["half"] == half
    ]
    random = Random(f"{SEED} {half}")
    return [pair for leaflet in leaflets for pair in _pairs(leaflet, table["names"][half][leaflet.kind], random)]


def _pairs(leaflet: Leaflet, names: Sequence[str], random: Random) -> Iterator[LeafletPair]:
    for place in PLACES:
        for one, other in random.sample(list(combinations(names, 2)), OF_A_LEAFLET):
            ours, theirs = _values(random)
            yield _pair(leaflet, place, (one, other), (ours, theirs))
            # The same subject, spelled otherwise, with one other value.
            yield _pair(leaflet, place, (one, _spelled(one, random)), (ours, {**ours, "a": theirs["a"]}), conflict=True)


def _values(random: Random) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the values of two leaflets, all of them different."""
    steps = random.sample(range(1, 40), 6)
    one, other = ({"a": str(7 + 3 * a), "b": str(11 + 5 * b), "y": str(1950 + y)} for a, b, y in (steps[:3], steps[3:]))
    return one, other


def _spelled(name: str, random: Random) -> str:
    """The name as another office writes it."""
    plain = " ".join(fold_name(part).capitalize() for part in name.split(" "))
    return random.choice((name, name.upper(), plain, name.replace(" ", "-")))


def _pair(
    leaflet: Leaflet,
    place: str,
    names: tuple[str, str],
    values: tuple[Mapping[str, str], Mapping[str, str]],
    *,
    conflict: bool = False,
) -> LeafletPair:
    one, other = (
        _passage(leaflet, place, name, told, f"{key}.example.org")
        for key, name, told in zip(("one", "other"), names, values, strict=True)
    )
    return LeafletPair(leaflet.language, leaflet.kind, place, conflict, one, other)


def _passage(leaflet: Leaflet, place: str, name: str, values: Mapping[str, str], site: str) -> Passage:
    first = (leaflet.named if place == "text" else leaflet.plain).format(name=name)
    text = " ".join((first, *(sentence.format(**values) for sentence in leaflet.rest)))
    file = f"{leaflet.title} {name}" if place == "file" else leaflet.title
    address = f"https://{site}/{'-'.join(fold_name(file).split())}.pdf"
    title = f"{leaflet.title} {name}" if place == "title" else leaflet.title
    document = kb_document(id=DocumentId(site), title=title, language=leaflet.language, source_key=address, url=address)
    return passage(
        document, text, terms=ANALYSIS.terms(text, leaflet.language), heading=name if place == "heading" else ""
    )


def found_in(pairs: Sequence[LeafletPair]) -> list[bool]:
    """Return for each pair whether a conflict is found in it."""
    finder = Finder(ANALYSIS, Wordings(ANALYSIS))
    return [bool(finder.compare(pair.one, [pair.other]).conflicts) for pair in pairs]


def run(data: Path) -> list[Table]:
    """Run the benchmark. `data` is not read: the leaflets come with the benchmark."""
    return [
        Table(
            "Leaflets of one office for many subjects",
            ("leaflets", "figure", "measured", "target", ""),
            [row for half in (FITTED, HELD_OUT) for row in _figures(half)],
            "Two passages each, in five languages. The subject, a town, a product, a branch, a person or an edition, "
            "is named in the first sentence, in the title, in the heading, or in the name of the file, and nowhere "
            "else. Of those on one subject some spell it otherwise in the second leaflet. What is held out was "
            "written before the rules, and looked at once.",
        )
    ]


def _figures(half: str) -> Iterator[Sequence[str]]:
    pairs = leaflet_pairs(half)
    found = found_in(pairs)
    of_two = [it for pair, it in zip(pairs, found, strict=True) if not pair.conflict]
    of_one = [it for pair, it in zip(pairs, found, strict=True) if pair.conflict]
    yield half, f"of two subjects: false conflicts, of {len(of_two)}", *at_most(sum(of_two) / len(of_two), 0.01)
    yield half, f"of one subject: found, of {len(of_one)}", *at_least(sum(of_one) / len(of_one), 0.9)
