"""Quotation marks of the languages."""

from __future__ import annotations

import pytest

from contentgen_core.model.vocabulary import Language
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
