"""The steps around multilingual-e5-small, whichever engine runs it (Wang et al. 2024, "Multilingual E5 Text
Embeddings"): a prefix by kind of text, the mean of the hidden states, length 1.
"""

from __future__ import annotations

import asyncio
import os
from abc import ABC, abstractmethod
from array import array
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Literal

import numpy as np

from contentgen_adapters.embeddings.semantic.weights import MAX_CHARACTERS, Floats
from contentgen_adapters.shared.text.model_input import cut
from contentgen_core.ports.knowledge_base import Vector

_TEXTS_AT_ONCE: Final = 4  # a question waits for no more passages than these
_THREADS: Final = 4
_STEPS: Final = 2**14  # of a vector's numbers between 0 and 1: finer differences are those of machines


class E5Embedder(ABC):
    """The embedder port but for the model itself. Its threads end with the process."""

    def __init__(self, model: str, dimension: int) -> None:
        """`model`: the name of the vectors' space. `dimension`: of the vectors."""
        self._model, self._dimension = model, dimension
        self._pool = ThreadPoolExecutor(min(_THREADS, os.cpu_count() or 1), thread_name_prefix="semantic")

    @property
    def model(self) -> str:
        return self._model

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def embedding_weight(self) -> float:
        return 1.0

    async def embed(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        """Return one vector of unit length per text, in order."""
        loop, vectors = asyncio.get_running_loop(), list[Vector]()
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            part = texts[start : start + _TEXTS_AT_ONCE]
            vectors += await loop.run_in_executor(self._pool, self._embed_texts, part, kind)
        return vectors

    def embed_one(self, text: str, kind: Literal["passage", "query"]) -> bytes:
        """The numbers of one text's vector, of 32 bits each. Thread-safe; blocks for some milliseconds."""
        return self._vector(f"{kind}: {cut(text, MAX_CHARACTERS)}").tobytes()

    @abstractmethod
    def hidden(self, text: str) -> Floats:
        """The hidden states of a text with its prefix, [tokens, dimension]. Thread-safe."""

    def _embed_texts(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        return [array("f", self.embed_one(text, kind)) for text in texts]

    def _vector(self, text: str) -> Floats:
        """The mean of the hidden states at length 1, in steps that machines agree on where their rounding differs."""
        mean = self.hidden(text).mean(axis=0, dtype=np.float64)
        rounded: Floats = (np.rint(mean / np.linalg.norm(mean) * _STEPS) / _STEPS).astype(np.float32)
        return rounded
