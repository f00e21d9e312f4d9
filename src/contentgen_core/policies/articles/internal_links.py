"""Links between articles: where their words stand in a text, and the text with the links in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import evolve

from contentgen_core.model.article import Article
from contentgen_core.model.text import Span
from contentgen_core.model.web_address import is_web_address
from contentgen_core.policies.text import markdown

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_NO_TEXT: Final = re.compile(r" {0,3}(?:#|>|<|\||=+\s*$|-+\s*$|\[[^\]]*\]:)|(?: {4}|\t)")
_UNDERLINE: Final = re.compile(r" {0,3}(?:=+|-+)\s*$")
# What a link may not reach into: code, links, pictures, addresses, tags, citations and quotations.
_TAKEN: Final = re.compile(
    "|".join(
        (
            r"(?P<ticks>`{1,9})(?:.{0,400}?[^`])?(?P=ticks)(?!`)",
            r"!?(?<!\\)\[(?:\\.|[^\[\]\\])*\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\]\n]*\])?",
            r"<[^<>\n]*>|\w{1,20}://\S+",
            r"“[^“”]*”|«[^«»]*»|„[^„“”]*[“”]|「[^「」]*」|\"[^\"]*\"",
        )
    ),
    re.DOTALL,
)
# Scripts without spaces between words: a word may begin and end anywhere.
_SPACED: Final = r"[^\W\u0e00-\u0e7f\u2e80-\uffff]"
_SPACES: Final = re.compile(r"[\s\u00a0\u202f]+")
_UNSAFE: Final = str.maketrans({"(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\\": "%5C", "[": "%5B", "]": "%5D"})


def place_of(content: str, anchor: str, taken: Sequence[Span] = ()) -> Span | None:
    """Return the first place of a link's words in a Markdown article: not in a heading, a table, code, another link, a
    citation or a quotation, and not in a span of `taken`. None where there is no such place."""
    for written in dict.fromkeys((anchor, markdown.escape(anchor))):
        words = [re.escape(word) for word in _SPACES.split(written) if word]
        if not words:
            return None
        pattern = re.compile(rf"(?<!{_SPACED})(?<!\\){_SPACES.pattern.join(words)}(?!{_SPACED})")
        for start, text in _paragraphs(content):
            closed = [Span(m.start(), m.end()) for m in _TAKEN.finditer(text)]
            for match in pattern.finditer(text):
                found = Span(start + match.start(), start + match.end())
                own = Span(match.start(), match.end())
                if not any(_meet(own, span) for span in closed) and not any(_meet(found, span) for span in taken):
                    return found
    return None


def add_links(content: str, addresses: Mapping[str, str]) -> str:
    """Return the text with its links: the first occurrence of each anchor leads to its address. Nothing else
    changes."""
    places: list[tuple[Span, str]] = []
    for anchor, address in addresses.items():
        place = place_of(content, anchor, [span for span, _ in places]) if is_web_address(address) else None
        if place is not None:
            places.append((place, address))
    return _insert_links(content, places)


def with_links(article: Article, addresses: Mapping[str, str]) -> Article:
    """Return the article with the links in its text; see `add_links`."""
    return evolve(article, content=add_links(article.content, addresses)) if addresses else article


def _insert_links(content: str, places: Iterable[tuple[Span, str]]) -> str:
    for span, address in sorted(places, key=lambda placed: placed[0].start, reverse=True):
        written = "".join(address.split()).translate(_UNSAFE)
        content = f"{content[: span.start]}[{span.of(content)}]({written}){content[span.end :]}"
    return content


def _meet(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _paragraphs(content: str) -> Iterator[tuple[int, str]]:
    """The runs of lines that are text, each with where it begins."""
    begin, at, fence = 0, 0, ""
    run: list[str] = []
    for line in content.splitlines(keepends=True):
        opened = _FENCE.match(line)
        text = not fence and not opened and line.strip() and not _NO_TEXT.match(line)
        if opened and not fence:
            fence = opened[1]
        elif fence and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
        if text:
            begin = begin if run else at
            run.append(line)
        else:
            if run and not _UNDERLINE.match(line):
                yield begin, "".join(run)
            run = []
        at += len(line)
    if run:
        yield begin, "".join(run)
