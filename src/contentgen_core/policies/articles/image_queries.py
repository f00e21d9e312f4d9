"""What a picture service is asked for, for an article."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from contentgen_core.model.article import Article
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.title_words import GENERIC_WEIGHT, importance

MOST_WORDS: Final = 5
FEWER_WORDS: Final = 2
MAX_QUERIES: Final = 4
_MAX_TITLE: Final = 300  # characters that are looked at


def image_queries(article: Article, analysis: TextAnalysis) -> tuple[str, ...]:
    """Queries to try one after the other until one finds a picture: the significant words of the title, its first few
    (a picture service wants all words), those of the topic, the first keyword. Empty only where none of them has a
    word."""
    language = article.brief.language
    title = significant_words(article.title, language, analysis)
    topic = significant_words(article.brief.topic, language, analysis)
    keywords = (significant_words(keyword, language, analysis) for keyword in article.brief.keywords[:1])
    tried = (title[:MOST_WORDS], title[:FEWER_WORDS], topic[:MOST_WORDS], *(words[:MOST_WORDS] for words in keywords))
    return tuple(dict.fromkeys(" ".join(words) for words in tried if words))[:MAX_QUERIES]


def significant_words(text: str, language: Language, analysis: TextAnalysis) -> list[str]:
    """The words of the subject as they stand there, in order, each once: no stop words, no "complete guide", no
    years and bare numbers. The plain words of the language where nothing else is left."""
    tokens = analysis.tokens(text[:_MAX_TITLE], language)
    words = [token.text for token in tokens if not token.stop and any(c.isalpha() for c in token.text)]
    return list(_once(word for word in words if importance(word) > GENERIC_WEIGHT)) or list(_once(words))


def _once(words: Iterator[str] | list[str]) -> Iterator[str]:
    seen: set[str] = set()
    for word in words:
        folded = word.casefold()
        if folded not in seen:
            seen.add(folded)
            yield word
