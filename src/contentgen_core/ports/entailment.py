"""The entailment model: whether a text entails a sentence, contradicts it, or does neither."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from contentgen_core.model.entailment import MAX_HYPOTHESIS, MAX_PAIRS, MAX_PREMISE, Judgement, Pair

__all__ = ["MAX_HYPOTHESIS", "MAX_PAIRS", "MAX_PREMISE", "EntailmentModel", "Judgement", "Pair", "require_bounded"]


class EntailmentModel(Protocol):
    """Judges pairs of texts in the languages of the model. Stateless: a judgement does not depend on other pairs, up to
    rounding."""

    @property
    def model(self) -> str:
        """The model's name in receipts. Never `lexical`, which is the check without a model."""
        ...

    async def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Return a judgement for each pair, in order. An adapter splits a call as its model needs, and truncates a
        premise that does not fit the model's window. Accepts at most MAX_PAIRS pairs, premises of at most MAX_PREMISE
        and hypotheses of at most MAX_HYPOTHESIS characters: ValueError beyond. Raises ProviderFailed when the model
        does not give a usable answer, NotConfigured when a setting is missing."""
        ...


def require_bounded(pairs: Sequence[Pair]) -> None:
    """Check the limits of `judge`. Raises ValueError."""
    if len(pairs) > MAX_PAIRS:
        raise ValueError(f"{len(pairs)} pairs in one call; at most {MAX_PAIRS} are taken")
    for pair in pairs:
        if len(pair.premise) > MAX_PREMISE or len(pair.hypothesis) > MAX_HYPOTHESIS:
            raise ValueError(f"a premise has at most {MAX_PREMISE} characters, a hypothesis {MAX_HYPOTHESIS}")
