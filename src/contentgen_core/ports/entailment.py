"""The entailment model: whether a text says what a sentence says, denies it, or says nothing of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from contentgen_core.model.entailment import MAX_HYPOTHESIS, MAX_PAIRS, MAX_PREMISE, Judgement, Pair

__all__ = ["MAX_HYPOTHESIS", "MAX_PAIRS", "MAX_PREMISE", "EntailmentModel", "Judgement", "Pair", "require_bounded"]


class EntailmentModel(Protocol):
    """Judges pairs of texts in whatever languages the model behind it knows. Stateless: a pair's judgement does not
    depend on the others, up to rounding."""

    @property
    def model(self) -> str:
        """As receipts name it. Never `lexical`, which names the check without a model."""
        ...

    async def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement a pair, in order; none for none. An adapter splits a call as its model needs, and cuts the end
        off a premise that the model's window cannot hold.

        Takes at most MAX_PAIRS pairs, premises of at most MAX_PREMISE and hypotheses of at most MAX_HYPOTHESIS
        characters: ValueError beyond. Raises ProviderFailed when the model does not answer usefully, NotConfigured
        when something has to be set first."""
        ...


def require_bounded(pairs: Sequence[Pair]) -> None:
    """Raises ValueError for what `judge` does not take."""
    if len(pairs) > MAX_PAIRS:
        raise ValueError(f"{len(pairs)} pairs in one call; at most {MAX_PAIRS} are taken")
    for pair in pairs:
        if len(pair.premise) > MAX_PREMISE or len(pair.hypothesis) > MAX_HYPOTHESIS:
            raise ValueError(f"a premise has at most {MAX_PREMISE} characters, a hypothesis {MAX_HYPOTHESIS}")
