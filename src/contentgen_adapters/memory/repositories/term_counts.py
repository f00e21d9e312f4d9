"""BM25's corpus figures, kept exact with each document that comes or goes.

Counted once a passage: a term of its text, its title or its headings. A passage's length is the number of all of these,
repetitions included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.model.knowledge import KbScope, KbView, Passage, TermStatistics
from contentgen_core.model.vocabulary import Language


@frozen
class CorpusSize:
    """How many live passages a scope has in a language, and their length in terms, all together."""

    passages: int = 0
    length: int = 0


ScopeLanguage = tuple[KbScope, Language]


CORPORA: Final = TableOf[ScopeLanguage, CorpusSize]("corpora")
TERM_COUNTS: Final = TableOf[tuple[KbScope, Language, str], int]("term_counts")


class TermCounts:
    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, passages: Iterable[Passage]) -> None:
        self._move(passages, 1)

    def subtract(self, passages: Iterable[Passage]) -> None:
        self._move(passages, -1)

    def of_view(self, view: KbView, terms: Mapping[Language, Sequence[str]]) -> dict[Language, TermStatistics]:
        """By looking up the few scopes a view can see, so that the size of the knowledge base does not matter."""
        statistics: dict[Language, TermStatistics] = {}
        for language, asked in terms.items():
            corpora = [(scope, self._corpus(scope, language)) for scope in _scopes(view)]
            passages = sum(corpus.passages for _, corpus in corpora)
            if passages == 0:
                continue
            length = sum(corpus.length for _, corpus in corpora)
            counts = {term: sum(self._count(scope, language, term) for scope, _ in corpora) for term in set(asked)}
            present = {term: count for term, count in counts.items() if count}
            statistics[language] = TermStatistics(passages, length / passages, present)
        return statistics

    def languages(self, view: KbView) -> frozenset[Language]:
        scopes = list(_scopes(view))
        return frozenset(
            language for language in Language if any(self._corpus(scope, language).passages for scope in scopes)
        )

    def _corpus(self, scope: KbScope, language: Language) -> CorpusSize:
        return self._session[CORPORA].get((scope, language)) or CorpusSize()

    def _count(self, scope: KbScope, language: Language, term: str) -> int:
        return self._session[TERM_COUNTS].get((scope, language, term)) or 0

    def _move(self, passages: Iterable[Passage], sign: int) -> None:
        for passage in passages:
            scope, language = passage.document.scope, passage.document.language
            corpus = self._corpus(scope, language)
            size = CorpusSize(corpus.passages + sign, corpus.length + sign * _length(passage))
            self._session[CORPORA].put((scope, language), size)
            for term in _terms(passage):
                count = self._count(scope, language, term) + sign
                if count:
                    self._session[TERM_COUNTS].put((scope, language, term), count)
                else:
                    self._session[TERM_COUNTS].drop((scope, language, term))


def counted(passages: Iterable[Passage], terms: Mapping[Language, Sequence[str]]) -> dict[Language, TermStatistics]:
    """The same figures by counting: for a view of a few documents chosen by hand."""
    by_language: dict[Language, list[Passage]] = {}
    for passage in passages:
        by_language.setdefault(passage.document.language, []).append(passage)
    statistics: dict[Language, TermStatistics] = {}
    for language, asked in terms.items():
        if found := by_language.get(language):
            wanted = frozenset(asked)
            present = Counter(term for passage in found for term in _terms(passage) & wanted)
            statistics[language] = TermStatistics(len(found), sum(map(_length, found)) / len(found), dict(present))
    return statistics


def _scopes(view: KbView) -> Iterator[KbScope]:
    """Every scope that the view sees (KbView.sees, turned round)."""
    tenants = (None,) if view.tenant_id is None else (None, view.tenant_id)
    for tenant_id in tenants:
        for country in (None, *view.countries):
            yield KbScope(view.niche_key, tenant_id, country)


def _terms(passage: Passage) -> frozenset[str]:
    return frozenset(passage.terms) | frozenset(passage.head_terms)


def _length(passage: Passage) -> int:
    return len(passage.terms) + len(passage.head_terms)
