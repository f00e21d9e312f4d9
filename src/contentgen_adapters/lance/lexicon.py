"""The text of the full-text index: terms of our own text analysis, which LanceDB only splits at spaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language

MAX_TERMS: Final = 64
"""Of one language in one search; more would cost time and change little."""
MAX_TERMS_TOGETHER: Final = 256

_HEAD_WEIGHT: Final = 3  # as in the ranking, so that its best passages are among the candidates


def words_of(passage: Passage) -> str:
    """Return a passage's terms, those of title and heading three times. Each is marked with its language, so that a
    French `chat` does not match an English one.
    """
    return _join_terms(passage.document.language, (*passage.head_terms * _HEAD_WEIGHT, *passage.terms))


def query_words(terms: Mapping[Language, Sequence[str]]) -> str:
    """The distinct terms of all languages, at most MAX_TERMS of a language and MAX_TERMS_TOGETHER."""
    asked = {language: list(dict.fromkeys(found)) for language, found in terms.items() if found}
    share = min(MAX_TERMS, MAX_TERMS_TOGETHER // max(1, len(asked)))
    return " ".join(_join_terms(language, found[:share]) for language, found in asked.items())


def _join_terms(language: Language, terms: Sequence[str]) -> str:
    mark = f"{language.value}:"
    text = mark + f" {mark}".join(terms) if terms else ""
    # a lone surrogate cannot be encoded in UTF-8
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
