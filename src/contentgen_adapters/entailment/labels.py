"""Turn a classifier's labels and probabilities into judgements."""

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
# Tolerated deviation of the sum of the probabilities from 1: some servers round them to two places.
_SUM_TOLERANCE: Final = 0.02


class InvalidOutput(Exception):
    """The output of something that is not an entailment model; the text says why."""


@frozen
class Labels:
    """The classes of an entailment model.

    `order`: the meanings of LABEL_0, LABEL_1 and LABEL_2, for a model with such names; empty where not configured.
    """

    order: tuple[str, ...] = ()

    @classmethod
    def of(cls, setting: str | None) -> Labels:
        """Read the operator's setting: the three NAMES in some order, comma-separated. Raises NotConfigured."""
        order = tuple(name.strip().casefold() for name in (setting or "").split(",") if name.strip())
        if order and sorted(order) != sorted(NAMES):
            raise NotConfigured(f"{setting!r} is not {', '.join(NAMES)} in some order.", SETTING)
        return cls(order)

    def judgement(self, scores: Sequence[tuple[str, float]]) -> Judgement:
        """The judgement behind one pair of texts.

        `scores`: (label, probability) of each class, in any order. Raises InvalidOutput unless there is one probability
        for each of the three classes, NotConfigured for numbered labels without a configured order.
        """
        by_name = {self.meaning(label): score for label, score in scores}
        if len(scores) != len(NAMES) or by_name.keys() != set(NAMES):
            raise InvalidOutput(
                f"its classes are {_list_labels(label for label, _ in scores)} and not {', '.join(NAMES)}"
            )
        return probabilities(by_name)

    def meaning(self, label: str) -> str:
        """Return the one of NAMES that a label stands for. Raises as `judgement` does."""
        folded = label.strip().casefold()
        if folded in NAMES:
            return folded
        numbered = _NUMBERED.fullmatch(folded)
        if numbered is None or int(numbered[1]) >= len(NAMES):
            raise InvalidOutput(f"its class {label[:40]!r} is none of {', '.join(NAMES)}")
        if not self.order:
            message = (
                f"The entailment model's classes are named {label} and the like; its model card says in which order"
            )
            raise NotConfigured(f"{message} {', '.join(NAMES)} are meant.", SETTING)
        return self.order[int(numbered[1])]


def probabilities(by_name: Mapping[str, float]) -> Judgement:
    """Return the judgement with these probabilities by name, scaled to sum to 1 exactly. Raises InvalidOutput for
    values that are not a probability distribution.
    """
    values = [by_name[name] for name in NAMES]
    total = sum(values)
    if not all(isfinite(value) and 0.0 <= value <= 1.0 for value in values) or abs(total - 1.0) > _SUM_TOLERANCE:
        raise InvalidOutput(
            f"its scores {', '.join(f'{value:.4g}' for value in values)} are no probabilities that sum to 1"
        )
    return Judgement(*(value / total for value in values))


def _list_labels(labels: Iterable[str]) -> str:
    return ", ".join(sorted({label[:40] for label in labels})) or "none"
