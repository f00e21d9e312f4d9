"""Regular expressions of several languages, compiled as they are asked for."""

from __future__ import annotations

import re

import pytest

from contentgen_adapters.llm.extractive.references import refers_back
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.dated_words import dated_words
from contentgen_core.policies.articles.relations import stated_relation
from contentgen_core.policies.text.patterns_by_language import PatternsByLanguage

EN, FR, DE = Language.EN, Language.FR, Language.DE


def test_a_pattern_is_compiled_once_with_what_stands_around_it() -> None:
    patterns = PatternsByLanguage({EN: "a|b"}, re.IGNORECASE, before=r"\b(?:", after=r")\b")
    found = patterns.get(EN)
    assert found is not None
    assert (found.pattern, found.flags & re.IGNORECASE) == (r"\b(?:a|b)\b", re.IGNORECASE)
    assert patterns.get(EN) is found


def test_another_language_has_none_and_is_not_in_the_way() -> None:
    patterns = PatternsByLanguage({EN: "a", DE: "("})
    assert patterns.get(FR) is None
    assert patterns.get(EN) is not None


@pytest.mark.parametrize("language", Language)
def test_those_of_the_service_can_be_compiled(language: Language) -> None:
    """Of a sentence that each list is searched for."""
    refers_back("Nothing of it.", language)
    dated_words("Nothing of it.", language)
    stated_relation("Nothing of it.", language)
