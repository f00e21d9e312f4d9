"""What is particular to an entailment model from a folder."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from contentgen_adapters.entailment import onnx_folder
from contentgen_adapters.entailment.labels import SETTING as LABELS_SETTING
from contentgen_adapters.entailment.labels import Labels
from contentgen_adapters.entailment.onnx_folder import OnnxEntailment
from contentgen_adapters.shared.onnx_model import OnnxModel
from contentgen_core.errors import NotConfigured, ProviderFailed, UnreadableFile
from contentgen_core.ports.entailment import Judgement, Pair
from contentgen_core.testing.entailment import DENIED, PREMISE, SAID
from tests.contract.entailment_samples import write_folder

PAIRS = [Pair(PREMISE, SAID), Pair(PREMISE, DENIED)]


async def judged(folder: Path, labels: Labels | None = None) -> list[Judgement]:
    return await (await OnnxEntailment.open(folder, labels)).judge(PAIRS)


async def test_the_folder_says_which_class_is_which(tmp_path: Path) -> None:
    as_made, renamed = (
        write_folder(tmp_path / "as-made"),
        write_folder(tmp_path / "renamed", names={0: "neutral", 1: "entailment", 2: "contradiction"}),
    )
    [said, _], [neutral, _] = await judged(as_made), await judged(renamed)
    assert said.entailment == pytest.approx(np.exp(4) / (np.exp(4) + np.exp(-16) + 1), abs=1e-4)
    assert neutral.contradiction == pytest.approx(said.entailment)


async def test_numbered_classes_need_an_order(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, names={0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"})
    with pytest.raises(NotConfigured, match="LABEL_0") as raised:
        await OnnxEntailment.open(folder)
    assert raised.value.setting == LABELS_SETTING
    said, denied = await judged(folder, Labels.of("contradiction,neutral,entailment"))
    assert said.entailment > 0.9
    assert denied.contradiction > 0.9


@pytest.mark.parametrize(
    "names", [{0: "negative", 1: "neutral", 2: "positive"}, {0: "entailment", 1: "not_entailment"}, {1: "entailment"}]
)
async def test_a_model_of_something_else_is_refused(tmp_path: Path, names: dict[int, str]) -> None:
    with pytest.raises(UnreadableFile, match="no entailment model"):
        await OnnxEntailment.open(write_folder(tmp_path, names=names))


async def test_the_end_of_a_premise_beyond_the_models_window_is_cut_off_and_the_hypothesis_is_kept(
    tmp_path: Path,
) -> None:
    folder = write_folder(tmp_path, max_position_embeddings=12)  # 3 special tokens, 4 words of the hypothesis
    (folder / "tokenizer_config.json").write_text('{"model_max_length": 1000000000000000019884624838656}')
    entailment = await OnnxEntailment.open(folder)
    early, late = await entailment.judge(
        [Pair(f"The pump is quiet {'traffic ' * 20}", "The pump is quiet"),
         Pair(f"{'traffic ' * 20} the pump is quiet", "The pump is quiet")]
    )  # fmt: skip
    assert early.entailment > 0.9
    assert late.entailment < 0.1


async def test_two_models_have_two_names_and_one_has_one(tmp_path: Path) -> None:
    one = await OnnxEntailment.open(write_folder(tmp_path / "nli"))
    assert one.model.startswith("onnx-nli-")
    assert (await OnnxEntailment.open(tmp_path / "nli")).model == one.model
    other = write_folder(tmp_path / "other", names={0: "entailment", 1: "neutral", 2: "contradiction"})
    assert (await OnnxEntailment.open(other)).model.rpartition("-")[2] != one.model.rpartition("-")[2]


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json", "config.json"])
async def test_a_missing_file_is_named(tmp_path: Path, missing: str) -> None:
    (write_folder(tmp_path) / missing).unlink()
    with pytest.raises(NotConfigured, match=missing) as raised:
        await OnnxEntailment.open(tmp_path)
    assert raised.value.setting == onnx_folder.SETTING


@pytest.mark.parametrize("damaged", ["model.onnx", "tokenizer.json", "config.json", "tokenizer_config.json"])
async def test_a_damaged_file_is_named(tmp_path: Path, damaged: str) -> None:
    (write_folder(tmp_path) / damaged).write_bytes(b"\x00 not what it should be")
    with pytest.raises(UnreadableFile, match=damaged):
        await OnnxEntailment.open(tmp_path)


@pytest.mark.parametrize("library", ["onnxruntime", "tokenizers"])
async def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_folder(tmp_path)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(NotConfigured, match=r"contentgen-grounded\[onnx\]"):
        await OnnxEntailment.open(tmp_path)


@pytest.mark.parametrize("logits", [[[np.nan] * 3] * 2, [[np.inf, 0.0, 0.0]] * 2, [[0.0] * 3]])
async def test_an_answer_that_is_no_judgement_is_a_final_failure(
    tmp_path: Path, logits: list[list[float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    entailment = await OnnxEntailment.open(write_folder(tmp_path))
    answer = (np.array(logits, dtype=np.float32), np.ones((2, 1), dtype=np.int64))
    monkeypatch.setattr(OnnxModel, "run", lambda self, texts: answer)
    with pytest.raises(ProviderFailed) as raised:
        await entailment.judge(PAIRS)
    assert not raised.value.retryable
