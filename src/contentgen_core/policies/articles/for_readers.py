"""An article as readers get it: one entry a document in its list of sources, instead of one a passage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from attrs import evolve

from contentgen_core.model.article import Article, ArticleSource
from contentgen_core.model.grounding import Grounding

Renumber: TypeAlias = Callable[[str, Mapping[int, int]], str]
"""Gives the citations of a Markdown text other numbers; of equal neighbours one stays."""


def for_readers(article: Article, renumbered: Renumber) -> Article:
    """The article with its sources by document, in the order in which the text first cites them, and with its citations
    and its receipt numbered accordingly. A citation of no source stays as it is."""
    sources = sorted(article.sources, key=lambda source: source.number)
    entries: dict[str, ArticleSource] = {}
    numbers: dict[int, int] = {}
    for source in sources:
        known = entries.get(source.parent_id)
        if known is None:
            entries[source.parent_id] = evolve(source, number=len(entries) + 1)
        else:
            quotes = tuple(dict.fromkeys((*known.quotes, *source.quotes)))
            entries[source.parent_id] = evolve(known, url=known.url or source.url, quotes=quotes)
        numbers[source.number] = entries[source.parent_id].number
    return evolve(
        article,
        content=renumbered(article.content, numbers),
        sources=tuple(entries.values()),
        grounding=None if article.grounding is None else _renumbered(article.grounding, numbers),
    )


def _renumbered(grounding: Grounding, numbers: Mapping[int, int]) -> Grounding:
    return evolve(
        grounding,
        sentences=tuple(
            evolve(sentence, citations=_each(numbers.get(number, number) for number in sentence.citations))
            for sentence in grounding.sentences
        ),
    )


def _each(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(numbers))
