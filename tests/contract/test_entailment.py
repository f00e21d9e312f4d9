"""The contract of the entailment model over all adapters."""

from __future__ import annotations

from pathlib import Path

import pytest

from contentgen_adapters.entailment.onnx_folder import OnnxEntailment
from contentgen_adapters.memory.entailment import MemoryEntailment
from contentgen_core.ports.entailment import EntailmentModel
from contentgen_core.testing.entailment import EntailmentContract
from tests.contract.entailment_samples import Server, connected, write_folder


class TestMemoryEntailment(EntailmentContract):
    @pytest.fixture
    def entailment(self) -> EntailmentModel:
        return MemoryEntailment()


class TestTeiEntailment(EntailmentContract):
    @pytest.fixture
    def entailment(self) -> EntailmentModel:
        return connected(Server())


class TestOnnxEntailment(EntailmentContract):
    @pytest.fixture
    async def entailment(self, tmp_path: Path) -> EntailmentModel:
        return await OnnxEntailment.open(write_folder(tmp_path))
