"""The numbered list of sources below a text."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final, Protocol

from contentgen_adapters.shared.document.labels import LABELS
from contentgen_adapters.shared.text.addresses import web_address
from contentgen_core.model.vocabulary import Language

RIGHT_TO_LEFT: Final = frozenset({Language.AR, Language.HE})


class NumberedSource(Protocol):
    """An entry of a numbered list of sources: an article's, or a post's."""

    @property
    def number(self) -> int: ...

    @property
    def title(self) -> str: ...

    @property
    def url(self) -> str | None: ...


def sources_heading(language: Language | None) -> str:
    """English where the language is not known."""
    return LABELS[language or Language.EN].sources


def source_list(sources: Sequence[NumberedSource], language: Language | None) -> str:
    """As HTML, under its heading; the items' ids are `source-n`."""
    if not sources:
        return ""
    items = "\n".join(f'<li id="source-{s.number}" value="{s.number}">{_source(s)}</li>' for s in sources)
    heading = escape(sources_heading(language))
    return f'<section class="sources">\n<h2>{heading}</h2>\n<ol>\n{items}\n</ol>\n</section>\n'


def _source(source: NumberedSource) -> str:
    address = web_address(source.url)
    title = escape(source.title)
    if not address:
        return title
    link = escape(address)
    return f'{title}<br><a href="{link}" dir="ltr" rel="noopener noreferrer nofollow">{link}</a>'
