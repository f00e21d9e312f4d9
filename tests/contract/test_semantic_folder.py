"""multilingual-e5-small from a folder, over a tiny model in the place of the published one."""

from __future__ import annotations

import asyncio
import hashlib
from importlib import metadata
from pathlib import Path

import msgspec
import numpy as np
import pytest
from structlog.testing import capture_logs

from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.embeddings.semantic.embedder import FolderEmbedder
from contentgen_adapters.embeddings.semantic.process import SemanticProcess
from contentgen_adapters.embeddings.semantic.published import E5_SMALL, PublishedFile, PublishedModel, precision_of
from contentgen_adapters.shared.http import make_client
from contentgen_core.errors import NotConfigured
from contentgen_core.ports.knowledge_base import Embedder
from contentgen_core.testing.embedder import EmbedderContract, same
from contentgen_grounded.bootstrap import models
from contentgen_grounded.bootstrap.embedding import chosen_embedder
from contentgen_grounded.settings import Settings
from tests.contract.embedder_samples import WORDS, table_of_words, write_model, write_tokenizer
from tests.contract.test_semantic_embedder import missing, of_another_version


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


def test_the_folder_of_the_settings_goes_before_the_package_and_a_fetched_one_behind_it(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data_dir=tmp_path)
    fetched = models.folder_of(settings, "multilingual-e5-small")
    fetched.mkdir(parents=True)
    write_model(fetched / "model.onnx")
    assert models.semantic_folder(settings) is None
    assert models.semantic_folder(msgspec.structs.replace(settings, onnx_model_dir=folder)) == folder
    for distribution in (missing, of_another_version):
        with monkeypatch.context() as patched:
            patched.setattr(metadata, "distribution", distribution)
            assert models.semantic_folder(settings) == fetched
    (fetched / "model.onnx").unlink()
    monkeypatch.setattr(metadata, "distribution", missing)
    assert models.semantic_folder(settings) is None


async def test_the_setting_runs_it_and_auto_goes_on_without_files_that_are_others(folder: Path) -> None:
    semantic, auto = (Settings(embeddings=choice, onnx_model_dir=folder) for choice in ("semantic", "auto"))
    async with make_client() as client:
        for apart in (False, True):
            with pytest.raises(NotConfigured, match="does not hold the published files"):
                async with chosen_embedder(semantic, client, apart=apart):
                    pass
        with capture_logs() as logs, pytest.MonkeyPatch.context() as patched:
            async with chosen_embedder(auto, client, apart=True) as chosen:
                assert isinstance(chosen.embedder, SemanticProcess), "from the package"
            patched.setattr(metadata, "distribution", missing)
            async with chosen_embedder(auto, client, apart=False) as chosen:
                assert isinstance(chosen.embedder, HashedEmbedder)
            tiny = FolderEmbedder(folder, published(folder))
            patched.setattr(FolderEmbedder, "open", classmethod(lambda cls, given: asyncio.sleep(0, tiny)))
            for settings in (semantic, auto):
                async with chosen_embedder(settings, client, apart=False) as chosen:
                    assert chosen.embedder is tiny
    assert [line["log_level"] for line in logs] == ["warning", "warning"]


def test_the_published_files_are_named_whole() -> None:
    for precision in E5_SMALL.precisions:
        for file in E5_SMALL.files(precision):
            assert len(bytes.fromhex(file.sha256)) == 32
            assert file.size > 10_000_000
    with pytest.raises(NotConfigured):
        precision_of(Path("/nowhere"))
