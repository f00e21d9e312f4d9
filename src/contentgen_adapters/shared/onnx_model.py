"""A local model folder, run by ONNX Runtime (extra `contentgen-grounded[onnx]`)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec
import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from contentgen_core.errors import NotConfigured, UnreadableFile

if TYPE_CHECKING:
    import onnxruntime
    import tokenizers

DEFAULT_WINDOW: Final = 512
LONGEST_WINDOW: Final = 8_192

_MODEL_PLACES: Final = ("model.onnx", "onnx/model.onnx")
_TOKENIZER: Final = "tokenizer.json"
_INPUTS: Final = frozenset({"input_ids", "attention_mask", "token_type_ids"})

S = TypeVar("S")


@frozen
class ModelFolder:
    """A folder with `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json`.

    `what`: its purpose in error messages, such as "embedding model". `setting`: the variable that names the folder.
    """

    path: Path
    what: str
    setting: str

    def config(self, name: str, default: S) -> S:
        """An optional JSON file, decoded as the type of `default`, which stands for a missing one. Raises
        UnreadableFile."""
        path = self.path / name
        if not path.is_file():
            return default
        try:
            return msgspec.json.decode(path.read_bytes(), type=type(default))
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as exc:
            raise UnreadableFile(f"{path} is not the JSON that such a model folder holds.") from exc

    def file(self, *places: str) -> Path:
        """Return the first of these files that exists. Raises NotConfigured."""
        for place in places:
            if (self.path / place).is_file():
                return self.path / place
        first = self.path / places[0]
        raise NotConfigured(f"The folder of the {self.what} has no {first.name} ({first}).", self.setting)

    def library(self, name: str) -> ModuleType:
        """A library of the extra. Raises NotConfigured when it is not installed."""
        try:
            return import_library(name)
        except ImportError as exc:
            needed = f"A model folder needs the Python package {name}"
            message = f"{needed}: install contentgen-grounded[onnx], or do without the folder."
            raise NotConfigured(message, self.setting) from exc


def import_library(name: str) -> ModuleType:
    """Import a library that runs models."""
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    return import_module(name)


class OnnxModel:
    """A loaded model with its tokenizer. Thread-safe.

    `window`: most tokens of an input; the rest is truncated, of a pair from the longer text. `settings`: whatever else
    the outputs depend on; it becomes part of the model's digest. `threads`: of one call; None: as many as there are
    processors.
    """

    def __init__(self, folder: ModelFolder, window: int, settings: str = "", threads: int | None = None) -> None:
        """Blocks for seconds while the model loads. Raises NotConfigured when the extra or a file is missing,
        UnreadableFile when a file is damaged."""
        model, tokens = folder.file(*_MODEL_PLACES), folder.file(_TOKENIZER)
        self._what = folder.what
        self._tokenizer = _tokenizer(folder, tokens, max(1, min(window, LONGEST_WINDOW)))
        self._session = _session(folder, model, threads)
        self._inputs = {entry.name for entry in self._session.get_inputs()}
        self.name = f"onnx-{folder.path.resolve().name}-{_digest(settings, model, tokens)}"
        """The folder's name and a digest of what decides the answers: two models never share it."""

    def run(self, texts: Sequence[str | tuple[str, str]]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """The model's first output for texts or pairs of texts, and the attention mask, [texts, tokens]. Blocks.
        Raises UnreadableFile when the model cannot run."""
        encodings = self._tokenizer.encode_batch(list(texts))
        width = max(1, *(len(e.ids) for e in encodings))
        ids, mask, types = np.zeros((3, len(texts), width), dtype=np.int64)
        for row, encoding in enumerate(encodings):
            ids[row, : len(encoding.ids)] = encoding.ids
            mask[row, : len(encoding.ids)] = encoding.attention_mask
            types[row, : len(encoding.ids)] = encoding.type_ids
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        try:
            answer = self._session.run(None, {name: feed[name] for name in self._inputs})[0]
        except Exception as exc:  # the runtime has no common class for its errors
            raise UnreadableFile(f"The {self._what} {self.name} cannot be run on a text.") from exc
        return np.asarray(answer, dtype=np.float32), mask


def _tokenizer(folder: ModelFolder, path: Path, window: int) -> tokenizers.Tokenizer:
    library = folder.library("tokenizers")
    try:
        tokenizer: tokenizers.Tokenizer = library.Tokenizer.from_file(str(path))
        tokenizer.enable_truncation(window)
        tokenizer.no_padding()
    except Exception as exc:  # the library raises bare Exception
        raise UnreadableFile(f"{path} is not a tokenizer of the tokenizers library.") from exc
    return tokenizer


def _session(folder: ModelFolder, path: Path, threads: int | None) -> onnxruntime.InferenceSession:
    library = folder.library("onnxruntime")
    options = library.SessionOptions()
    if threads is not None:
        options.intra_op_num_threads = options.inter_op_num_threads = threads
    try:
        session = library.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as exc:  # the runtime has no common class for its errors
        raise UnreadableFile(f"{path} is not a model that ONNX Runtime can load.") from exc
    unknown = {entry.name for entry in session.get_inputs()} - _INPUTS
    if unknown:
        raise UnreadableFile(f"{path} asks for {', '.join(sorted(unknown))}, which text does not give.")
    return session


def _digest(settings: str, *paths: Path) -> str:
    digest = hashlib.sha256(settings.encode())
    for path in paths:
        with path.open("rb") as opened:
            digest.update(hashlib.file_digest(opened, "sha256").digest())
    return digest.hexdigest()[:12]
