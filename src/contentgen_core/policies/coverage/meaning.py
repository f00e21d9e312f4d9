"""How near passages are to a topic in meaning, beside how near passages of the knowledge base usually are to it."""

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
    """What an embedder that models meaning says of a topic, on a `NearnessScale`. `languages`: those that it models;
    `nearness`: of the nearest passages in them; `background`: how near a passage of the view usually is."""

    languages: frozenset[Language]
    nearness: Mapping[SourceRef, float]
    background: float

    def above_background(self, ref: SourceRef) -> float:
        """How much nearer than usual a passage is; 0 for one that is not among the nearest."""
        return max(0.0, self.nearness.get(ref, self.background) - self.background)


@frozen
class Background:
    """`level`: how near a passage of the view usually is to a topic, on the `scale`."""

    scale: NearnessScale
    level: float


def meaning_of(
    candidates: Iterable[Candidate], embedding_weights: Mapping[Language, float], background: Background
) -> Meaning | None:
    """From the candidates of a search; None where none of them has a cosine that says something of meaning.

    `embedding_weights`: in each language of the view."""
    languages = frozenset(language for language, weight in embedding_weights.items() if models_meaning(weight))
    nearness = {
        candidate.passage.ref: background.scale.of(candidate.hit.cosine)
        for candidate in candidates
        if candidate.hit.cosine is not None and candidate.passage.document.language in languages
    }
    return Meaning(languages, nearness, background.level) if nearness else None


def background_of(sample: Sequence[float]) -> float:
    """How near a passage usually is, from a sample of the view; the smaller it is, the more what is usual elsewhere
    counts."""
    middle = min(median(sample), MOST_USUAL) if sample else 0.0
    return (len(sample) * middle + USUAL_COUNTS * USUAL) / (len(sample) + USUAL_COUNTS)
