"""The contract of the content model over all adapters."""

from __future__ import annotations

import pytest

from contentgen_adapters.llm.extractive import ExtractiveWriter
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.ports.content_model import ContentModel
from contentgen_core.testing.content_model import ContentModelContract
from tests.contract.model_server import ModelServer


class TestExtractiveWriter(ContentModelContract):
    @pytest.fixture
    def model(self) -> ContentModel:
        return ExtractiveWriter(IcuTextAnalysis())


class TestOpenAIWriter(ContentModelContract):
    @pytest.fixture
    def model(self) -> ContentModel:
        return ModelServer().openai()


class TestAnthropicWriter(ContentModelContract):
    @pytest.fixture
    def model(self) -> ContentModel:
        return ModelServer().anthropic()


class TestTextModelWriter(ContentModelContract):
    @pytest.fixture
    def model(self) -> ContentModel:
        return ModelServer().text()
