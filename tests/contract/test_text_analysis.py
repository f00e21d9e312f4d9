"""The contract of text analysis over ICU and Snowball."""

from __future__ import annotations

import pytest

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.text import TextAnalysis
from contentgen_core.testing.text_analysis import TextAnalysisContract


@pytest.fixture(scope="module")
def analysis() -> TextAnalysis:
    return IcuTextAnalysis()


class TestIcuTextAnalysis(TextAnalysisContract):
    pass
