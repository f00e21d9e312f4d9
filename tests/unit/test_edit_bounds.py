"""What a change of an article's text may hold."""

from __future__ import annotations

import pytest

from contentgen_core.errors import InvalidInput
from contentgen_core.model.ids import ArticleId
from contentgen_core.policies.text.signs import MAX_SIGNS
from contentgen_core.testing import builders
from contentgen_core.use_cases.articles.edit import MAX_CONTENT, EditArticleCommand, _check

PROSE = "A **heat pump** moves warmth ([study](https://a.example/b_c)) into the house [1].\n\n- It is quiet.\n"


def command(content: str) -> EditArticleCommand:
    return EditArticleCommand(builders.caller(), ArticleId("article-1"), content=content)


@pytest.mark.parametrize("signs", ["[", "*a", "|\n", "a\n=\n", "> ", "`"])
def test_a_text_of_signs_is_refused_with_what_to_do(signs: str) -> None:
    with pytest.raises(InvalidInput, match=f"content: more than {MAX_SIGNS:,} line breaks and signs .* shorten it"):
        _check(command(signs * (MAX_CONTENT // len(signs))))


def test_a_text_that_is_read_is_accepted_at_its_greatest_length() -> None:
    _check(command((PROSE + "It needs less electricity than heaters of old. " * 2) * (MAX_CONTENT // 195)))
