"""A text analysis that keeps what it says, while the same texts are asked about again: those of one article."""

from __future__ import annotations

from contentgen_core.model.text import Span, TextAnalysis, Token
from contentgen_core.model.vocabulary import Language


class RememberedAnalysis:
    """Says what the analysis says, and asks it once for each text and language. It grows with each text: for one
    article, not for a process. Threads may share it."""

    def __init__(self, analysis: TextAnalysis) -> None:
        self._analysis = analysis
        self._sentences: dict[tuple[str, Language], tuple[Span, ...]] = {}
        self._tokens: dict[tuple[str, Language], tuple[Token, ...]] = {}

    def sentences(self, text: str, language: Language) -> tuple[Span, ...]:
        key = (text, language)
        found = self._sentences.get(key)
        if found is None:
            found = self._sentences[key] = self._analysis.sentences(text, language)
        return found

    def tokens(self, text: str, language: Language) -> tuple[Token, ...]:
        key = (text, language)
        found = self._tokens.get(key)
        if found is None:
            found = self._tokens[key] = self._analysis.tokens(text, language)
        return found

    def terms(self, text: str, language: Language) -> tuple[str, ...]:
        return tuple(token.term for token in self.tokens(text, language) if not token.stop)
