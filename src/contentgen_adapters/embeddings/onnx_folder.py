"""Embeddings from a model folder on this machine, run by ONNX Runtime: the extra `contentgen[onnx]`."""

from __future__ import annotations

import asyncio
import hashlib
from array import array
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final, Literal, TypeVar

import msgspec
import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from contentgen_adapters.embeddings.texts import bounded
from contentgen_core.errors import NotConfigured, UnreadableFile
from contentgen_core.ports.knowledge_base import Vector

if TYPE_CHECKING:
    import onnxruntime
    import tokenizers

SETTING: Final = "CONTENTGEN_ONNX_MODEL_DIR"
MAX_CHARACTERS: Final = 20_000
"""Of each text; the model's window of tokens ends long before."""

_TEXTS_AT_ONCE: Final = 32
_DEFAULT_WINDOW: Final = 512
_LONGEST_WINDOW: Final = 8_192
_MODEL_PLACES: Final = ("model.onnx", "onnx/model.onnx")
_TOKENIZER: Final = "tokenizer.json"
_INPUTS: Final = frozenset({"input_ids", "attention_mask", "token_type_ids"})

S = TypeVar("S")


class _Window(msgspec.Struct):
    """`sentence_bert_config.json`, as sentence-transformers writes it."""

    max_seq_length: int = _DEFAULT_WINDOW


class _Prompts(msgspec.Struct):
    """`config_sentence_transformers.json`: what to put before a text, by kind (E5 models want `query: `)."""

    prompts: dict[str, str] = {}


class OnnxEmbedder:
    """A folder with `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json`, and if the model came with them
    `sentence_bert_config.json` (its window) and `config_sentence_transformers.json` (its prompts).
    Token vectors are averaged over the attention mask; a model that answers with one vector a text is taken as is."""

    def __init__(self, folder: Path) -> None:
        """Loads the model, which may take seconds and blocks: on an event loop use `open`. Raises NotConfigured when
        the extra or a file is missing, UnreadableFile when a file is damaged."""
        files = _Files.of(folder)
        self._prompts = _config(folder / "config_sentence_transformers.json", _Prompts()).prompts
        window = max(1, min(_config(folder / "sentence_bert_config.json", _Window()).max_seq_length, _LONGEST_WINDOW))
        self._tokenizer = files.tokenizer(window)
        self._session = files.session()
        self._inputs = {entry.name for entry in self._session.get_inputs()}
        self._name = f"onnx-{folder.resolve().name}-{files.digest(repr((window, sorted(self._prompts.items()))))}"
        self._dimension = len(self._run([""])[0])

    @classmethod
    async def open(cls, folder: Path) -> OnnxEmbedder:
        """Load in a thread. Raises as the constructor does."""
        return await asyncio.to_thread(cls, folder)

    @property
    def model(self) -> str:
        """The folder's name and a digest of what decides the vectors: two models never share it."""
        return self._name

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def trust(self) -> float:
        return 1.0

    async def embed(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        """One vector of unit length a text, in order. Raises UnreadableFile when the model cannot run."""
        prompt = self._prompts.get(kind, "")
        prompted = [prompt + bounded(text, MAX_CHARACTERS) for text in texts]
        vectors: list[Vector] = []
        for start in range(0, len(prompted), _TEXTS_AT_ONCE):
            vectors += await asyncio.to_thread(self._run, prompted[start : start + _TEXTS_AT_ONCE])
        return vectors

    def _run(self, texts: list[str]) -> list[Vector]:
        encodings = self._tokenizer.encode_batch(texts)
        width = max(1, *(len(e.ids) for e in encodings))
        ids, mask = np.zeros((2, len(texts), width), dtype=np.int64)
        for row, encoding in enumerate(encodings):
            ids[row, : len(encoding.ids)] = encoding.ids
            mask[row, : len(encoding.ids)] = encoding.attention_mask
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        try:
            answer = self._session.run(None, {name: feed[name] for name in self._inputs})[0]
        except Exception as exc:  # the runtime has no common class for its errors
            raise UnreadableFile(f"The embedding model {self._name} cannot be run on a text.") from exc
        return [array("f", row.tobytes()) for row in _unit(_pooled(np.asarray(answer, dtype=np.float32), mask))]


@frozen
class _Files:
    model: Path
    tokens: Path

    @classmethod
    def of(cls, folder: Path) -> _Files:
        model = next((folder / place for place in _MODEL_PLACES if (folder / place).is_file()), folder / "model.onnx")
        for needed in (model, folder / _TOKENIZER):
            if not needed.is_file():
                raise NotConfigured(f"The folder of the embedding model has no {needed.name} ({needed}).", SETTING)
        return cls(model, folder / _TOKENIZER)

    def tokenizer(self, window: int) -> tokenizers.Tokenizer:
        library = _library("tokenizers")
        try:
            tokenizer: tokenizers.Tokenizer = library.Tokenizer.from_file(str(self.tokens))
            tokenizer.enable_truncation(window)
            tokenizer.no_padding()
        except Exception as exc:  # the library raises bare Exception
            raise UnreadableFile(f"{self.tokens} is not a tokenizer of the tokenizers library.") from exc
        return tokenizer

    def session(self) -> onnxruntime.InferenceSession:
        library = _library("onnxruntime")
        try:
            session = library.InferenceSession(str(self.model), providers=["CPUExecutionProvider"])
        except Exception as exc:  # the runtime has no common class for its errors
            raise UnreadableFile(f"{self.model} is not a model that ONNX Runtime can load.") from exc
        unknown = {entry.name for entry in session.get_inputs()} - _INPUTS
        if unknown:
            raise UnreadableFile(f"{self.model} asks for {', '.join(sorted(unknown))}, which text does not give.")
        return session

    def digest(self, settings: str) -> str:
        """Of all that decides the vectors."""
        digest = hashlib.sha256(settings.encode())
        for path in (self.model, self.tokens):
            with path.open("rb") as opened:
                digest.update(hashlib.file_digest(opened, "sha256").digest())
        return digest.hexdigest()[:12]


def _library(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError as exc:
        message = f"A model folder needs the Python package {name}: install contentgen[onnx], or do without the folder."
        raise NotConfigured(message, SETTING) from exc


def _config(path: Path, default: S) -> S:
    if not path.is_file():
        return default
    try:
        return msgspec.json.decode(path.read_bytes(), type=type(default))
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as exc:
        raise UnreadableFile(f"{path} is not the JSON that sentence-transformers writes.") from exc


def _pooled(answer: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.float32]:
    """[texts, tokens, dimension] averaged over the tokens that the mask keeps; [texts, dimension] as it is."""
    if answer.ndim == 2:
        return answer
    if answer.ndim != 3:
        raise UnreadableFile(f"The embedding model's first output has {answer.ndim} axes; 2 or 3 are understood.")
    kept = mask[:, :, np.newaxis].astype(np.float32)
    averaged: NDArray[np.float32] = (answer * kept).sum(axis=1) / np.maximum(kept.sum(axis=1), 1.0)
    return averaged


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scaled to length 1; what has no direction (a text without tokens) becomes the first axis."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    blank = ~(lengths[:, 0] > 0)
    vectors, lengths = vectors.copy(), lengths.copy()
    vectors[blank], lengths[blank] = 0.0, 1.0
    vectors[blank, 0] = 1.0
    scaled: NDArray[np.float32] = np.ascontiguousarray(vectors / lengths, dtype=np.float32)
    return scaled
