"""What a classifier's labels mean, and its probabilities as judgements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Final

from attrs import frozen

from contentgen_core.errors import NotConfigured
from contentgen_core.ports.entailment import Judgement

SETTING: Final = "CONTENTGEN_ENTAILMENT_LABELS"
NAMES: Final = ("entailment", "neutral", "contradiction")

_NUMBERED: Final = re.compile(r"label_(\d)")
# How far from 1 the probabilities of a well-meant answer may sum: some servers round them to two places.
_SUM_TOLERANCE: Final = 0.02


class Unfit(Exception):
    """An answer or a model that is not about entailment; the text says why."""


@frozen
class Labels:
    """`order`: what LABEL_0, LABEL_1, LABEL_2 mean, of a model that names its classes so; empty where not known."""

    order: tuple[str, ...] = ()

    @classmethod
    def of(cls, setting: str | None) -> Labels:
        """From the operator's setting, names joined by commas. Raises NotConfigured for anything but the three names in
        some order."""
        order = tuple(name.strip().casefold() for name in (setting or "").split(",") if name.strip())
        if order and sorted(order) != sorted(NAMES):
            raise NotConfigured(f"{setting!r} is not {', '.join(NAMES)} in some order.", SETTING)
        return cls(order)

    def judgement(self, scores: Sequence[tuple[str, float]]) -> Judgement:
        """Of the (label, probability) pairs of one answer, in any order. Raises Unfit for what is no probability of
        each of the three, NotConfigured for numbered labels whose order is not known."""
        by_name = {self.meaning(label): score for label, score in scores}
        if len(scores) != len(NAMES) or by_name.keys() != set(NAMES):
            raise Unfit(f"its classes are {_listed(label for label, _ in scores)} and not {', '.join(NAMES)}")
        return probabilities(by_name)

    def meaning(self, label: str) -> str:
        """One of NAMES. Raises as `judgement` does."""
        folded = label.strip().casefold()
        if folded in NAMES:
            return folded
        numbered = _NUMBERED.fullmatch(folded)
        if numbered is None or int(numbered[1]) >= len(NAMES):
            raise Unfit(f"its class {label[:40]!r} is none of {', '.join(NAMES)}")
        if not self.order:
            message = (
                f"The entailment model's classes are named {label} and the like; its model card says in which order"
            )
            raise NotConfigured(f"{message} {', '.join(NAMES)} are meant.", SETTING)
        return self.order[int(numbered[1])]


def probabilities(by_name: Mapping[str, float]) -> Judgement:
    """Scaled to sum to 1 exactly. Raises Unfit for what is clearly no distribution."""
    values = [by_name[name] for name in NAMES]
    total = sum(values)
    if not all(isfinite(value) and 0.0 <= value <= 1.0 for value in values) or abs(total - 1.0) > _SUM_TOLERANCE:
        raise Unfit(f"its scores {', '.join(f'{value:.4g}' for value in values)} are no probabilities that sum to 1")
    return Judgement(*(value / total for value in values))


def _listed(labels: Iterable[str]) -> str:
    return ", ".join(sorted({label[:40] for label in labels})) or "none"
