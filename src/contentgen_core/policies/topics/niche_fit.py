"""Whether a topic belongs to a niche, by its nearness to what the niche is described by, beside its nearness to
everything else that people write about."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from statistics import correlation, fmean, pstdev
from typing import Final

from attrs import frozen

from contentgen_core.policies.text.nearness import cosine
from contentgen_core.policies.topics.validation import topic_key

SUBJECTS: Final = (
    "football, tennis and other sport", "cooking and recipes", "films and television series", "music and instruments",
    "video games", "history and archaeology", "politics and elections", "religion and philosophy",
    "painting, museums and art", "literature and languages", "gardening and plants", "pets and wild animals",
    "fashion and beauty", "family, children and school", "cars and motorcycles", "weather and geology",
    "astronomy and physics", "biology and evolution", "mathematics", "medicine and diseases", "law and taxes",
    "banks and money", "jobs and employers", "shops and customers", "advertising", "computers and programming",
    "data security", "robots and artificial intelligence", "heating, electricity and insulation of houses",
    "building, furniture and repairs", "holidays and transport", "cities and architecture",
    "farming and food industry", "military and war", "crime and justice", "dance and theatre",
)  # fmt: skip
"""What people write about, in short. A topic is always near some of them; how near, and how differently, is what its
nearness to a niche counts from."""

MIN_SPREAD: Final = 0.001
"""The least spread of the cosines to SUBJECTS that is divided by: a model that calls all equally near tells nothing."""
MOST: Final = 10.0
"""From this distance on, a topic is no nearer."""
FITS_FROM: Final = 1 / 3
"""The probability from which on a topic belongs: one that is refused counts as two that are accepted, since its author
can do nothing about it."""


@frozen
class FitWeights:
    """Of a logistic regression on `Features`; none of the two below 0."""

    distance: float
    likeness: float
    constant: float


WEIGHTS: Final = FitWeights(distance=1.65, likeness=6.71, constant=-4.51)
"""Fitted with multilingual-e5-small by `benchmarks.quality.niche_topics`."""


@frozen
class Features:
    """`distance`: by how many standard deviations of the topic's cosines to SUBJECTS the mean of those to the niche is
    above their mean. `likeness`: the correlation, in -1..1, of the topic's cosines to SUBJECTS with those of the niche:
    what belongs to a niche is near and far from the same things as the niche is."""

    distance: float
    likeness: float


@frozen
class TopicFit:
    """How surely a topic belongs to a niche by its meaning, in 0..1; it does from FITS_FROM on. `nearest`: the text on
    the niche that is nearest to it. `covered`: whether the niche's knowledge base holds enough for a short article on
    it, which alone makes it belong."""

    probability: float
    nearest: str
    covered: bool = False


def judged_form(topic: str) -> str:
    """The topic as it is judged: what surrounds its first and last letter changes no verdict, nor do case and white
    space. A topic without a letter is left as it is, but for case and white space."""
    return topic_key(without_noise(topic))


def without_noise(topic: str) -> str:
    """The topic from its first letter or digit to its last letter, as it is written; unchanged without a letter."""
    end = len(topic)
    while end and not topic[end - 1].isalpha():
        end -= 1
    if not end:
        return topic
    while end < len(topic) and unicodedata.category(topic[end]) in ("Mn", "Mc"):  # vowel signs of the last letter
        end += 1
    begin = next(i for i, c in enumerate(topic) if c.isalnum())
    return topic[begin:end]


def described_by(name: str, description: str, keywords: Sequence[str]) -> tuple[str, ...]:
    """The texts that a niche is compared by."""
    return tuple(dict.fromkeys(text for text in (name, description, *keywords) if text.strip()))


def fit_of(
    topic: Sequence[float], niche: Mapping[str, Sequence[float]], subjects: Sequence[Sequence[float]]
) -> TopicFit:
    """How a topic fits a niche. `niche`: vectors of the texts it is described by, at least one; `subjects`: those of
    SUBJECTS. All are of unit length and of one model. Takes some milliseconds."""
    near = {text: cosine(topic, vector) for text, vector in niche.items()}
    features = features_of(topic, list(niche.values()), subjects)
    return TopicFit(probability_of(features), max(near, key=lambda text: near[text]))


def features_of(
    topic: Sequence[float], niche: Sequence[Sequence[float]], subjects: Sequence[Sequence[float]]
) -> Features:
    """Those of a topic, from vectors as in `fit_of`."""
    usual = [cosine(topic, subject) for subject in subjects]
    of_niche = [fmean(cosine(vector, subject) for vector in niche) for subject in subjects]
    distance = (fmean(cosine(topic, vector) for vector in niche) - fmean(usual)) / max(MIN_SPREAD, pstdev(usual))
    likeness = correlation(usual, of_niche) if min(pstdev(usual), pstdev(of_niche)) >= MIN_SPREAD else 0.0
    return Features(max(-MOST, min(MOST, distance)), likeness)


def probability_of(features: Features, weights: FitWeights = WEIGHTS) -> float:
    """The probability, in 0..1, that a topic with these features belongs."""
    logit = weights.distance * features.distance + weights.likeness * features.likeness + weights.constant
    return 1 / (1 + math.exp(-logit))
