"""Searching the web for pages on a topic."""

from __future__ import annotations

from typing import Final, Protocol

from attrs import frozen

from contentgen_core.model.vocabulary import Language

MAX_RESULTS: Final = 20
"""Of one search, whatever is asked for."""


@frozen
class WebQuery:
    """`country`: ISO 3166-1 alpha-2 in upper case. None leaves the choice to the provider."""

    text: str
    country: str | None = None
    language: Language | None = None
    limit: int = 10


@frozen
class WebResult:
    """One page that a search found; `published` as the provider words it (often a free text, often missing)."""

    url: str
    title: str
    snippet: str = ""
    published: str | None = None


@frozen
class CitedStatement:
    """What a searching model says, with the pages it names for it. Written by a model: no source of its own."""

    text: str
    urls: tuple[str, ...]


@frozen
class WebFindings:
    """`results`: best first, each page once, http(s) addresses only. `provider`: who really answered.
    `statements`: only from providers that answer in words."""

    provider: str
    results: tuple[WebResult, ...]
    statements: tuple[CitedStatement, ...] = ()


class WebSearch(Protocol):
    @property
    def provider(self) -> str:
        """The id under which answers are expected (`serper`, `gpt_premium`, …)."""
        ...

    async def search(self, query: WebQuery) -> WebFindings:
        """Nothing found is an answer without results. Raises ProviderFailed."""
        ...


@frozen
class Searches:
    """The web searches that are set up. `premium` is for the plans that include it, and falls back to `standard` by
    itself. `settings`: which settings set one up, for whoever asks for a search where there is none."""

    standard: WebSearch | None
    premium: WebSearch | None
    settings: str
