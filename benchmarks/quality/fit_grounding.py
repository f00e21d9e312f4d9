"""`python -m benchmarks.quality.fit_grounding` fits the support score on one half of the SciFact claims of the folder
that CONTENTGEN_BENCH_DATA names, and writes its weights into the product. The quality page reports the other half."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from benchmarks.quality.collections import SETTING
from benchmarks.quality.grounding import Claim, claims
from benchmarks.quality.grounding_controls import ANALYSIS
from benchmarks.quality.grounding_meaning import checked_each, meaning
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding import support_weights
from contentgen_core.policies.grounding.nearness import Nearness
from contentgen_core.policies.grounding.support_score import ALWAYS, Features, values
from contentgen_core.policies.grounding.support_weights import Weights
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.use_cases.grounding.meaning import Meaning

TARGET: Final = Path(support_weights.__file__)
CONTRADICTIONS_ACCEPTED: Final = 0.25
"""At the threshold, among the claims fitted on; below the target, for claims not seen."""
EVIDENCE: Final = frozenset({"SUPPORT", "CONTRADICT"})
SHARES: Final = {"SUPPORT": 1.0, "CONTRADICT": 0.5, "no evidence": 1.0, "nearest other": 0.15, "random other": 0.03}
"""What the claims of a kind weigh together. The nearest other abstract often does hold evidence, and a random one
teaches little."""
_RIDGE: Final = 1e-2
_STEPS: Final = 50
_DIGITS: Final = 3

Floats = NDArray[np.float64]


@frozen
class Seen:
    """A claim with its scores. `may`: whether no condition (a missing fact, a denial) refuses the claim whatever its
    score.
    """

    kind: str
    found: Features
    may: bool


def seen(found: Sequence[Claim]) -> list[Seen]:
    return [_seen(claim) for claim in found]


async def seen_by_meaning(found: Sequence[Claim], model: Meaning) -> list[Seen]:
    """Score the claims with nearness."""
    checked = await checked_each([(claim.text, claim.source) for claim in found], model)
    return [_seen(claim, it.nearness) for claim, it in zip(found, checked, strict=True)]


def _seen(claim: Claim, nearness: Nearness | None = None) -> Seen:
    verifier = Verifier({claim.source.ref: claim.source}, ANALYSIS)
    explained = verifier.explain(DraftSentence(claim.text, (claim.source.ref,)), Language.EN, nearness)
    return Seen(claim.kind, explained.features, not (explained.missing or explained.opposed))


def fit(cases: Sequence[Seen]) -> Weights:
    """Fit the weights. Whether an abstract speaks of the matter is fitted on all claims (evidence for or against: it
    does), whether it says the same on those with evidence. If nearness is known for any claims, only these are used.
    """
    used = [c for c in cases if c.found[0].near is not None] or cases
    about = _weights([values(c.found[0]) for c in used], [c.kind in EVIDENCE for c in used], _shares(used, SHARES))
    told = [c for c in used if c.kind in EVIDENCE]
    even = _shares(told, dict.fromkeys(EVIDENCE, 1.0))
    same = _weights([values(c.found[1]) for c in told], [c.kind == "SUPPORT" for c in told], even)
    return Weights(about, same, _enough(about, same, [c for c in cases if c.kind in EVIDENCE]))


def _shares(cases: Sequence[Seen], shares: Mapping[str, float]) -> Floats:
    kinds = [c.kind for c in cases]
    return np.array([shares[kind] / kinds.count(kind) for kind in kinds])


def _weights(rows: Sequence[dict[str, float]], truth: Collection[bool], weight: Floats) -> dict[str, float]:
    """Logistic regression by Newton's method, with a ridge on the standardised features."""
    table, target = np.array([list(row.values()) for row in rows]), np.array(list(truth), dtype=np.float64)
    mean, spread = table.mean(axis=0), table.std(axis=0) + 1e-9
    scaled = np.column_stack([(table - mean) / spread, np.ones(len(table))])
    ridge = np.diag([_RIDGE] * table.shape[1] + [0.0])
    weight, at = weight / weight.sum(), np.zeros(scaled.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-scaled @ at))
        slope = scaled.T @ (weight * (chance - target)) + ridge @ at
        curve = (scaled * (weight * chance * (1 - chance))[:, None]).T @ scaled + ridge
        at = at - np.linalg.solve(curve, slope)
    weights = at[:-1] / spread
    named = dict(zip(rows[0], (round(float(w), _DIGITS) for w in weights), strict=True))
    return {ALWAYS: round(float(at[-1] - weights @ mean), _DIGITS), **named}


def _enough(about: dict[str, float], same: dict[str, float], told: Sequence[Seen]) -> float:
    """The lowest threshold that accepts few enough contradictions."""
    chances = [_chance(about, values(c.found[0])) * _chance(same, values(c.found[1])) * c.may for c in told]
    against = np.array([chance for chance, c in zip(chances, told, strict=True) if c.kind == "CONTRADICT"])
    cuts = np.arange(0.05, 0.95, 0.005)
    return round(next(float(cut) for cut in cuts if np.mean(against >= cut) <= CONTRADICTIONS_ACCEPTED), _DIGITS)


def _chance(weights: dict[str, float], values: dict[str, float]) -> float:
    return float(1 / (1 + np.exp(-weights[ALWAYS] - sum(weights[name] * value for name, value in values.items()))))


def written(by_words: Weights, by_meaning: Weights) -> str:
    """The product's module of weights, from its present text."""
    before, _, _ = TARGET.read_text("utf-8").partition("BY_WORDS")
    return f"{before}BY_WORDS: Final = {_shown(by_words)}\nBY_MEANING: Final = {_shown(by_meaning)}\n"


def _shown(weights: Weights) -> str:
    def table(named: Mapping[str, float]) -> str:
        return "".join(f'        "{name}": {weight:.3f},\n' for name, weight in named.items())

    return (
        f"Weights(\n    about={{\n{table(weights.about)}    }},\n    same={{\n{table(weights.same)}    }},\n"
        f"    enough={weights.enough:.3f},\n)"
    )


async def main() -> int:
    model = await meaning()
    if SETTING not in os.environ or model is None:
        print(
            f"set {SETTING} to the folder of the collections, and install contentgen-grounded[semantic]",
            file=sys.stderr,
        )
        return 2
    found = [claim for claim in claims(Path(os.environ[SETTING])) if claim.fitted]
    text = written(fit(seen(found)), fit(await seen_by_meaning(found, model)))
    TARGET.write_text(text, "utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
