"""Whether two topics are the same in other words or another language, by their nearness and what is written in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from contentgen_core.policies.text.nearness import cosine

SAME_TOPIC_COSINE: Final = 0.91
"""Fitted to multilingual-e5-small (docs/decisions/0046-same-topics.md): titles of other articles reach .89, related
topics (shots against flu, against covid) seldom more, the same topic in two languages .80 to .95."""
SHORT_WORD: Final = 4
"""Letters of a word that tells nothing where two topics share it (`de`, `und`, `the`)."""
_WORDS: Final = re.compile(r"\w+")


def may_be_same(one: str, other: str) -> bool:
    """Whether nearness may decide on two topics: they name the same numbers and share no longer word. Of two topics
    with a word in common (`heat pump noise`, `heat pump prices`) nearness cannot tell the difference that the others
    make; their words do. Symmetric."""
    ones, others = _spelled_words(one), _spelled_words(other)
    numbers, other_numbers = ({word for word in words if word.isdecimal()} for words in (ones, others))
    return numbers == other_numbers and not any(_is_long(word) for word in (ones & others) - numbers)


def are_same(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether the vectors of two topics, of unit length, are as near as those of one topic. Symmetric."""
    return cosine(one, other) >= SAME_TOPIC_COSINE


def _spelled_words(topic: str) -> frozenset[str]:
    return frozenset(_WORDS.findall(topic.casefold()))


def _is_long(word: str) -> bool:
    """Signs of scripts without spaces are words of their own."""
    return len(word) >= SHORT_WORD or ord(word[0]) >= 0x2E80
