"""Score how far passages are about a topic, each by itself and by its document. In a knowledge base on one field every
passage has some words of any topic, and is near to it, so a passage alone does not tell whether its document is about
something else. A document on the topic has several such passages. So a passage's own score counts beside that of the
best passages of its document, each as a share of the best of the search."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from math import fsum
from typing import Final, TypeVar

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import RankedPassage

ABOUT: Final = 0.75
"""Of the aboutness of the passage that has most: what a passage has to have."""
OWN: Final = 0.4
"""What a passage scores itself, beside its document."""
NEARNESS: Final = 0.3
"""Of what a passage scores: the nearness to the topic, where it is known, beside the combined score."""
BEST_OF_DOCUMENT: Final = 3
"""Passages of a document whose mean score is the document's."""
FEWEST_DOCUMENTS: Final = 3
"""Documents of several passages below which none of them can be told from what is usual."""

_Key = TypeVar("_Key", bound=Hashable)


def off_topic(
    kept: Sequence[RankedPassage],
    compared: Sequence[RankedPassage],
    passages: Mapping[DocumentId, int],
    nearness: Mapping[SourceRef, float],
) -> frozenset[SourceRef]:
    """Return the passages of `kept` that are about something else: those of documents with several passages that have
    less than ABOUT of the highest aboutness of any of them. Documents of one passage are not judged, nor are others
    where most documents have one passage: they are too few to tell what is usual. `compared`: the best of the search,
    with these; `passages`: how many each document has; `nearness`: of these to the topic (text/nearness.py), empty
    where meaning is not compared."""
    several = [each for each in compared if passages.get(each.passage.document.id, 1) > 1]
    all_documents = len({each.passage.document.id for each in compared})
    if len({each.passage.document.id for each in several}) < max(FEWEST_DOCUMENTS, all_documents / 2):
        return frozenset()
    found = aboutness(several, passages, nearness)
    least = ABOUT * max((found[each.ref] for each in kept if each.ref in found), default=0.0)
    return frozenset(each.ref for each in kept if found.get(each.ref, least) < least)


def first_about(
    kept: Sequence[RankedPassage], off_topic: Collection[SourceRef], limit: int
) -> tuple[RankedPassage, ...]:
    """Return at most `limit` of the passages, in their order; those off the topic only as far as there is room."""
    first = [each for each in kept if each.ref not in off_topic][:limit]
    rest = [each for each in kept if each.ref in off_topic][: max(0, limit - len(first))]
    taken = {each.ref for each in (*first, *rest)}
    return tuple(each for each in kept if each.ref in taken)


def aboutness(
    compared: Sequence[RankedPassage], passages: Mapping[DocumentId, int], nearness: Mapping[SourceRef, float]
) -> dict[SourceRef, float]:
    """The aboutness of each passage, in 0..1: 1 for the one that scores most, of the document that does.

    Passages of a document that are not among those compared score nothing."""
    own = _shares({each.ref: each.combined_score for each in compared})
    if nearness:
        near = _shares({each.ref: max(0.0, nearness.get(each.ref, 0.0)) for each in compared})
        own = _shares({ref: NEARNESS * near[ref] + (1 - NEARNESS) * share for ref, share in own.items()})
    documents = {each.ref: each.passage.document.id for each in compared}
    scores: dict[DocumentId, list[float]] = {}
    for ref, share in own.items():
        scores.setdefault(documents[ref], []).append(share)
    of_documents = _shares(
        {
            document: fsum(sorted(each, reverse=True)[:BEST_OF_DOCUMENT]) / min(BEST_OF_DOCUMENT, passages[document])
            for document, each in scores.items()
        }
    )
    return {ref: OWN * share + (1 - OWN) * of_documents[documents[ref]] for ref, share in own.items()}


def _shares(values: Mapping[_Key, float]) -> dict[_Key, float]:
    """Return each value as a share of the highest one; all 0 where that is 0."""
    highest = max(values.values(), default=0.0)
    return {key: value / highest if highest > 0 else 0.0 for key, value in values.items()}
