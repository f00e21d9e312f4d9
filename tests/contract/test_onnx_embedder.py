"""What is particular to embeddings from a model folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from contentgen_adapters.embeddings import onnx_folder
from contentgen_adapters.embeddings.onnx_folder import OnnxEmbedder
from contentgen_adapters.shared.onnx_model import import_library
from contentgen_core.errors import NotConfigured, UnreadableFile
from contentgen_core.testing.embedder import same
from tests.contract.embedder_samples import DIMENSION, WORDS, table_of_words, write_model, write_tokenizer


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "sample-model"
    folder.mkdir()
    write_tokenizer(folder)
    write_model(folder / "model.onnx")
    return folder


@pytest.fixture
async def embedder(folder: Path) -> OnnxEmbedder:
    return await OnnxEmbedder.open(folder)


async def test_a_text_is_the_mean_of_its_tokens_whatever_stands_beside_it(embedder: OnnxEmbedder) -> None:
    vector, _ = await embedder.embed(["heat pump", "solar text " * 50], "passage")
    mean = table_of_words()[[WORDS.index("heat"), WORDS.index("pump")]].mean(axis=0)
    assert same(vector, list(mean / np.linalg.norm(mean)))


async def test_a_model_that_pools_by_itself_is_taken_at_its_word(folder: Path) -> None:
    write_model(folder / "model.onnx", pooled=True)
    (vector,) = await (await OnnxEmbedder.open(folder)).embed(["heat pump"], "passage")
    total = table_of_words()[[WORDS.index("heat"), WORDS.index("pump")]].sum(axis=0)
    assert same(vector, list(total / np.linalg.norm(total)))


async def test_the_prompts_of_the_folder_stand_before_the_texts(folder: Path) -> None:
    prompts = {"prompts": {"query": "query: "}, "default_prompt_name": None}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    embedder = await OnnxEmbedder.open(folder)
    (asked,) = await embedder.embed(["heat"], "query")
    (spelled,) = await embedder.embed(["query: heat"], "passage")
    (plain,) = await embedder.embed(["heat"], "passage")
    assert same(asked, spelled)
    assert not same(asked, plain)


async def test_a_text_is_cut_at_the_models_window(folder: Path) -> None:
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 2, "do_lower_case": false}')
    one, other = await (await OnnxEmbedder.open(folder)).embed(["heat pump", "heat pump solar"], "passage")
    assert same(one, other)


async def test_token_types_are_given_to_a_model_that_wants_them_and_the_onnx_subfolder_is_found(folder: Path) -> None:
    (folder / "model.onnx").unlink()
    write_model(folder / "onnx" / "model.onnx", inputs=("input_ids", "attention_mask", "token_type_ids"))
    assert (await OnnxEmbedder.open(folder)).dimension == DIMENSION


async def test_two_models_in_folders_of_one_name_are_two_spaces(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere" / folder.name
    other.mkdir(parents=True)
    write_tokenizer(other)
    write_model(other / "model.onnx", pooled=True)
    first, second = await OnnxEmbedder.open(folder), await OnnxEmbedder.open(other)
    assert first.model != second.model
    assert (await OnnxEmbedder.open(folder)).model == first.model


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json"])
async def test_a_missing_file_is_named(folder: Path, missing: str) -> None:
    (folder / missing).unlink()
    with pytest.raises(NotConfigured, match=missing) as raised:
        await OnnxEmbedder.open(folder)
    assert raised.value.setting == onnx_folder.SETTING


@pytest.mark.parametrize(
    "damaged", ["model.onnx", "tokenizer.json", "sentence_bert_config.json", "config_sentence_transformers.json"]
)
async def test_a_damaged_file_is_named(folder: Path, damaged: str) -> None:
    (folder / damaged).write_bytes(b"\x00 not what it should be")
    with pytest.raises(UnreadableFile, match=damaged):
        await OnnxEmbedder.open(folder)


async def test_an_input_that_text_does_not_give_is_named(folder: Path) -> None:
    write_model(folder / "model.onnx", inputs=("input_ids", "pixel_values"))
    with pytest.raises(UnreadableFile, match="pixel_values"):
        await OnnxEmbedder.open(folder)


@pytest.mark.parametrize("library", ["onnxruntime", "tokenizers"])
async def test_without_the_extra_it_says_what_to_install(
    folder: Path, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(NotConfigured, match=r"contentgen-grounded\[onnx\]"):
        await OnnxEmbedder.open(folder)


def test_the_runtime_reports_nothing_to_its_maker(tmp_path: Path) -> None:
    """It would begin with a number for the machine and a file of what is to be sent, where programs keep such files."""
    code = (
        f"from {import_library.__module__} import {import_library.__name__}; {import_library.__name__}('onnxruntime')"
    )
    env = {"HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    subprocess.run([sys.executable, "-c", code], env=env, check=True, timeout=60)
    assert list(tmp_path.iterdir()) == []
