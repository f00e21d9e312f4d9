"""Measure the grounding check across languages: sentences of parallel paragraphs (XQuAD), each against the same
paragraph in another language, unchanged and tampered with.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Final

from attrs import field, frozen

from benchmarks.quality.grounding_controls import ANALYSIS
from benchmarks.quality.report import Table
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import Verdict
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.policies.text.facts import fold_name, names
from contentgen_core.testing.builders import kb_document, passage
from contentgen_core.use_cases.grounding.checking import check
from contentgen_core.use_cases.grounding.meaning import Meaning

LANGUAGES: Final = (Language.EN, Language.ES, Language.DE)
SEED: Final = 20_260_101
SIXTHS: Final = frozenset({3, 5})
"""Rules and thresholds were made on paragraphs of three other sixths (0, 2 and 4)."""
SHORTEST: Final = 40
"""Characters of a claim; shorter pieces are headings and initials."""
KINDS: Final = ("translated", "figure changed", "name changed", "negated", "another paragraph")
_NEGATIONS: Final = {
    Language.EN: (r"\b(is|are|was|were|can|could|has|had|will|would)\b(?! not)", r"\1 not"),
    Language.ES: (r"(?<!\bno )\b(es|son|fue|fueron|era|eran|está|están|puede|pueden|ha|han|había)\b", r"no \1"),
    Language.DE: (r"\b(ist|sind|war|waren|kann|können|hat|haben|hatte|wird|wurde|wurden)\b(?! nicht)", r"\1 nicht"),
}


@frozen
class Parallel:
    """The paragraphs of a collection by what they have in common across languages (`12_3`: the fourth of the article
    12)."""

    language: Language
    passages: dict[str, Passage]
    sentences: dict[str, tuple[str, ...]] = field(repr=False)

    @classmethod
    def read(cls, data: Path, language: Language) -> Parallel:
        passages, sentences = {}, {}
        with (data / "retrieval" / f"xquad-{language.value}" / "docs.jsonl").open(encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                text, key = row["text"].strip("\ufeff"), row["id"].removeprefix(language.value)
                passages[key] = passage(kb_document(title="", language=language), text, terms=())
                found = (span.of(text) for span in ANALYSIS.sentences(text, language))
                sentences[key] = tuple(sentence for sentence in found if len(sentence) >= SHORTEST)
        return cls(language, passages, sentences)


@frozen
class Measured:
    """The share of the sentences of a kind that the check accepts."""

    kind: str
    accepted: float
    sentences: int


async def measured(data: Path, meaning: Meaning | None) -> dict[tuple[Language, Language], list[Measured]]:
    """Measure by the language of the sentences and that of the passages. `meaning`: None measures words alone."""
    shelves = {language: Parallel.read(data, language) for language in LANGUAGES}
    return {
        (ours.language, theirs.language): [
            await _measured(kind, pairs, theirs, meaning, ours.language) for kind, pairs in _cases(ours, theirs).items()
        ]
        for ours, theirs in permutations(shelves.values(), 2)
    }


def table(found: Mapping[tuple[Language, Language], Sequence[Measured]], by_words: float) -> Table:
    """Return the table. `by_words`: the share of translated sentences that words alone accept, over all pairs of
    languages.
    """
    rows = [
        (f"{ours.value} from {theirs.value}", *(f"{it.accepted:.3f} ({it.sentences})" for it in each))
        for (ours, theirs), each in found.items()
    ]
    note = f"Accepted, of so many sentences. Words alone accept {by_words:.3f} of the translated ones."
    return Table("Across languages", ("Sentences", *KINDS), rows, note)


def _cases(ours: Parallel, theirs: Parallel) -> dict[str, list[tuple[str, str]]]:
    """Return the sentences by kind, each with the key of the paragraph that it is checked against."""
    chance = random.Random(SEED)
    known = sorted(
        {name for texts in ours.sentences.values() for text in texts for name in _names(text, ours.language)}
    )
    found: dict[str, list[tuple[str, str]]] = {kind: [] for kind in KINDS}
    for place, key in enumerate(ours.passages):
        if place % 6 not in SIXTHS or key not in theirs.passages:
            continue
        other = next(_others(key, theirs), None)
        for text in ours.sentences[key]:
            found["translated"].append((text, key))
            if other is not None:
                found["another paragraph"].append((text, other))
            for kind, changed in (
                ("figure changed", _with_another_figure(text)),
                ("name changed", _with_another_name(text, ours, key, known, chance)),
                ("negated", _negated(text, ours.language)),
            ):
                if changed is not None:
                    found[kind].append((changed, key))
    return found


def _others(key: str, shelf: Parallel) -> Iterator[str]:
    """Return other paragraphs of the same article: they treat the same subject."""
    article = key.partition("_")[0]
    return (other for other in shelf.passages if other != key and other.partition("_")[0] == article)


def _with_another_figure(text: str) -> str | None:
    match = re.search(r"(?<![\w.,-])\d", text)
    return None if match is None else text[: match.start()] + str(int(match[0]) % 9 + 1) + text[match.end() :]


def _with_another_name(text: str, ours: Parallel, key: str, known: Sequence[str], chance: random.Random) -> str | None:
    own = _names(text, ours.language)
    if not own:
        return None
    words = {fold_name(word) for word in re.findall(r"\w+", ours.passages[key].text)}
    others = [name for name in known if fold_name(name) not in words]
    if not others:
        return None
    other = chance.choice(others)
    return re.sub(rf"\b{re.escape(own[-1])}\b", other, text)


def _names(text: str, language: Language) -> list[str]:
    found = names(text, ANALYSIS.tokens(text, language), language)
    return [name.text for name in found if not any(c.isdigit() for c in name.text)]


def _negated(text: str, language: Language) -> str | None:
    pattern, negation = _NEGATIONS[language]
    match = re.search(pattern, text)
    return None if match is None else text[: match.start()] + match.expand(negation) + text[match.end() :]


async def _measured(
    kind: str, cases: Sequence[tuple[str, str]], shelf: Parallel, meaning: Meaning | None, language: Language
) -> Measured:
    sentences = [DraftSentence(text, (shelf.passages[key].ref,)) for text, key in cases]
    verifier = Verifier({source.ref: source for source in shelf.passages.values()}, ANALYSIS)
    receipts = await check(sentences, verifier, language, meaning=meaning)
    accepted = sum(receipts[sentence].verdict is Verdict.SUPPORTED for sentence in sentences)
    return Measured(kind, accepted / max(1, len(sentences)), len(sentences))
