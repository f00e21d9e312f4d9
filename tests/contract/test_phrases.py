"""The phrases that articles and plans of each language have beside their sources' words."""

from __future__ import annotations

import re

import pytest

from contentgen_adapters.llm.phrases import phrases
from contentgen_core.model.vocabulary import Language

WITHOUT_PLURALS = {
    Language.ZH, Language.JA, Language.KO, Language.TH, Language.VI, Language.ID, Language.HI, Language.TR
}  # fmt: skip
"""Languages in which a noun behind a number is the same for one and for many, or was written to be."""


@pytest.mark.parametrize("language", Language)
def test_every_language_has_its_own_phrases(language: Language) -> None:
    words = phrases(language)
    assert "{heading}" in words.theme_goal
    assert (words.as_question("Abc"), words.as_question("Abc?")) == ("", "Abc?")
    assert all(words.as_question(start) == start + words.question_mark for start in words.asking)
    assert language is Language.EN or words.unsourced != phrases(Language.EN).unsourced
    assert words.angle.format(count=3, niche="N")
    assert words.suggest_reason.format(documents=1, passages=2)


@pytest.mark.parametrize("language", sorted(set(Language) - WITHOUT_PLURALS))
def test_one_source_is_not_counted_in_the_plural(language: Language) -> None:
    assert not re.search(r"1\s+\w", phrases(language).angle.format(count=1, niche="N"))
