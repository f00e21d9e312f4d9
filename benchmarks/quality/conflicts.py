"""Measure whether sentences that contradict each other are told apart from those that do not: planted conflicts and
near misses, and the nearest neighbours that a collection really has.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import aclosing
from heapq import nlargest
from pathlib import Path
from random import Random
from typing import Final

from attrs import frozen

from benchmarks.quality.conflict_cases import LONGEST, SHORTEST, Case, Maker, names_in
from benchmarks.quality.report import Table, at_least
from contentgen_adapters.embeddings.semantic.process import SemanticProcess
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.conflicts.comparing import Difference, compare
from contentgen_core.policies.conflicts.statements import Sentences, Statement, Wordings, read_statements
from contentgen_core.policies.text.nearness import cosine
from contentgen_core.testing.builders import kb_document, passage

SEED: Final = 20_261_125
CONFLICTS: Final = 300
NEAR_MISSES: Final = 3_000
NEIGHBOURS: Final = 1_500
"""Of the near misses: pairs that the collections really have."""
EMBEDDED: Final = 700
"""Sentences of a collection whose neighbours are sought."""
NEAREST: Final = 3
ANALYSIS: Final = IcuTextAnalysis()
WORDINGS: Final = Wordings(ANALYSIS)
FITTED: Final = {
    "articles/freshwiki-en": Language.EN,
    "retrieval/scifact": Language.EN,
    "articles/xquad-de": Language.DE,
}
HELD_OUT: Final = {
    "coverage-nomiracl/en": Language.EN,
    "coverage-nomiracl/es": Language.ES,
    "articles/piaf-fr": Language.FR,
}


@frozen
class Sentence:
    """A sentence of a collection with the title of its document."""

    text: str
    title: str
    document: str


@frozen
class Judged:
    """A case, and what was found of it."""

    case: Case
    language: Language
    found: Difference | None


def sentences(data: Path, name: str, language: Language) -> list[Sentence]:
    """Return the sentences of a collection that pairs are made of. A paragraph without a title gets its subject's."""
    folder = data / name
    subjects: dict[str, str] = {}
    if (folder / "topics.jsonl").is_file():
        subjects = {row["id"]: row.get("text_local") or row["text"] for row in _rows(folder / "topics.jsonl")}
    found = []
    for row in _rows(folder / "docs.jsonl"):
        group = row.get("group", "")
        title = subjects.get(group) or row["title"]
        text = row["text"].strip("\ufeff")
        spans = ANALYSIS.sentences(text, language)
        found += [Sentence(span.of(text), title, group or row["id"].partition("#")[0]) for span in spans]
    return [s for s in found if SHORTEST <= len(s.text) <= LONGEST and s.text[:1].isupper() and s.text[-1] in ".!"]


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def planted(name: str, language: Language, texts: Sequence[Sentence], *, conflict: bool, count: int) -> list[Case]:
    """Plant so many cases in a collection, equally many of each kind as far as there are sentences for it."""
    random = Random(f"{SEED} {name} {conflict}")
    maker = Maker(language, names_in([s.text for s in texts]))
    kinds = list(maker.conflicts if conflict else maker.near_misses)
    shuffled = random.sample(texts, len(texts))
    made: dict[str, list[Case]] = {kind: [] for kind in kinds}
    for sentence in shuffled:
        for kind in sorted(kinds, key=lambda kind: len(made[kind])):
            case = maker.case(kind, sentence.title, sentence.text, random, conflict=conflict)
            if case is not None:
                made[kind].append(case)
                break
    rounds = max(map(len, made.values()))
    return [made[kind][i] for i in range(rounds) for kind in kinds if i < len(made[kind])][:count]


async def neighbours(language: Language, texts: Sequence[Sentence], count: int) -> list[Case]:
    """The nearest sentences of other documents in meaning, which a collection is taken to agree on."""
    random = Random(SEED)
    telling = [s for s in texts if any(c.isdigit() for c in s.text)]
    chosen = random.sample(telling, min(EMBEDDED, len(telling)))
    async with aclosing(await SemanticProcess.open()) as embedder:
        vectors = await embedder.embed([s.text for s in chosen], "query")
    pairs: dict[tuple[int, int], float] = {}
    for i, one in enumerate(vectors):
        others = ((cosine(one, two) or 0.0, j) for j, two in enumerate(vectors) if j != i)
        for near, j in nlargest(NEAREST, others):
            pairs[min(i, j), max(i, j)] = near
    best = sorted(pairs, key=lambda pair: -pairs[pair])[:count]
    return [
        Case(
            "real neighbours", conflict=False, one=chosen[i].text, other=chosen[j].text,
            title=chosen[i].title, other_title=chosen[j].title,
        )
        for i, j in best
    ]  # fmt: skip


def judge(case: Case, language: Language) -> Judged:
    one, other = _read(case.one, case.title, "one", language), _read(case.other, case.other_title, "other", language)
    found = (compare(a, b) for a in one for b in other)
    return Judged(case, language, next((difference for difference in found if difference), None))


def _read(text: str, title: str, id: str, language: Language) -> Sequence[Statement]:
    return tuple(read_statements(Sentences(_passage(text, title, id, language), ANALYSIS), WORDINGS).values())


def _passage(text: str, title: str, id: str, language: Language) -> Passage:
    return passage(kb_document(id=DocumentId(id), title=title, language=language), text, terms=())


def measured(data: Path, collections: dict[str, Language]) -> list[Judged]:
    found: list[Judged] = []
    share = len(collections)
    for name, language in collections.items():
        texts = sentences(data, name, language)
        cases = planted(name, language, texts, conflict=True, count=CONFLICTS // share)
        cases += planted(name, language, texts, conflict=False, count=(NEAR_MISSES - NEIGHBOURS) // share)
        cases += asyncio.run(neighbours(language, texts, NEIGHBOURS // share))
        found += [judge(case, language) for case in cases]
    return found


def rows(name: str, found: Sequence[Judged]) -> Iterable[Sequence[str]]:
    conflicts = [it for it in found if it.case.conflict]
    reported = [it for it in found if it.found]
    right = sum(it.case.conflict for it in reported)
    yield name, f"precision, of {len(reported)} reported", *at_least(right / max(1, len(reported)), 0.9)
    yield name, f"recall, of {len(conflicts)} planted conflicts", f"{right / max(1, len(conflicts)):.3f}", "", ""
    yield name, f"near misses taken for conflicts, of {len(found) - len(conflicts)}", str(len(reported) - right), "", ""


def by_kind(found: Sequence[Judged]) -> Iterable[Sequence[str]]:
    """Count the cases of each kind, and those that were reported."""
    kinds = Counter((not it.case.conflict, it.case.kind) for it in found)
    reported = Counter((not it.case.conflict, it.case.kind) for it in found if it.found)
    for near, kind in sorted(kinds):
        yield "near miss" if near else "conflict", kind, str(kinds[near, kind]), str(reported[near, kind])


def run(data: Path) -> list[Table]:
    fitted, held_out = measured(data, FITTED), measured(data, HELD_OUT)
    return [
        Table(
            "Sentences that contradict each other",
            ("collections", "figure", "measured", "target", ""),
            [*rows("fitted on", fitted), *rows("held out", held_out)],
            f"Fitted on: {', '.join(FITTED)}; held out: {', '.join(HELD_OUT)}. Half of the second sentences are worded "
            "otherwise as well. Half of the near misses are real: sentences with a figure and their nearest in "
            "meaning.",
        ),
        Table("By kind, held out", ("", "kind", "pairs", "reported"), list(by_kind(held_out))),
    ]
