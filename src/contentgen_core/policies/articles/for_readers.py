"""An article as readers get it: one entry a document in its list of sources, instead of one a passage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from attrs import evolve

from contentgen_core.model.article import Article, ArticleSource
from contentgen_core.model.grounding import Grounding

Renumber: TypeAlias = Callable[[str, Mapping[int, int]], str]
"""Gives the citations of a Markdown text other numbers; of equal neighbours one stays."""


def for_readers(article: Article, renumbered: Renumber) -> Article:
    """The article with its sources by document, in the order in which the text first cites them, and with its citations
    and its receipt numbered accordingly. A citation of no source stays as it is."""
    entries, numbers = _by_document(sorted(article.sources, key=lambda source: source.number))
    return evolve(
        article,
        content=renumbered(article.content, numbers),
        sources=entries,
        grounding=None if article.grounding is None else _renumber(article.grounding, numbers),
    )


def _by_document(sources: Sequence[ArticleSource]) -> tuple[tuple[ArticleSource, ...], dict[int, int]]:
    """An entry a document, and the number of its entry for each passage. Documents of one title at one address are the
    parts of a page. The entries have the lowest of the numbers there are, so that a number in the text that was no
    citation does not become one."""
    entries: list[ArticleSource] = []
    places: dict[tuple[str, ...], int] = {}
    numbers: dict[int, int] = {}
    for source in sources:
        names = _names(source)
        place = next((places[name] for name in names if name in places), len(entries))
        if place == len(entries):
            entries.append(evolve(source, number=sources[place].number))
        else:
            known = entries[place]
            quotes = tuple(dict.fromkeys((*known.quotes, *source.quotes)))
            private = known.private or source.private
            author = known.author or source.author
            entries[place] = evolve(known, url=known.url or source.url, quotes=quotes, private=private, author=author)
        places |= {name: place for name in names if name not in places}
        numbers[source.number] = entries[place].number
    return tuple(entries), numbers


def _names(source: ArticleSource) -> tuple[tuple[str, ...], ...]:
    document = ("document", source.parent_id)
    return (document, ("page", source.url, source.title)) if source.url else (document,)


def _renumber(grounding: Grounding, numbers: Mapping[int, int]) -> Grounding:
    return evolve(
        grounding,
        sentences=tuple(
            evolve(sentence, citations=_distinct(numbers.get(number, number) for number in sentence.citations))
            for sentence in grounding.sentences
        ),
    )


def _distinct(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(numbers))
