"""An article as readers get it: one entry a document in its list of sources, instead of one a passage."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from attrs import evolve

from contentgen_core.model.article import Article, ArticleSource
from contentgen_core.model.grounding import Grounding

# What square brackets may stand in without being a citation comes first: fenced and inline code, escaped characters,
# links and pictures, definitions of links.
_TEXT: Final = re.compile(
    r"(?P<other>^(?P<fence>`{3,}|~{3,}).*?(?:^[ ]{0,3}(?P=fence)[`~]*[ \t]*$|\Z)|(?P<ticks>`+).+?(?P=ticks)|\\."
    r"|!?\[[^\[\]\n]*\]\([^()\n]*\)|^[ ]{0,3}\[\d{1,3}\]:)"
    r"|(?P<citations>\[\d{1,3}\](?:[^\S\n]?\[\d{1,3}\])*)",
    re.DOTALL | re.MULTILINE,
)
_NUMBER: Final = re.compile(r"\d+")


def for_readers(article: Article) -> Article:
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


def renumbered(markdown: str, numbers: Mapping[int, int]) -> str:
    """The text with other numbers in its citations; neighbours that become the same are one."""

    def replaced(match: re.Match[str]) -> str:
        if match["citations"] is None:
            return match[0]
        found = [int(number) for number in _NUMBER.findall(match[0])]
        return "".join(f"[{number}]" for number in _each(numbers.get(number, number) for number in found))

    return _TEXT.sub(replaced, markdown) if numbers else markdown


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
