"""How surely passages support a claim: the chance that they speak of the matter, times the chance that they then say
the same of it. Two logistic scores of a few features that explain themselves."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import asdict, frozen

from contentgen_core.policies.grounding.claim import Claim, Shares
from contentgen_core.policies.grounding.evidence import ParsedSentence, Window
from contentgen_core.policies.grounding.polarity import agreement, negates, recasts
from contentgen_core.policies.grounding.support_weights import ABOUT, ENOUGH, SAME

# A sentence is supported from this score on (with no fact missing).
SUPPORTED_FROM: Final = 0.5
# The most that a sentence can score that misses a fact, or whose source says the opposite: other words cannot make up
# for it.
REFUSED: Final = 0.45
# A source's sentence with this share of a claim's words is about the same: what it denies, the claim may not say.
SAME_MATTER: Final = 0.7
# A claim is opposed when what is about the same agrees with its directions less than this, in -1..1.
OPPOSED_BELOW: Final = -0.3
# In the weights, what is there without any feature.
ALWAYS: Final = "always"


@frozen
class About:
    """Whether the passages speak of the matter. `close`: the share of the claim's words, longer ones weighing more, in
    the windows; `anywhere`: in the whole passages; `missing`: 1 when a fact is missing."""

    close: float
    anywhere: float
    missing: float


@frozen
class Same:
    """Whether they say the same. `agreed`: how far the passages bear out the claim's directions, in -1..1; `negated`:
    1 when what a negation bears on in the windows or in the claim stands without any in the other."""

    agreed: float
    negated: float


Features = tuple[About, Same]


def features(claim: Claim, windows: Sequence[Window], *, missing: bool) -> Features:
    """`windows`: at least one, of sources of the claim."""
    sentences = [s.polarity for w in windows for s in w.sentences]
    about = About(
        close=claim.share(row for w in windows for row in claim.within(w)),
        anywhere=claim.share(claim.found[w.source.passage.ref].anywhere for w in windows),
        missing=float(missing),
    )
    same = Same(
        agreed=agreement(claim.polarity, claim.weights, [p for w in windows for p in w.source.polarities]),
        negated=float(negates(claim.polarity, sentences)),
    )
    return about, same


def score(found: Features) -> float:
    """In 0..1, from SUPPORTED_FROM on where the sentence counts as supported."""
    about, same = found
    chance = _logistic(ABOUT, asdict(about)) * _logistic(SAME, asdict(same))
    if chance < ENOUGH:
        return chance / ENOUGH * SUPPORTED_FROM
    return SUPPORTED_FROM + (chance - ENOUGH) / (1 - ENOUGH) * (1 - SUPPORTED_FROM)


def _logistic(weights: Mapping[str, float], values: Mapping[str, float]) -> float:
    return 1 / (1 + math.exp(-weights[ALWAYS] - sum(weights[name] * value for name, value in values.items())))


def is_opposed(claim: Claim, windows: Sequence[Window]) -> bool:
    """Whether a sentence of the windows that is almost the claim says the opposite of it."""
    rows = [found for w in windows for found in _sentences(claim, w)]
    if recasts(claim.polarity, [s.polarity for _, s in rows]):
        return True
    near = [s.polarity for row, s in rows if claim.share([row]) >= SAME_MATTER]
    return negates(claim.polarity, near) or agreement(claim.polarity, claim.weights, near) < OPPOSED_BELOW


def _sentences(claim: Claim, window: Window) -> Iterator[tuple[Shares, ParsedSentence]]:
    """The window's sentences, each with what it has of the claim."""
    found = claim.found[window.source.passage.ref].sentences
    return zip(found[window.first : window.first + window.length], window.sentences, strict=True)
