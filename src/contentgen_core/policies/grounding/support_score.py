"""Probability that passages support a claim: the chance that they are about the same matter, times the chance that they
then say the same of it. Two logistic scores of a few features each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import asdict, frozen

from contentgen_core.policies.grounding.claim import Claim, Shares, weights_of
from contentgen_core.policies.grounding.comparisons import is_reversed
from contentgen_core.policies.grounding.evidence import ParsedPassage, ParsedSentence, Window
from contentgen_core.policies.grounding.finding import SUPPORTED_FROM
from contentgen_core.policies.grounding.polarity import Polarity, agreement, contradicts, negates, recasts
from contentgen_core.policies.grounding.support_weights import BY_MEANING, BY_WORDS

# A source's sentence with this share of a claim's words is about the same: what it denies, the claim may not say.
SAME_MATTER: Final = 0.7
# A claim is opposed when what is about the same agrees with its directions less than this, in -1..1.
OPPOSED_BELOW: Final = -0.3
# In the weights, what is there without any feature.
ALWAYS: Final = "always"
# How much the sentence of a passage that is nearest in meaning is about the same, whatever words it shares. One whose
# nearness is less by MEANT_WITHIN counts nothing for it.
NEAREST_MEANT: Final = 0.3
MEANT_WITHIN: Final = 0.12


@frozen
class About:
    """Features of being about the same matter. `close`: the share of the claim's words, longer ones weighing more, in
    the windows; `anywhere`: in the whole passages; `missing`: 1 when a fact is missing; `near`: the claim's nearness in
    meaning to the nearest sentence of the passages, None where unknown."""

    close: float
    anywhere: float
    missing: float
    near: float | None = None


@frozen
class Same:
    """Features of saying the same. `agreed`: how far the passages agree with the claim's directions, in -1..1;
    `negated`: 1 when words that are negated on one side stand without a negation on the other."""

    agreed: float
    negated: float


Features = tuple[About, Same]


def features(claim: Claim, windows: Sequence[Window], *, missing: bool) -> Features:
    """Compute the features of a claim and windows. `windows`: at least one, of sources of the claim."""
    sentences = [s.polarity for w in windows for s in w.sentences]
    about = About(
        close=claim.share(claim.within(w) for w in windows),
        anywhere=claim.share(claim.found[w.source.passage.ref].anywhere for w in windows),
        missing=float(missing),
        near=max((near for w in windows for near in claim.near[w.source.passage.ref]), default=None),
    )
    same = Same(
        agreed=agreement(
            claim.polarity,
            claim.weights,
            [p for w in windows for p in w.source.polarities],
            [meant for w in windows for meant in _meaning_weights(claim, w.source)],
        ),
        negated=float(negates(claim.polarity, sentences)),
    )
    return about, same


def score(found: Features) -> float:
    """Return the probability of support, in 0..1; from SUPPORTED_FROM on the sentence counts as supported."""
    about, same = found
    weights = BY_WORDS if about.near is None else BY_MEANING
    chance = _logistic(weights.about, values(about)) * _logistic(weights.same, values(same))
    if chance < weights.enough:
        return chance / weights.enough * SUPPORTED_FROM
    return SUPPORTED_FROM + (chance - weights.enough) / (1 - weights.enough) * (1 - SUPPORTED_FROM)


def values(found: About | Same) -> dict[str, float]:
    """Return the features that are known, by name."""
    return {name: value for name, value in asdict(found).items() if value is not None}


def _logistic(weights: Mapping[str, float], values: Mapping[str, float]) -> float:
    return 1 / (1 + math.exp(-weights[ALWAYS] - sum(weights[name] * value for name, value in values.items())))


def _meaning_weights(claim: Claim, source: ParsedPassage) -> list[float]:
    """Return how much the title, then each sentence of a passage is about the claim's matter, by meaning."""
    near = claim.near[source.passage.ref]
    found = [NEAREST_MEANT * max(0.0, 1 - (max(near) - value) / MEANT_WITHIN) for value in near]
    return [0.0, *found, *[0.0] * (len(source.sentences) - len(found))]


def is_opposed(claim: Claim, windows: Sequence[Window]) -> bool:
    """Whether a sentence of the windows that is almost the claim says the opposite of it."""
    rows = [found for w in windows for found in _sentences(claim, w)]
    if recasts(claim.polarity, [s.polarity for _, s in rows]):
        return True
    near = [s.polarity for row, s in rows if claim.share([row]) >= SAME_MATTER]
    if negates(claim.polarity, near) or contradicts(claim.polarity, [s.polarity for _, s in rows]):
        return True
    return agreement(claim.polarity, claim.weights, near) < OPPOSED_BELOW


def opposes_itself(sentence: Polarity, terms: Iterable[str]) -> bool:
    """Whether a sentence taken over whole contradicts itself: only its comparisons and directions can be read against
    one another. `terms`: of its words that are not stop words."""
    if is_reversed(sentence.comparisons, sentence.comparisons):
        return True
    weights = weights_of(terms)
    return bool(weights) and agreement(sentence, weights, [sentence]) < OPPOSED_BELOW


def _sentences(claim: Claim, window: Window) -> Iterator[tuple[Shares, ParsedSentence]]:
    """Yield the window's sentences, each with the claim's terms in it."""
    found = claim.found[window.source.passage.ref].sentences
    return zip(found[window.first : window.first + window.length], window.sentences, strict=True)
