"""The contract of the reranker over all adapters."""

from __future__ import annotations

import pytest

from contentgen_adapters.memory.reranker import OverlapReranker
from contentgen_adapters.reranking.shapes import COHERE, JINA, TEI, VLLM, Shape
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.ports.reranking import Reranker
from contentgen_core.testing.reranking import RerankerContract
from tests.contract.reranker_samples import Service, as_logit


class TestOverlapReranker(RerankerContract):
    @pytest.fixture
    def reranker(self) -> Reranker:
        return OverlapReranker(IcuTextAnalysis())


@pytest.mark.parametrize("shape", [COHERE, JINA, TEI, VLLM], ids=lambda shape: shape.name)
class TestRemoteReranker(RerankerContract):
    @pytest.fixture
    def reranker(self, shape: Shape) -> Reranker:
        return Service().reranker(shape)


@pytest.mark.parametrize("shape", [JINA, TEI], ids=lambda shape: shape.name)
class TestServiceThatGivesLogits(RerankerContract):
    @pytest.fixture
    def reranker(self, shape: Shape) -> Reranker:
        return Service(score=as_logit).reranker(shape)
