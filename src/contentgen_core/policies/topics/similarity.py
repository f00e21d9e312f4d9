"""Whether two topics or titles are the same but for a word or two, by their significant words."""

from __future__ import annotations

from typing import Final

from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.title_words import importance
from contentgen_core.policies.topics.validation import topic_key

SAME_TOPIC_JACCARD: Final = 0.75
"""The least Jaccard coefficient: three of four words. `heat pump noise` is another topic than `heat pump`."""


def significant_words(text: str, language: Language, analysis: TextAnalysis) -> frozenset[str]:
    """The terms of a topic without stop words and words of titles in general ("the complete guide to"); all of its
    terms where nothing else is left, and the text itself where it holds no term."""
    tokens = [token for token in analysis.tokens(text, language) if not token.stop]
    subject = frozenset(token.term for token in tokens if importance(token.text) == 1.0)
    return subject or frozenset(token.term for token in tokens) or frozenset({topic_key(text)})


def are_similar(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sets of significant words have a Jaccard coefficient of at least SAME_TOPIC_JACCARD. Symmetric and
    reflexive."""
    shared = len(one & other)
    return shared >= SAME_TOPIC_JACCARD * (len(one) + len(other) - shared)
