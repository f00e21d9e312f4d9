"""Quotation marks of the languages."""

from __future__ import annotations

import re

import pytest

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


def test_no_line_of_french_begins_with_its_punctuation() -> None:
    words = phrases(Language.FR)
    texts = [words.colon, words.question_mark, words.theme_goal, words.angle, words.audience]
    texts += [words.suggest_reason, words.judge_shared, words.judge_near, TYPOGRAPHY[Language.FR].notice]
    texts += [*NOTICES[Language.FR]]
    assert not [text for text in texts if re.search("[ ][:;!?»]|« ", text)]
