"""Find the passages that may support a sentence without citation: those that share most of its rarer words."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language

MAX_CANDIDATES: Final = 3


class CandidatePassages:
    """Counts the words of the passages once. Threads may share it."""

    def __init__(self, passages: Sequence[Passage], analysis: TextAnalysis) -> None:
        self._passages, self._analysis = passages, analysis
        self._having: dict[tuple[Language, str], list[int]] = defaultdict(list)
        for number, passage in enumerate(passages):
            language = passage.document.language
            for term in dict.fromkeys(analysis.terms(passage.with_titles(), language)):
                self._having[language, term].append(number)

    def of(self, text: str) -> tuple[SourceRef, ...]:
        """Return at most MAX_CANDIDATES passages, best first; none where they have no word in common."""
        weights: dict[int, float] = defaultdict(float)
        for language in dict.fromkeys(passage.document.language for passage in self._passages):
            for term in dict.fromkeys(self._analysis.terms(text, language)):
                having = self._having.get((language, term), ())
                for number in having:
                    weights[number] += math.log1p(len(self._passages) / len(having))
        best = sorted(weights, key=lambda number: (-weights[number], number))[:MAX_CANDIDATES]
        return tuple(self._passages[number].ref for number in best)
