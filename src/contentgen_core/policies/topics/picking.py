"""Selecting new topics: those that are no near-duplicate of one written or chosen before."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from contentgen_core.errors import InvalidInput
from contentgen_core.model.governance import ArticleFacts
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.seeds import Seed
from contentgen_core.policies.topics.similarity import are_similar, significant_words
from contentgen_core.policies.topics.validation import check_topic, topic_key

NEAR_DUPLICATE_WORDS: Final = 4
"""Specification, "Behaviour of check-trend-slug": topics that share this many significant words are near-duplicates."""


def are_near_duplicates(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two topics, given by their significant words, are the same to a reader: similar, or sharing
    NEAR_DUPLICATE_WORDS words. Symmetric."""
    return are_similar(one, other) or len(one & other) >= NEAR_DUPLICATE_WORDS


class KnownTopics:
    """Topics and titles that a new article must not repeat. Adding takes some 50 µs each: add many in a thread."""

    def __init__(self, analysis: TextAnalysis) -> None:
        self._analysis = analysis
        self._articles: set[ArticleFacts] = set()
        self._keys: set[str] = set()
        self._words: set[frozenset[str]] = set()
        self._added: list[str] = []
        self._of_articles: list[str] = []

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics, those last added by themselves first, then those of articles in their order."""
        return (*reversed(self._added), *self._of_articles)

    def add(self, topic: str, language: Language) -> None:
        """Add a topic. `language`: the one to analyse it in."""
        self._add(topic, language, self._added)

    def add_articles(self, articles: Iterable[ArticleFacts]) -> None:
        """Add title and topic of each article; those added before cost nothing."""
        for article in articles:
            if article not in self._articles:
                self._articles.add(article)
                self._add(article.title, article.language, self._of_articles)
                self._add(article.topic, article.language, self._of_articles)

    def _add(self, topic: str, language: Language, to: list[str]) -> None:
        key = topic_key(topic)
        if key not in self._keys:
            self._keys.add(key)
            self._words.add(significant_words(topic, language, self._analysis))
            to.append(topic)

    def has_article(self, article: ArticleFacts) -> bool:
        """Whether this article was added."""
        return article in self._articles

    def has_topic(self, topic: str, language: Language) -> bool:
        """Whether the topic, or a near-duplicate of it, was added."""
        if topic_key(topic) in self._keys:
            return True
        words = significant_words(topic, language, self._analysis)
        return any(are_near_duplicates(words, known) for known in self._words)


def proposed_topic(seed: Seed) -> str | None:
    """The seed's topic, normalised by `check_topic`; None where that refuses it."""
    try:
        return check_topic(seed.topic)
    except InvalidInput:
        return None
