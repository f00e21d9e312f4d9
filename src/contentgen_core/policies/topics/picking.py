"""Which topics are new: none that is, but for a word or two, what was written or chosen before."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from contentgen_core.errors import InvalidInput
from contentgen_core.model.governance import ArticleFacts
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.likeness import alike, significant_words
from contentgen_core.policies.topics.seeds import Seed
from contentgen_core.policies.topics.validation import check_topic, topic_key

NEAR_DUPLICATE_WORDS: Final = 4
"""Specification, "Behaviour of check-trend-slug": topics that share so many significant words are near-duplicates."""


def near_duplicates(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether the significant words of two topics make them the same for a reader. Symmetric."""
    return alike(one, other) or len(one & other) >= NEAR_DUPLICATE_WORDS


class KnownTopics:
    """Topics and titles that an article to come must not repeat. Reading many takes a thread: some 50 µs each."""

    def __init__(self, analysis: TextAnalysis) -> None:
        self._analysis = analysis
        self._articles: set[ArticleFacts] = set()
        self._keys: set[str] = set()
        self._words: set[frozenset[str]] = set()

    def add(self, topic: str, language: Language) -> None:
        key = topic_key(topic)
        if key not in self._keys:
            self._keys.add(key)
            self._words.add(significant_words(topic, language, self._analysis))

    def add_articles(self, articles: Iterable[ArticleFacts]) -> None:
        """Articles that are known already cost nothing."""
        for article in articles:
            if article not in self._articles:
                self._articles.add(article)
                self.add(article.title, article.language)
                self.add(article.topic, article.language)

    def has(self, article: ArticleFacts) -> bool:
        """Whether this very article was added."""
        return article in self._articles

    def holds(self, topic: str, language: Language) -> bool:
        """Whether the topic, or a near-duplicate of it, is known."""
        if topic_key(topic) in self._keys:
            return True
        words = significant_words(topic, language, self._analysis)
        return any(near_duplicates(words, known) for known in self._words)


def proposed_topic(seed: Seed) -> str | None:
    """The topic as a caller could have asked for it; None for what would be refused."""
    try:
        return check_topic(seed.topic)
    except InvalidInput:
        return None
