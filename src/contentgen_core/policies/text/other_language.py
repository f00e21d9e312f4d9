"""Whether a text is in another language than it claims: by the share of its words that are stop words of each."""

from __future__ import annotations

from typing import Final

from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language

FEWEST_WORDS: Final = 12
"""Of a text whose language is told."""
PLAINLY_OWN: Final = 0.4
"""The share of stop words of a language from which a text is in it, whatever others have."""
PLAINLY_OWN_PART: Final = 0.25
"""The same of a part of a text, since a paragraph of its own language may have few of them."""
MOST_COMPARED: Final = 60
"""Words that are read in the other languages: an analysis remembers each word in each language that it was read in."""
MORE: Final = 0.15
"""By how much more of a text the stop words of another language have to be."""


def is_in_another_language(
    text: str, language: Language, analysis: TextAnalysis, plainly_own: float = PLAINLY_OWN
) -> bool:
    """False where it cannot be told: of few words, and of Korean, whose particles are no words."""
    own = _share_of_stop_words(text, language, analysis)
    if own is None or own >= plainly_own:
        return False
    tokens = analysis.tokens(text, language)
    read = text[: tokens[MOST_COMPARED].start] if len(tokens) > MOST_COMPARED else text
    others = (_share_of_stop_words(read, other, analysis) for other in Language if other is not language)
    return any(share is not None and share > own + MORE for share in others)


def _share_of_stop_words(text: str, language: Language, analysis: TextAnalysis) -> float | None:
    words = [token.stop for token in analysis.tokens(text, language) if token.text.isalpha()]
    return sum(words) / len(words) if len(words) >= FEWEST_WORDS else None
