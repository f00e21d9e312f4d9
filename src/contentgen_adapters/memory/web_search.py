"""A web of a few pages, searched by their words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from attrs import frozen

from contentgen_adapters.shared.web_results import MAX_SNIPPET, bounded_query, clean, page_count
from contentgen_core.ports.web_search import WebFindings, WebQuery, WebResult

_WORD: Final = re.compile(r"\w+")
_BEFORE: Final = 100  # characters of a snippet before the first word found


@frozen
class MemoryPage:
    title: str
    text: str
    published: str | None = None


class MemoryWebSearch:
    """A WebSearch over `pages`, by address. A page is found by any word of the query; those with more of its words come
    first, then those given first. Words are found within words, so that scripts without spaces are searched too.
    Country and language narrow nothing."""

    def __init__(self, pages: Mapping[str, MemoryPage], provider: str = "memory") -> None:
        self._pages = dict(pages)
        self._provider = provider

    @property
    def provider(self) -> str:
        return self._provider

    async def search(self, query: WebQuery) -> WebFindings:
        words = set(_WORD.findall(bounded_query(query.text, 400, 50).casefold()))
        matches = [(self._score(page, words), url, page) for url, page in self._pages.items()]
        best_first = sorted((m for m in matches if m[0]), key=lambda m: -m[0])
        found = [WebResult(url, page.title, _snippet(page.text, words), page.published) for _, url, page in best_first]
        return WebFindings(self._provider, clean(found, page_count(query.limit)))

    def _score(self, page: MemoryPage, words: set[str]) -> int:
        read = f"{page.title}\n{page.text}".casefold()
        return sum(word in read for word in words)


def _snippet(text: str, words: set[str]) -> str:
    folded = text.casefold()
    first = min((at for at in map(folded.find, words) if at >= 0), default=0)
    return text[max(0, first - _BEFORE) :][:MAX_SNIPPET]
