"""Embeddings from a local model folder, run by ONNX Runtime (extra `contentgen-grounded[onnx]`)."""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from contentgen_adapters.shared.onnx_model import DEFAULT_WINDOW, LONGEST_WINDOW, ModelFolder, OnnxModel
from contentgen_adapters.shared.text.model_input import cut
from contentgen_core.errors import UnreadableFile
from contentgen_core.ports.knowledge_base import Vector

SETTING: Final = "CONTENTGEN_ONNX_MODEL_DIR"
MAX_CHARACTERS: Final = 20_000
"""Of each text; the model's window of tokens ends long before."""

_TEXTS_AT_ONCE: Final = 32


class _Window(msgspec.Struct):
    """The file `sentence_bert_config.json`, as sentence-transformers writes it."""

    max_seq_length: int = DEFAULT_WINDOW


class _Prompts(msgspec.Struct):
    """The file `config_sentence_transformers.json`: the prefix of a text, by kind (E5 models need `query: `)."""

    prompts: dict[str, str] = {}


class OnnxEmbedder:
    """The embedder port over a local model. Token vectors are averaged over the attention mask; a model that returns
    one vector per text is used as it is.

    `folder`: holds `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json`; optional are `sentence_bert_config.json`
    (the window) and `config_sentence_transformers.json` (prefixes).
    """

    def __init__(self, folder: Path) -> None:
        """Blocks for seconds while the model loads: on an event loop use `open`. Raises NotConfigured when the extra or
        a file is missing, UnreadableFile when a file is damaged."""
        files = ModelFolder(folder, "embedding model", SETTING)
        self._prompts = files.config("config_sentence_transformers.json", _Prompts()).prompts
        window = max(1, min(files.config("sentence_bert_config.json", _Window()).max_seq_length, LONGEST_WINDOW))
        self._model = OnnxModel(files, window, repr((window, sorted(self._prompts.items()))))
        self._dimension = len(self._run([""])[0])

    @classmethod
    async def open(cls, folder: Path) -> OnnxEmbedder:
        """The constructor in a thread. Raises the same."""
        return await asyncio.to_thread(cls, folder)

    @property
    def model(self) -> str:
        return self._model.name

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def embedding_weight(self) -> float:
        return 1.0

    async def embed(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        """Return one vector of unit length per text, in order. Raises UnreadableFile when the model cannot run."""
        prompt = self._prompts.get(kind, "")
        prompted = [prompt + cut(text, MAX_CHARACTERS) for text in texts]
        vectors: list[Vector] = []
        for start in range(0, len(prompted), _TEXTS_AT_ONCE):
            vectors += await asyncio.to_thread(self._run, prompted[start : start + _TEXTS_AT_ONCE])
        return vectors

    def _run(self, texts: list[str]) -> list[Vector]:
        answer, mask = self._model.run(texts)
        return [array("f", row.tobytes()) for row in _unit(_mean_pool(answer, mask))]


def _mean_pool(answer: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.float32]:
    """Averages [texts, tokens, dimension] over the tokens in the mask; returns [texts, dimension] unchanged."""
    if answer.ndim == 2:
        return answer
    if answer.ndim != 3:
        raise UnreadableFile(f"The embedding model's first output has {answer.ndim} axes; 2 or 3 are understood.")
    kept = mask[:, :, np.newaxis].astype(np.float32)
    averaged: NDArray[np.float32] = (answer * kept).sum(axis=1) / np.maximum(kept.sum(axis=1), 1.0)
    return averaged


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scales each vector to length 1; a zero vector (a text without tokens) becomes the first axis."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    blank = ~(lengths[:, 0] > 0)
    vectors, lengths = vectors.copy(), lengths.copy()
    vectors[blank], lengths[blank] = 0.0, 1.0
    vectors[blank, 0] = 1.0
    scaled: NDArray[np.float32] = np.ascontiguousarray(vectors / lengths, dtype=np.float32)
    return scaled
