"""Selects the sentences of a part by maximal marginal relevance (Carbonell and Goldstein 1998) over idf-weighted term
overlap, and orders them by their sources."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from contentgen_adapters.llm.extractive.sentences import Sentence, SentenceKey
from contentgen_core.model.article_plan import SourceRef

REPETITION: Final = 0.7
"""Share of the smaller sentence's terms from which two sentences say the same."""
LENGTH_TOLERANCE: Final = 1.12
LONGEST_PARAGRAPH: Final = 5
"""Sentences."""
_REDUNDANCY_WEIGHT: Final = 0.5
_NEW_DOCUMENT: Final = 0.15
_NEIGHBOUR: Final = 0.12
_OPENING: Final = 0.10
_QUOTATION: Final = 0.25


def similarity(one: frozenset[str], other: frozenset[str]) -> float:
    """The overlap coefficient of two sets of terms, in 0..1."""
    return len(one & other) / max(1, min(len(one), len(other)))


def select(sentences: Sequence[Sentence], weights: Mapping[str, float], target_words: int) -> list[Sentence]:
    """Return the selected sentences, in the order of selection, with about `target_words` in all; at least one if there
    is any. A sentence that continues another is selected only after that one.

    `weights`: of the terms of heading, key points and topic.
    """
    relevance = _relevance(sentences, weights)
    left = list(sentences)
    taken: list[Sentence] = []
    words = 0
    while left and words < target_words:
        keys = {s.key for s in taken}
        scored = [(relevance[s.key] + _marginal(s, taken), s) for s in left if not s.continues or s.key_before in keys]
        if not scored:
            break
        _, best = max(scored, key=lambda pair: (pair[0], [-k for k in pair[1].key[1:]]))
        left.remove(best)
        if taken and (words + best.words > target_words * LENGTH_TOLERANCE or repeats(best, taken)):
            continue
        taken.append(best)
        words += best.words
    return taken


def _relevance(sentences: Sequence[Sentence], weights: Mapping[str, float]) -> dict[SentenceKey, float]:
    frequency = Counter(term for s in sentences for term in s.terms)
    idf = {term: math.log(1 + len(sentences) / frequency[term]) for term in frequency}
    whole = sum(weight * idf.get(term, 0.0) for term, weight in weights.items()) or 1.0

    def score(s: Sentence) -> float:
        matched = sum(weights.get(term, 0.0) * idf[term] for term in s.terms) / whole
        return matched + _OPENING * (s.position == 0) - _QUOTATION * s.quotation

    return {s.key: score(s) for s in sentences}


def _marginal(sentence: Sentence, taken: Sequence[Sentence]) -> float:
    if not taken:
        return 0.0
    redundancy = max(similarity(sentence.terms, other.terms) for other in taken)
    new_document = sentence.passage.document.id not in {s.passage.document.id for s in taken}
    neighbour = any(s.passage.ref == sentence.passage.ref and abs(s.position - sentence.position) == 1 for s in taken)
    return _NEW_DOCUMENT * new_document + _NEIGHBOUR * neighbour - _REDUNDANCY_WEIGHT * redundancy


def repeats(sentence: Sentence, taken: Sequence[Sentence]) -> bool:
    """Whether a sentence is too similar to one of those taken."""
    return any(similarity(sentence.terms, other.terms) >= REPETITION for other in taken)


def sort_in_reading_order(sentences: Sequence[Sentence], passages: Sequence[SourceRef]) -> list[Sentence]:
    """Orders sentences by document, in the order of the plan's passages, then by position. The plan's first passage,
    whose heading the section has, comes first."""
    documents = {ref.document_id: i for i, ref in reversed(list(enumerate(passages)))}
    first = passages[0] if passages else None

    def place(s: Sentence) -> tuple[int, bool, int, int]:
        document = documents.get(s.passage.document.id, len(documents))
        return (document, s.passage.ref != first, s.passage.chunk_index, s.position)

    return sorted(sentences, key=place)


def paragraphs(sentences: Sequence[Sentence]) -> list[list[Sentence]]:
    """Splits sentences into paragraphs by passage; a single sentence joins the paragraph next to it, a long paragraph
    is halved."""
    runs: list[list[Sentence]] = []
    for sentence in sentences:
        if runs and runs[-1][-1].passage.ref == sentence.passage.ref:
            runs[-1].append(sentence)
        else:
            runs.append([sentence])
    cut: list[list[Sentence]] = []
    for run in runs:
        if cut and min(len(run), len(cut[-1])) == 1 and len(run) + len(cut[-1]) <= LONGEST_PARAGRAPH:
            cut[-1].extend(run)
        elif len(run) > LONGEST_PARAGRAPH:
            half = next((i for i in range((len(run) + 1) // 2, len(run)) if not run[i].continues), len(run))
            cut += [part for part in (run[:half], run[half:]) if part]
        else:
            cut.append(list(run))
    return cut
