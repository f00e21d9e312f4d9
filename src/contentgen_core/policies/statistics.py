"""BM25's figures of several views as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from contentgen_core.model.knowledge import TermStatistics
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.bm25 import NO_STATISTICS


def together(statistics: Sequence[Mapping[Language, TermStatistics]]) -> Mapping[Language, TermStatistics]:
    """The figures of views that share no passage, as those of one view that sees all of theirs."""
    if len(statistics) == 1:
        return statistics[0]
    summed: dict[Language, TermStatistics] = {}
    for of_view in statistics:
        for language, figures in of_view.items():
            before = summed.get(language, NO_STATISTICS)
            passages = before.passages + figures.passages
            length = before.passages * before.mean_length + figures.passages * figures.mean_length
            counts = Counter(before.passages_with) + Counter(figures.passages_with)
            summed[language] = TermStatistics(passages, length / passages, dict(counts))
    return summed
