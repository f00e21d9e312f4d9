"""Nearness in meaning of a sentence to those of the passages that it cites, where an embedder models meaning. Rules
decide alone on what is certain: nearness makes up neither for a missing fact nor for a source that says the opposite.
Text that a passage holds word for word needs none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import field, frozen

from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import SentenceReceipt
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.nearness import cosine

Vector = Sequence[float]

MAX_SENTENCES: Final = 64
"""The sentences of a passage that are compared; more are in lists and tables only."""
DIGITS: Final = 3
"""Of a nearness. Finer differences are those of machines, and tell nothing."""


@frozen(eq=False)
class Nearness:
    """The vectors of sentences and of the texts that may support them. `claims`, `evidence`: vectors of unit length by
    text; `unrelated`: the cosine, below 1, of sentences about different things, which no model puts at 0; `foreign`:
    the same for passages in other languages, by language; `words`: the nearness of single words, where some are
    compared."""

    claims: Mapping[str, Vector] = field(repr=False)
    evidence: Mapping[str, Vector] = field(repr=False)
    unrelated: float
    foreign: Mapping[Language, Nearness] = field(factory=dict, repr=False)
    words: Nearness | None = field(default=None, repr=False)

    def of(self, claim: str, texts: Sequence[str]) -> tuple[float, ...]:
        """Return the claim's nearness to each text in 0..1: 0 as to an unrelated text, 1 as to itself. () for a claim
        without a vector; a text without one counts 0."""
        ours = self.claims.get(claim)
        return () if ours is None else tuple(self._scaled_cosine(ours, self.evidence.get(text)) for text in texts)

    def _scaled_cosine(self, ours: Vector, theirs: Vector | None) -> float:
        if theirs is None:
            return 0.0
        return min(1.0, max(0.0, round((cosine(ours, theirs) - self.unrelated) / (1.0 - self.unrelated), DIGITS)))


@frozen
class Compared:
    """The texts that nearness needs: `claims` with what their passages hold; `words`: single ones."""

    claims: tuple[str, ...]
    evidence: tuple[str, ...]
    words: tuple[str, ...] = ()


def is_compared(sentence: DraftSentence, receipt: SentenceReceipt) -> bool:
    """Whether nearness says more than the receipt does: the sentence cites a passage, and stands in none word for
    word. One that lacks a fact is compared for its score, which is on one scale with the others'."""
    if sentence.quotation or receipt.nearness is not None:
        return False
    return receipt.support is not None and receipt.support.score < 1.0
