"""A reranker without a model, for tests and for programs that embed the core: it counts the query's words."""

from __future__ import annotations

from collections.abc import Sequence

from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.reranking import MAX_RERANKED


class OverlapReranker:
    """A passage's score is the share of the query's distinct terms that it has, stop words left out; all texts are
    read as being in one language."""

    def __init__(self, analysis: TextAnalysis, language: Language = Language.EN) -> None:
        self._analysis, self._language = analysis, language

    @property
    def model(self) -> str:
        return "term-overlap"

    async def relevance(self, query: str, passages: Sequence[str]) -> list[float]:
        """As the port says. A query of stop words alone has nothing to be relevant to: 0."""
        if len(passages) > MAX_RERANKED:
            raise ValueError(f"{len(passages)} passages, at most {MAX_RERANKED} can be judged at once")
        wanted = self._terms(query)
        return [len(wanted & self._terms(passage)) / max(1, len(wanted)) for passage in passages]

    def _terms(self, text: str) -> frozenset[str]:
        return frozenset(self._analysis.terms(text, self._language))
