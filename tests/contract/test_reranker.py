"""The contract of the reranker over all adapters."""

from __future__ import annotations

import pytest

from contentgen_adapters.memory.reranker import OverlapReranker
from contentgen_adapters.reranking.apis import COHERE, JINA, TEI, VLLM, RerankApi
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.ports.reranking import Reranker
from contentgen_core.testing.reranking import RerankerContract
from tests.contract.reranker_samples import Service, as_logit


class TestOverlapReranker(RerankerContract):
    @pytest.fixture
    def reranker(self) -> Reranker:
        return OverlapReranker(IcuTextAnalysis())


@pytest.mark.parametrize("api", [COHERE, JINA, TEI, VLLM], ids=lambda api: api.name)
class TestRemoteReranker(RerankerContract):
    @pytest.fixture
    def reranker(self, api: RerankApi) -> Reranker:
        return Service().reranker(api)


@pytest.mark.parametrize("api", [JINA, TEI], ids=lambda api: api.name)
class TestServiceThatGivesLogits(RerankerContract):
    @pytest.fixture
    def reranker(self, api: RerankApi) -> Reranker:
        return Service(score=as_logit).reranker(api)
