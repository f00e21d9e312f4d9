"""Nearness of passages to a topic in meaning, relative to the usual nearness of the knowledge base's passages to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Final

from attrs import frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.ranking import Candidate
from contentgen_core.policies.text.nearness import NearnessScale, models_meaning

USUAL: Final = 0.19
"""The background, in the mean, of titles over passages of encyclopedias in four languages, on a `NearnessScale`."""
USUAL_COUNTS: Final = 10
"""As many passages of a sample as it counts, so that a few notes, all on the topic, are not their own background."""
MOST_USUAL: Final = 0.55
"""A sample that is nearer than this is largely on the topic: its background counts as this."""


@frozen
class Meaning:
    """A topic's nearness to passages, by an embedder that models meaning, on a `NearnessScale`. `languages`: those that
    the embedder models; `nearness`: of the nearest passages in them; `background`: the usual nearness of a passage of
    the view."""

    languages: frozenset[Language]
    nearness: Mapping[SourceRef, float]
    background: float

    def above_background(self, ref: SourceRef) -> float:
        """Return how much nearer than usual a passage is; 0 for one that is not among the nearest."""
        return max(0.0, self.nearness.get(ref, self.background) - self.background)


@frozen
class Background:
    """`level`: how near a passage of the view usually is to a topic, on the `scale`."""

    scale: NearnessScale
    level: float


def meaning_of(
    candidates: Iterable[Candidate], embedding_weights: Mapping[Language, float], background: Background
) -> Meaning | None:
    """Build it from the candidates of a search; None where no cosine tells anything of meaning. `embedding_weights`: in
    each language of the view."""
    languages = frozenset(language for language, weight in embedding_weights.items() if models_meaning(weight))
    nearness = {
        candidate.passage.ref: background.scale.of(candidate.hit.cosine)
        for candidate in candidates
        if candidate.hit.cosine is not None and candidate.passage.document.language in languages
    }
    return Meaning(languages, nearness, background.level) if nearness else None


def background_of(sample: Sequence[float]) -> float:
    """Return the usual nearness of a passage, from a sample of the view; the smaller the sample, the more the general
    default counts."""
    middle = min(median(sample), MOST_USUAL) if sample else 0.0
    return (len(sample) * middle + USUAL_COUNTS * USUAL) / (len(sample) + USUAL_COUNTS)
