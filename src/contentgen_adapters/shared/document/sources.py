"""The numbered list of sources below a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from html import escape
from typing import Final, Protocol
from urllib.parse import quote

from contentgen_adapters.shared.document.labels import LABELS
from contentgen_adapters.shared.text.addresses import web_address
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.authors import before_title
from contentgen_core.policies.text.truncation import truncate_at_word

SHOWN_OF_QUOTE: Final = 60
"""Characters of a quotation that is not opened."""
FRAGMENT_WORDS: Final = 5
RIGHT_TO_LEFT: Final = frozenset({Language.AR, Language.HE})


class NumberedSource(Protocol):
    """An entry of a numbered list of sources: an article's, or a post's."""

    @property
    def number(self) -> int: ...

    @property
    def title(self) -> str: ...

    @property
    def url(self) -> str | None: ...

    @property
    def published(self) -> date | None: ...

    @property
    def author(self) -> str | None: ...


def sources_heading(language: Language | None) -> str:
    """English where the language is not known."""
    return LABELS[language or Language.EN].sources


def source_list(
    sources: Sequence[NumberedSource],
    language: Language | None,
    quotes: Mapping[int, Sequence[str]] | None = None,
) -> str:
    """Return the list of sources as HTML, under its heading; the items' ids are `source-n`.

    `quotes`: words of a source to show on demand, by its number; quotes of a web page link to their place there.
    """
    if not sources:
        return ""
    quoted = quotes or {}
    items = "\n".join(
        f'<li id="source-{s.number}" value="{s.number}">{_source(s)}{_quotes(s, quoted.get(s.number, ()))}</li>'
        for s in sources
    )
    heading = escape(sources_heading(language))
    return f'<section class="sources">\n<h2>{heading}</h2>\n<ol>\n{items}\n</ol>\n</section>\n'


def author_and_title(source: NumberedSource) -> str:
    """Return the source's author and title."""
    return before_title(source.author) + source.title


def shown_date(source: NumberedSource) -> str:
    """Return the date to show after the title; empty if the document states none."""
    return f", {source.published.isoformat()}" if source.published else ""


def _source(source: NumberedSource) -> str:
    address = web_address(source.url)
    title = escape(author_and_title(source)) + shown_date(source)
    if not address:
        return title
    link = escape(address)
    return f'{title}<br><a href="{link}" dir="ltr" rel="noopener noreferrer nofollow">{link}</a>'


def _quotes(source: NumberedSource, quotes: Sequence[str]) -> str:
    if not quotes:
        return ""
    address = web_address(source.url)
    first = escape(truncate_at_word(quotes[0], SHOWN_OF_QUOTE))
    shown = "".join(f"<blockquote>{_link(words, address)}</blockquote>" for words in quotes)
    return f"<details><summary>{first}</summary>{shown}</details>"


def _link(words: str, address: str | None) -> str:
    if not address:
        return escape(words)
    link = escape(address + text_fragment(address, words))
    return f'<a href="{link}" rel="noopener noreferrer nofollow">{escape(words)}</a>'


def text_fragment(address: str, words: str) -> str:
    """Return the fragment that makes a browser scroll to words of a page
    (https://wicg.github.io/scroll-to-text-fragment/), to be appended to the page's address: the first and the last
    words of a long text.
    """
    each = words.removesuffix("…").split()
    ends = [each] if len(each) <= 2 * FRAGMENT_WORDS else [each[:FRAGMENT_WORDS], each[-FRAGMENT_WORDS:]]
    told = ",".join(quote(" ".join(end), safe="").replace("-", "%2D") for end in ends)
    return f"{'' if '#' in address else '#'}:~:text={told}"
