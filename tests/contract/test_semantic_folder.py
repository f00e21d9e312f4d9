"""multilingual-e5-small from a folder, over a tiny model in the place of the published one."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from contentgen_adapters.embeddings.semantic.embedder import FolderEmbedder
from contentgen_adapters.embeddings.semantic.published import E5_SMALL, PublishedFile, PublishedModel, precision_of
from contentgen_core.errors import NotConfigured
from contentgen_core.ports.knowledge_base import Embedder
from contentgen_core.testing.embedder import EmbedderContract, same
from tests.contract.embedder_samples import WORDS, table_of_words, write_model, write_tokenizer


def published(folder: Path) -> PublishedModel:
    """What a folder holds as if it had been published."""

    def file(name: str) -> PublishedFile:
        content = (folder / name).read_bytes()
        return PublishedFile(name, name, len(content), hashlib.sha256(content).hexdigest())

    return PublishedModel(file("tokenizer.json"), {"int8": file("model.onnx")})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_tokenizer(tmp_path)
    write_model(tmp_path / "model.onnx")
    return tmp_path


@pytest.fixture
def embedder(folder: Path) -> FolderEmbedder:
    return FolderEmbedder(folder, published(folder))


class TestFolderEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self, folder: Path) -> Embedder:
        return FolderEmbedder(folder, published(folder))


async def test_a_vector_is_the_mean_over_the_prefix_and_the_text(folder: Path, embedder: FolderEmbedder) -> None:
    (vector,) = await embedder.embed(["heat pump"], "query")
    words = [WORDS.index(word) for word in ("query", ":", "heat", "pump")]
    mean = table_of_words()[words].mean(axis=0)
    assert same(vector, list(mean / np.linalg.norm(mean)))
    digest = hashlib.sha256((folder / "model.onnx").read_bytes()).hexdigest()
    assert embedder.model == f"multilingual-e5-small-{digest[:12]}"


async def test_what_stands_beyond_the_window_makes_no_difference(embedder: FolderEmbedder) -> None:
    one, other = await embedder.embed(["heat " * 520, "heat " * 520 + "pump"], "passage")
    assert one == other


async def test_each_precision_has_a_space_of_its_own(folder: Path, tmp_path: Path) -> None:
    first = FolderEmbedder(folder, published(folder)).model
    write_model(folder / "model.onnx", inputs=("input_ids", "attention_mask", "token_type_ids"))
    assert FolderEmbedder(folder, published(folder)).model != first


@pytest.mark.parametrize("changed", ["model.onnx", "tokenizer.json"])
@pytest.mark.parametrize("gone", [True, False])
async def test_a_file_that_is_not_the_published_one_is_refused_with_what_to_do(
    folder: Path, changed: str, gone: bool
) -> None:
    known = published(folder)
    (folder / changed).unlink() if gone else (folder / changed).write_bytes(b"another")
    with pytest.raises(NotConfigured, match="contentgen models fetch multilingual-e5-small --to"):
        FolderEmbedder(folder, known)


def test_the_published_files_are_named_whole() -> None:
    for precision in E5_SMALL.precisions:
        for file in E5_SMALL.files(precision):
            assert len(bytes.fromhex(file.sha256)) == 32
            assert file.size > 10_000_000
    with pytest.raises(NotConfigured):
        precision_of(Path("/nowhere"))
