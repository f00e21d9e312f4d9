"""Quotation marks of the languages."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.llm.phrases import phrases
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.coverage_notice import NOTICES
from contentgen_core.policies.text.typography import TYPOGRAPHY
from contentgen_core.policies.text.verbatim import find_verbatim


@pytest.mark.parametrize("language", Language)
def test_no_quotation_mark_stands_alone_on_a_line_and_a_source_still_has_the_quotation(language: Language) -> None:
    text = "eau claire de source"
    quoted = TYPOGRAPHY[language].quoted(text)
    assert quoted.count(" ") == text.count(" ")
    assert find_verbatim(quoted, f"On boit une {text} ici.") is not None


def test_french_marks_stand_off_by_narrow_spaces() -> None:
    assert TYPOGRAPHY[Language.FR].quoted("eau") == "«\u202feau\u202f»"


# The delimiters of CLDR 42 (ICU 72) without spaces.
CLDR = {
    "fr": "«»", "en": "“”", "es": "«»", "de": "„“", "it": "«»", "pt": "“”", "nl": "‘’", "pl": "„”", "sv": "””",
    "no": "«»", "da": "“”", "fi": "””", "cs": "„“", "hu": "„”", "ro": "„”", "el": "«»", "tr": "“”", "uk": "«»",
    "zh": "“”", "ja": "「」", "ko": "“”", "th": "“”", "vi": "“”", "id": "“”", "hi": "“”", "ar": "”“", "ru": "«»",
    "he": "””",
}  # fmt: skip
# Single marks cannot be told from apostrophes; the Arabic marks of CLDR depend on the direction of what is around them.
OTHERS = {"nl": "“”", "ar": "«»"}


@pytest.mark.parametrize("language", Language)
def test_marks_are_those_of_the_language(language: Language) -> None:
    marks = TYPOGRAPHY[language].quoted("").replace("\u202f", "")
    assert marks == OTHERS.get(language, CLDR[language])


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("marks", ["“”", "«»", "„“", '""'])
def test_a_quotation_within_one_has_marks_of_its_own(language: Language, marks: str) -> None:
    style, source = TYPOGRAPHY[language], f"Il disait {marks[0]} l'eau est claire {marks[1]} et buvait."
    quoted = style.quoted(source)
    inside = quoted.removeprefix(style.opening).removesuffix(style.closing)
    assert inside == f"Il disait {style.inner[0]}l'eau est claire{style.inner[1]} et buvait."
    assert set(style.inner).isdisjoint({style.opening.strip(), style.closing.strip()})
    assert find_verbatim(quoted, f"Un jour. {source} Puis rien.") is not None


@given(st.text(alphabet='ab .“”«»„"', max_size=30))
def test_quoting_changes_nothing_but_marks(text: str) -> None:
    for style in TYPOGRAPHY.values():
        assert _letters(style.quoted(text)) == _letters(text)


def _letters(text: str) -> str:
    return "".join(c for c in text if c in "ab.")


def test_no_line_of_french_begins_with_its_punctuation() -> None:
    words = phrases(Language.FR)
    texts = [words.colon, words.question_mark, words.theme_goal, words.angle, words.audience]
    texts += [words.suggest_reason, words.judge_shared, words.judge_near, TYPOGRAPHY[Language.FR].notice]
    texts += [*NOTICES[Language.FR]]
    assert not [text for text in texts if re.search("[ ][:;!?»]|« ", text)]
