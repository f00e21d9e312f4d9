"""Group queries that differ in wording only, and recognise queries with a brand's name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from contentgen_core.model.search_demand import Figures
from contentgen_core.model.search_report import SearchFigures
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.similarity import significant_words
from contentgen_core.policies.topics.validation import topic_key


@frozen
class Group:
    """Queries with the same meaning, the one with most impressions first. `wordings`: one query for each choice of
    words, in the same order."""

    queries: tuple[str, ...]
    wordings: tuple[str, ...]

    @property
    def query(self) -> str:
        return self.queries[0]

    def joined(self, other: Group) -> Group:
        """Return the group with the queries of another group that means the same."""
        return Group((*self.queries, *other.queries), (*self.wordings, *other.wordings))


def is_branded(query: str, brand_words: Iterable[str]) -> bool:
    """Whether the query has one of these words, or words in a row."""
    words = f" {topic_key(query)} "
    return any(f" {topic_key(brand)} " in words for brand in brand_words if topic_key(brand))


def sum_figures(figures: Sequence[SearchFigures | Figures]) -> Figures:
    """Return the sums; positions are weighted by impressions. A field that no part has stays None."""
    shown = [f.impressions for f in figures if f.impressions is not None]
    placed = [(f.position, f.impressions or 1) for f in figures if f.position is not None]
    times = sum(weight for _, weight in placed)
    position = sum(place * weight for place, weight in placed) / times if placed else None
    return Figures(sum(f.clicks for f in figures), sum(shown) if shown else None, position)


def most_asked(figures: Mapping[str, Figures]) -> list[str]:
    """The queries, those with most impressions first, then with most clicks."""
    return sorted(figures, key=lambda query: (-(figures[query].impressions or 0), -figures[query].clicks, query))


def group_queries(queries: Iterable[str], language: Language, analysis: TextAnalysis) -> list[Group]:
    """Return groups of queries with the same significant words, in any order and form. The groups, and the queries of
    each, are in the order of `queries`."""
    groups: dict[frozenset[str], list[str]] = {}
    for query in queries:
        groups.setdefault(significant_words(query, language, analysis), []).append(query)
    return [Group(tuple(own), (own[0],)) for own in groups.values()]
