"""The contract of the web search over all adapters."""

from __future__ import annotations

import pytest

from contentgen_adapters.web_search.catalog import PROVIDERS
from contentgen_adapters.web_search.fallback import FallbackSearch
from contentgen_core.ports.web_search import WebSearch
from contentgen_core.testing.web_search import WebSearchContract
from tests.contract.search_server import SearchServer, memory_search


class TestMemoryWebSearch(WebSearchContract):
    @pytest.fixture
    def search(self) -> WebSearch:
        return memory_search()


class TestStandardSearches(WebSearchContract):
    @pytest.fixture(params=[provider.id for provider in PROVIDERS])
    def search(self, request: pytest.FixtureRequest) -> WebSearch:
        return SearchServer().search(request.param)


class TestGptPremiumSearch(WebSearchContract):
    @pytest.fixture
    def search(self) -> WebSearch:
        return SearchServer().premium()


class TestFallbackSearch(WebSearchContract):
    @pytest.fixture
    def search(self) -> WebSearch:
        return FallbackSearch(SearchServer().premium(), memory_search())
