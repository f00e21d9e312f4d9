"""Whether a topic belongs to a niche: it has to be nearer to what the niche is described by than to any other subject
that people write about."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from operator import sub
from statistics import correlation, pstdev
from typing import Final

from attrs import frozen

from contentgen_core.policies.text.nearness import cosine
from contentgen_core.policies.topics.validation import topic_key

MIN_SPREAD: Final = 0.05
"""The least spread of the cosines to the subjects that is divided by: a model that calls all equally near tells
nothing."""
MOST: Final = 10.0
"""From this lead on, a topic is no nearer."""
OWN_SUBJECT: Final = 0.5
"""By how much of its nearness to the niche a subject claims topics less: it may be what the niche is about."""
_SHORTEST: Final = 1e-6
"""A vector that is no longer has no direction."""
GENERAL_SUBJECT: Final = 1.6
"""By how many standard deviations a general subject claims topics less: its topics belong to any niche."""
FITS_FROM: Final = 0.4
"""The probability from which on a topic belongs by what the niche is described by."""
FITS_SOURCES_FROM: Final = 0.5
"""The same where the knowledge base tells as well: likelier than not, since a foreign topic that is accepted costs an
article, one that is refused in error a keyword more."""


@frozen
class FitWeights:
    """Weights of a logistic regression on `Features`; none below 0 but the constant."""

    lead: float
    likeness: float
    constant: float
    source_lead: float = 0.0


WEIGHTS: Final = FitWeights(lead=1.03, likeness=2.12, constant=-0.87)
"""Fitted with multilingual-e5-small by `benchmarks.quality.niche_topics`."""
WITH_SOURCES: Final = FitWeights(lead=0.18, likeness=2.86, constant=-2.49, source_lead=1.25)
"""Fitted likewise, where the knowledge base tells as well."""


@frozen
class Features:
    """Features by which a topic is compared with a niche. `lead`: by how many standard deviations of its cosines to the
    subjects a topic is nearer to the niche than to the subject nearest to it. `likeness`: the correlation, in -1..1, of
    the topic's cosines to the subjects with those of the niche: topics of a niche are near and far from the same things
    as the niche. `source_lead`: as `lead`, of the nearest passage of the niche's knowledge base; None where there is
    none to compare with."""

    lead: float
    likeness: float
    source_lead: float | None = None


@frozen
class Background:
    """The vectors of the subjects, as one model has them.

    `centre`: the mean of their names; `directions`: of each subject, less the centre and of unit length; `general`:
    which of them any niche may have to do with."""

    centre: tuple[float, ...]
    directions: tuple[tuple[float, ...], ...]
    general: tuple[bool, ...]

    def apart(self, vector: Sequence[float]) -> tuple[float, ...]:
        """Return the direction of a vector less what all names have in common."""
        return _unit(tuple(map(sub, vector, self.centre)))


@frozen
class TopicFit:
    """The probability, in 0..1, that a topic belongs to a niche by its meaning; it does from `least` on. `nearest`: the
    text on the niche that is nearest to it. `covered`: whether the niche's knowledge base holds enough for a short
    article on it, which alone makes it belong."""

    probability: float
    nearest: str
    covered: bool = False
    least: float = FITS_FROM


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


def background_of(subjects: Sequence[Sequence[Sequence[float]]], general: Sequence[bool]) -> Background:
    """Return the background of subjects, each by the vectors of its names, as many of each. Takes some 20 ms."""
    names = [vector for vectors in subjects for vector in vectors]
    centre = _mean(names)
    directions = [_unit(tuple(map(sub, _mean(vectors), centre))) for vectors in subjects]
    return Background(centre, tuple(directions), tuple(general))


def fit_of(
    topic: Sequence[float],
    niche: Mapping[str, Sequence[float]],
    background: Background,
    sources: Sequence[Sequence[float]] = (),
) -> TopicFit:
    """Return how a topic fits a niche. `niche`: vectors of the texts it is described by, at least one; `sources`: of
    the passages of its knowledge base that are nearest to the topic. All vectors are of unit length and of one model.
    Takes some 20 ms."""
    near = {text: cosine(topic, vector) for text, vector in niche.items()}
    features = features_of(topic, list(niche.values()), background, sources)
    least = FITS_FROM if features.source_lead is None else FITS_SOURCES_FROM
    return TopicFit(probability_of(features), max(near, key=lambda text: near[text]), least=least)


def features_of(
    topic: Sequence[float],
    niche: Sequence[Sequence[float]],
    background: Background,
    sources: Sequence[Sequence[float]] = (),
) -> Features:
    """Return the features of a topic, from vectors as in `fit_of`."""
    own = background.apart(topic)
    described = _unit(_mean([background.apart(vector) for vector in niche]))
    of_topic = [cosine(own, direction) for direction in background.directions]
    of_niche = [cosine(described, direction) for direction in background.directions]
    spread, niche_spread = (max(MIN_SPREAD, pstdev(values)) for values in (of_topic, of_niche))
    claims = (
        near / spread - OWN_SUBJECT * max(0.0, to_niche) / niche_spread - GENERAL_SUBJECT * general
        for near, to_niche, general in zip(of_topic, of_niche, background.general, strict=True)
    )
    claimed = max(claims)
    lead = cosine(own, described) / spread - claimed
    nearest = max((cosine(own, background.apart(source)) for source in sources), default=None)
    tells = min(pstdev(of_topic), pstdev(of_niche)) >= MIN_SPREAD
    likeness = correlation(of_topic, of_niche) if tells else 0.0
    return Features(_bound(lead), likeness, None if nearest is None else _bound(nearest / spread - claimed))


def probability_of(features: Features, weights: FitWeights | None = None) -> float:
    """Return the probability, in 0..1, that a topic with these features belongs. `weights`: None takes the fitted
    ones."""
    weights = weights or (WEIGHTS if features.source_lead is None else WITH_SOURCES)
    logit = weights.lead * features.lead + weights.likeness * features.likeness + weights.constant
    logit += weights.source_lead * (features.source_lead or 0.0)
    return 1 / (1 + math.exp(-logit))


def _bound(lead: float) -> float:
    return max(-MOST, min(MOST, lead))


def _mean(vectors: Sequence[Sequence[float]]) -> tuple[float, ...]:
    return tuple(math.fsum(column) / len(vectors) for column in zip(*vectors, strict=True))


def _unit(vector: Sequence[float]) -> tuple[float, ...]:
    """Return the vector with length 1; unchanged where it has no direction."""
    length = math.hypot(*vector)
    return tuple(x / length for x in vector) if length > _SHORTEST else tuple(vector)
