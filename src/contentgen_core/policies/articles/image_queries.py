"""Search queries for a picture to an article."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from contentgen_core.model.article import Article
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.title_words import GENERIC_WEIGHT, importance

MAX_WORDS: Final = 5
FEWER_WORDS: Final = 2
MAX_QUERIES: Final = 4
_MAX_TITLE: Final = 300  # characters that are looked at


def image_queries(article: Article, analysis: TextAnalysis) -> tuple[str, ...]:
    """Queries to try in order until one finds a picture: the significant words of the title, its first few (picture
    services want all words to match), those of the topic, the first keyword. Empty where none of them has a word."""
    language = article.brief.language
    title = significant_words(article.title, language, analysis)
    topic = significant_words(article.brief.topic, language, analysis)
    keywords = (significant_words(keyword, language, analysis) for keyword in article.brief.keywords[:1])
    tried = (title[:MAX_WORDS], title[:FEWER_WORDS], topic[:MAX_WORDS], *(words[:MAX_WORDS] for words in keywords))
    return tuple(dict.fromkeys(" ".join(words) for words in tried if words))[:MAX_QUERIES]


def significant_words(text: str, language: Language, analysis: TextAnalysis) -> list[str]:
    """The words of the subject as written, in order, each once, without stop words, words of titles in general, years
    and bare numbers. All other words but stop words where nothing else is left."""
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
