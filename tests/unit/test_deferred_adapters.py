"""Adapters that wait for their first use, and what writing does without."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from contentgen_core.ports.web_search import ConfiguredWebSearches
from contentgen_grounded.bootstrap.deferred import deferred, unwrap
from contentgen_grounded.bootstrap.writing import asks_nobody
from contentgen_grounded.settings import BadSetting, Settings
from contentgen_http.telemetry.telemetry import Telemetry

UNUSED = (
    "httpx",
    "httpcore",
    "jwt",
    "cryptography",
    "contentgen_grounded.bootstrap.providers",
    "contentgen_adapters.publishing",
)
WRITE = """
import sys
from contentgen_grounded import Settings, SourceText, write

text = "A heat pump moves heat from outside into a house. It needs electricity for its compressor and its fan."
write("Heat pumps", [SourceText("a", text, "Heat pumps")], settings=Settings(embeddings="hashed"),
      allow_low_coverage=True)
print(*sys.modules)
"""


class Adapter:
    """Counts how often it is made."""

    count = 0

    def __init__(self) -> None:
        type(self).count += 1
        self.answer = 42


def test_an_adapter_is_made_once_when_it_is_first_asked_for_something() -> None:
    Adapter.count = 0
    stands_for = deferred(Adapter)
    assert Adapter.count == 0
    assert stands_for.answer == 42
    assert isinstance(unwrap(stands_for), Adapter)
    assert unwrap(stands_for) is unwrap(stands_for)
    assert Adapter.count == 1


def test_what_was_not_deferred_is_itself() -> None:
    adapter = Adapter()
    assert unwrap(adapter) is adapter


def test_asking_for_its_class_makes_nothing() -> None:
    Adapter.count = 0
    assert not isinstance(deferred(Adapter), Adapter)
    assert Adapter.count == 0


def test_deferred_searches_are_watched_like_others() -> None:
    searches = deferred(lambda: ConfiguredWebSearches(None, None, "a setting"))
    assert Telemetry().searches(searches) == ConfiguredWebSearches(None, None, "a setting")


def test_what_it_lacks_is_missing_as_it_would_be_without() -> None:
    with pytest.raises(AttributeError, match="'Adapter' object has no attribute 'question'"):
        deferred(Adapter).question()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("settings", "nobody"),
    [
        ({}, True),
        ({"embeddings": "hashed"}, True),
        ({"embeddings": "semantic"}, True),
        ({"content_model": "extractive", "openai_api_key": "sk-1"}, True),
        ({"openai_api_key": "sk-1"}, False),
        ({"openai_base_url": "http://127.0.0.1:1/v1"}, False),
        ({"anthropic_api_key": "sk-1"}, False),
        ({"embeddings": "openai", "openai_api_key": "sk-1", "content_model": "extractive"}, False),
        ({"reranker": "tei", "reranker_base_url": "http://127.0.0.1:1"}, False),
        ({"entailment": "tei", "entailment_base_url": "http://127.0.0.1:1"}, False),
    ],
)
def test_nobody_is_asked_where_all_that_writes_is_within(settings: dict[str, Any], nobody: bool) -> None:
    assert asks_nobody(Settings(**settings)) is nobody


def test_prices_that_do_not_go_together_are_refused_there_as_well() -> None:
    with pytest.raises(BadSetting):
        asks_nobody(Settings(model_input_price=1.0))


def test_writing_imports_nothing_that_calls_or_publishes() -> None:
    ended = subprocess.run([sys.executable, "-c", WRITE], capture_output=True, text=True, check=True, timeout=120)
    modules = set(ended.stdout.split())
    assert "contentgen_core.use_cases.generation.write_article" in modules
    assert sorted(modules.intersection(UNUSED)) == []
