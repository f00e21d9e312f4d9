"""An entailment model made of words: for tests, and for seeing how a judgement moves an article's receipt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from contentgen_core.ports.entailment import Judgement, Pair, require_bounded

NEGATIONS: Final = frozenset({"not", "no", "never", "ne", "pas", "jamais", "nicht", "kein", "keine", "nie", "nunca"})
_REST: Final = 0.02  # what is never wholly ruled out


class MemoryEntailment:
    """A hypothesis follows as far as the premise holds its words, and is contradicted as far when only one of the two
    has a negation. Words are compared as they are written, case aside."""

    model: Final = "words"

    async def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """As the port says; never fails."""
        require_bounded(pairs)
        return [judged(pair) for pair in pairs]


def judged(pair: Pair) -> Judgement:
    premise, hypothesis = _words(pair.premise), _words(pair.hypothesis)
    asked = hypothesis - NEGATIONS
    held = (1 - _REST) * len(asked & premise) / len(asked) if asked else 0.0
    rest = _REST / 2
    neutral = 1.0 - held - rest
    if bool(premise & NEGATIONS) != bool(hypothesis & NEGATIONS):
        return Judgement(rest, neutral, held)
    return Judgement(held, neutral, rest)


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))
