"""Nearness of claims to what they are checked against, as a product with a model of meaning has it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final, Literal

from attrs import define, field, frozen

from benchmarks.quality.grounding_controls import ANALYSIS
from contentgen_adapters.embeddings.semantic.embedder import SemanticEmbedder
from contentgen_adapters.embeddings.semantic.weights import is_installed
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import SentenceReceipt
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.nearness import Nearness
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.ports.knowledge_base import Embedder, Vector
from contentgen_core.use_cases.grounding.meaning import Meaning
from contentgen_core.use_cases.knowledge.embedding_weights import EmbeddingWeights

NOT_MEASURED: Final = "Not measured in this run: it takes the extra contentgen-grounded[semantic]."


@frozen
class Checked:
    """The receipt of an article, and the nearness that it was made with (None: word for word). `seconds`: of processor
    time that nearness took.
    """

    receipt: SentenceReceipt
    nearness: Nearness | None
    seconds: float


async def meaning() -> Meaning | None:
    """Return the product's own model; None if it is not installed."""
    if not is_installed():
        return None
    embedder = Remembering(await SemanticEmbedder.open())
    return Meaning(embedder, EmbeddingWeights(embedder))


async def checked_each(claims: Sequence[tuple[str, Passage]], meaning: Meaning) -> list[Checked]:
    """English claims, each against its passage."""
    return [await _checked(text, source, meaning) for text, source in claims]


async def _checked(text: str, source: Passage, meaning: Meaning) -> Checked:
    verifier = Verifier({source.ref: source}, ANALYSIS)
    receipts = verifier.check_each([DraftSentence(text, (source.ref,))], Language.EN)
    begun = time.process_time()
    nearness = await meaning.nearness(verifier, receipts, Language.EN)
    if nearness is not None:
        receipts |= verifier.check_again(receipts, Language.EN, nearness)
    [found] = receipts.values()
    return Checked(found, nearness, time.process_time() - begun)


@define
class Remembering:
    """An embedder that embeds a text once: many claims are checked against one abstract."""

    inner: Embedder
    _known: dict[tuple[str, str], Vector] = field(factory=dict, repr=False)

    @property
    def model(self) -> str:
        return self.inner.model

    @property
    def dimension(self) -> int:
        return self.inner.dimension

    @property
    def embedding_weight(self) -> float:
        return self.inner.embedding_weight

    async def embed(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        new = [text for text in dict.fromkeys(texts) if (kind, text) not in self._known]
        for text, vector in zip(new, await self.inner.embed(new, kind) if new else [], strict=True):
            self._known[kind, text] = vector
        return [self._known[kind, text] for text in texts]
