"""A simple verifier that the grounding check is measured beside: shared words, rarer ones weighing more."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from benchmarks.quality.grounding_controls import ANALYSIS
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language

ACCEPTED_FROM: Final = 0.5
WINDOW: Final = 3
CONTAINMENT: Final = 0.75
IN_ORDER: Final = 0.25
FIGURE_MISSING: Final = 0.45

_FIGURE: Final = re.compile(r"\d+(?:[.,]\d+)*")


class SimpleVerifier:
    """0.75 · idf containment in the best window of three sentences (the title is the first sentence) + 0.25 · ROUGE-L
    recall in that window, times 0.45 when a figure is missing. Stems without stop words; idf from the collection."""

    def __init__(self, collection: Iterable[Passage], language: Language = Language.EN) -> None:
        self._language = language
        self._sentences = {p.ref: self._read(p) for p in collection}
        self._holding = Counter(
            term for sentences in self._sentences.values() for term in {t for sentence in sentences for t in sentence}
        )

    def score(self, text: str, source: Passage) -> float:
        """Return a score in 0..1. `source`: a document of the collection."""
        terms = ANALYSIS.terms(text, self._language)
        weights = {term: self._idf(term) for term in terms}
        sentences = self._sentences[source.ref]
        windows = [sentences[i : i + WINDOW] for i in range(max(1, len(sentences) - WINDOW + 1))]
        total = sum(weights.values()) or 1.0

        def contained(window: Sequence[Sequence[str]]) -> float:
            held = {term for sentence in window for term in sentence}
            return sum(weight for term, weight in weights.items() if term in held) / total

        best = max(windows, key=contained)
        order = _common(terms, [term for sentence in best for term in sentence]) / max(1, len(terms))
        known = _FIGURE.findall(f"{source.document.title} {source.text}")
        missing = any(figure not in known for figure in _FIGURE.findall(text))
        return (CONTAINMENT * contained(best) + IN_ORDER * order) * (FIGURE_MISSING if missing else 1.0)

    def _read(self, passage: Passage) -> list[tuple[str, ...]]:
        spans = ANALYSIS.sentences(passage.text, self._language)
        texts = [passage.document.title, *(span.of(passage.text) for span in spans)]
        return [ANALYSIS.terms(text, self._language) for text in texts]

    def _idf(self, term: str) -> float:
        holding = self._holding[term]
        return math.log(1 + (len(self._sentences) - holding + 0.5) / (holding + 0.5))


def _common(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(theirs) + 1)
    for term in ours:
        before = 0
        for j, other in enumerate(theirs, start=1):
            before, row[j] = row[j], before + 1 if term == other else max(row[j], row[j - 1])
    return row[-1]
