"""The contract of text analysis over ICU and Snowball."""

from __future__ import annotations

from functools import cache
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from contentgen_adapters.shared.text import segments
from contentgen_adapters.text import analysis as told
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_adapters.text.numbers import grouped_numbers
from contentgen_adapters.text.terms import TermRules
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.testing.text_analysis import TextAnalysisContract, any_language, any_text

_rules = cache(TermRules)


@pytest.fixture(scope="module")
def analysis() -> TextAnalysis:
    return IcuTextAnalysis()


class TestIcuTextAnalysis(TextAnalysisContract):
    @given(text=any_text, language=any_language)
    @example(text="e\u0301te \u0301a \uff9e b\r\n \u200d c", language=Language.FR)
    @example(text="中文 词语\n日本語 ประเทศไทย มี", language=Language.JA)
    def test_words_are_those_that_icu_sees_in_the_whole_text(
        self, analysis: TextAnalysis, text: str, language: Language
    ) -> None:
        readable = segments.readable(text)
        if not grouped_numbers(readable, language):
            rules = _rules(language)
            words = [readable[start:end] for start, end in segments.words(readable, language)]
            expected = [(part.term, part.stop) for word in words for part in rules.parts(word)]
            assert [(token.term, token.stop) for token in analysis.tokens(text, language)] == expected

    @given(texts=st.lists(any_text, max_size=8), language=any_language)
    def test_a_full_cache_changes_nothing(self, analysis: TextAnalysis, texts: list[str], language: Language) -> None:
        small = IcuTextAnalysis()
        with patch.object(told, "_CACHE_SIZE", 4):
            for text in texts:
                assert small.terms(text, language) == analysis.terms(text, language)
                assert small.tokens(text, language) == analysis.tokens(text, language)
