"""Terms in sentences: as whole words by their stems, whatever their case and inflection."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from attrs import field, frozen

from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language


@frozen
class TermFinder:
    """Finds terms of one or more words in texts of a language."""

    analysis: TextAnalysis
    language: Language
    terms: tuple[str, ...]
    _stems: tuple[tuple[str, tuple[str, ...]], ...] = field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_stems", tuple((term, self._stems_of(term)) for term in self.terms))

    def found(self, text: str) -> tuple[str, ...]:
        """Return the terms that the text has, in their order. A term that the analysis does not read as a word (a sign,
        an emoji) is searched as it is written."""
        if not self.terms:
            return ()
        stems, folded = self._stems_of(text), _fold(text)
        return tuple(term for term, own in self._stems if (_holds(stems, own) if own else _fold(term) in folded))

    def _stems_of(self, text: str) -> tuple[str, ...]:
        return tuple(token.term for token in self.analysis.tokens(_fold(text), self.language))


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def _holds(words: Sequence[str], run: Sequence[str]) -> bool:
    size = len(run)
    return any(tuple(words[at : at + size]) == tuple(run) for at in range(len(words) - size + 1) if words[at] == run[0])
