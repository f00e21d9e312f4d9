"""The embedder port over multilingual-e5-small (Wang et al. 2024, "Multilingual E5 Text Embeddings"), 100 languages."""

from __future__ import annotations

import asyncio
import os
from array import array
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Literal

import numpy as np

from contentgen_adapters.embeddings.semantic.engines import Engine, best_engine
from contentgen_adapters.embeddings.semantic.tokens import Tokenizer
from contentgen_adapters.embeddings.semantic.weights import (
    DIMENSION,
    MAX_CHARACTERS,
    MODEL,
    WINDOW,
    Floats,
    Weights,
    known_file,
)
from contentgen_adapters.shared.text.model_input import bounded
from contentgen_core.ports.knowledge_base import Vector

_TEXTS_AT_ONCE: Final = 4  # a question waits for no more passages than these
_THREADS: Final = 4
_STEPS: Final = 2**14  # of a vector's numbers between 0 and 1: finer differences are those of machines


class SemanticEmbedder:
    """`weights`: of the known file. `engine`: None takes the best that is installed.
    Its threads end with the process."""

    def __init__(self, weights: Weights, engine: Engine | None = None) -> None:
        """Blocks for a second while the model is prepared: on an event loop use `open`."""
        self._weights, self._engine = weights, engine or best_engine(weights)
        self._tokenizer = Tokenizer(weights.vocabulary())
        self._places = weights.tensor("emb.pos").reshape(WINDOW, DIMENSION) + weights.tensor("emb.type")[:DIMENSION]
        self._pool = ThreadPoolExecutor(min(_THREADS, os.cpu_count() or 1), thread_name_prefix="semantic")

    @classmethod
    async def open(cls) -> SemanticEmbedder:
        """From the installed package, in a thread. Raises NotConfigured where it is missing or another one."""
        return await asyncio.to_thread(lambda: cls(Weights(known_file())))

    @property
    def model(self) -> str:
        return MODEL

    @property
    def dimension(self) -> int:
        return DIMENSION

    @property
    def embedding_weight(self) -> float:
        return 1.0

    async def embed(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        """One vector of unit length per text, in order."""
        loop, vectors = asyncio.get_running_loop(), list[Vector]()
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            part = texts[start : start + _TEXTS_AT_ONCE]
            vectors += await loop.run_in_executor(self._pool, self._embedded, part, kind)
        return vectors

    def embed_one(self, text: str, kind: Literal["passage", "query"]) -> bytes:
        """The numbers of one text's vector, of 32 bits each. Thread-safe; blocks for some milliseconds."""
        return self._vector(self.tokens(f"{kind}: {bounded(text, MAX_CHARACTERS)}")).tobytes()

    def tokens(self, text: str) -> list[int]:
        """The ids that the model sees for a text with its prefix."""
        return self._tokenizer.ids(text)

    def _embedded(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        return [array("f", self.embed_one(text, kind)) for text in texts]

    def _vector(self, ids: list[int]) -> Floats:
        """The mean of the hidden states at length 1, in steps that machines agree on where their rounding differs."""
        hidden = self._engine.hidden(self._weights.rows(ids) + self._places[: len(ids)])
        mean = hidden.mean(axis=0, dtype=np.float64)
        rounded: Floats = (np.rint(mean / np.linalg.norm(mean) * _STEPS) / _STEPS).astype(np.float32)
        return rounded
