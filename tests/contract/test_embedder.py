"""The contract of the embedder over all adapters."""

from __future__ import annotations

from pathlib import Path

import pytest

from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.embeddings.onnx_folder import OnnxEmbedder
from contentgen_core.ports.knowledge_base import Embedder
from contentgen_core.testing.embedder import EmbedderContract
from tests.contract.embedder_samples import Endpoint, connected, write_model, write_tokenizer


class TestHashedEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return HashedEmbedder()


class TestOpenAIEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return connected(Endpoint())


class TestOnnxEmbedder(EmbedderContract):
    @pytest.fixture
    async def embedder(self, tmp_path: Path) -> Embedder:
        write_tokenizer(tmp_path)
        write_model(tmp_path / "model.onnx")
        return await OnnxEmbedder.open(tmp_path)
