"""An entailment model from a local folder, run by ONNX Runtime (extra `contentgen-grounded[onnx]`)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from contentgen_adapters.entailment.labels import InvalidOutput, Labels
from contentgen_adapters.shared.onnx_model import DEFAULT_WINDOW, LONGEST_WINDOW, ModelFolder, OnnxModel
from contentgen_adapters.shared.text.model_input import cut
from contentgen_core.errors import ProviderFailed, UnreadableFile
from contentgen_core.ports.entailment import MAX_HYPOTHESIS, MAX_PREMISE, Judgement, Pair, require_bounded

SETTING: Final = "CONTENTGEN_ENTAILMENT_MODEL_DIR"

_PAIRS_AT_ONCE: Final = 8
_PROBE: Final = Pair("A text.", "A text.")


class _Config(msgspec.Struct):
    """The file `config.json`, as transformers writes it: the names of the classes, and the most tokens of an input."""

    id2label: dict[str, str] = {}
    max_position_embeddings: int = LONGEST_WINDOW


class _Tokens(msgspec.Struct):
    """The file `tokenizer_config.json`; transformers writes 10^30 for an unknown length."""

    model_max_length: float = DEFAULT_WINDOW


class OnnxEntailment:
    """The entailment port over a local model, whose first output are logits, [pairs, 3].

    `folder`: holds `model.onnx` (or `onnx/model.onnx`), `tokenizer.json` and `config.json` (with `id2label`); optional
    is `tokenizer_config.json` (the window). `labels`: the operator's order of classes with numbered names.
    """

    def __init__(self, folder: Path, labels: Labels | None = None) -> None:
        """Blocks for seconds while the model loads: on an event loop use `open`. Raises NotConfigured when the extra, a
        file or the order of the labels is missing, UnreadableFile when a file is damaged or the model is not an
        entailment model."""
        files = ModelFolder(folder, "entailment model", SETTING)
        files.file("config.json")
        config = files.config("config.json", _Config())
        known = files.config("tokenizer_config.json", _Tokens()).model_max_length
        window = int(known) if 1 <= known <= LONGEST_WINDOW else DEFAULT_WINDOW
        self._labels = labels or Labels()
        self._classes = [config.id2label.get(str(place), "") for place in range(len(config.id2label))]
        self._model = OnnxModel(files, min(window, config.max_position_embeddings), repr((window, self._classes)))
        try:
            self._judge([_PROBE])
        except InvalidOutput as exc:
            raise UnreadableFile(f"The model in {folder} is no entailment model: {exc}.") from exc

    @classmethod
    async def open(cls, folder: Path, labels: Labels | None = None) -> OnnxEntailment:
        """The constructor in a thread. Raises the same."""
        return await asyncio.to_thread(cls, folder, labels)

    @property
    def model(self) -> str:
        return self._model.name

    async def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Implement the port. Raises ProviderFailed when the model cannot run on these texts."""
        require_bounded(pairs)
        judgements: list[Judgement] = []
        for start in range(0, len(pairs), _PAIRS_AT_ONCE):
            try:
                judgements += await asyncio.to_thread(self._judge, pairs[start : start + _PAIRS_AT_ONCE])
            except (InvalidOutput, UnreadableFile) as exc:
                raise ProviderFailed("entailment", str(exc), retryable=False) from exc
        return judgements

    def _judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        texts = [(cut(pair.premise, MAX_PREMISE), cut(pair.hypothesis, MAX_HYPOTHESIS)) for pair in pairs]
        logits, _ = self._model.run(texts)
        if logits.shape != (len(pairs), len(self._classes)):
            shape = " × ".join(map(str, logits.shape))
            raise InvalidOutput(
                f"it answers {len(pairs)} pairs with {shape} numbers, and config.json names {self._classes}"
            )
        with np.errstate(invalid="ignore"):  # NaN is detected in the probabilities below
            raised = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
            rows = (raised / raised.sum(axis=1, keepdims=True)).tolist()
        return [self._labels.judgement(list(zip(self._classes, row, strict=True))) for row in rows]
