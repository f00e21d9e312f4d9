"""Searching the web for pages on a topic."""

from __future__ import annotations

from typing import Final, Protocol

from attrs import frozen

from contentgen_core.model.vocabulary import Language

MAX_RESULTS: Final = 20
"""Of one search, whatever the limit of the query."""


@frozen
class WebQuery:
    """A query. `country`: ISO 3166-1 alpha-2 in upper case. None leaves the choice to the provider."""

    text: str
    country: str | None = None
    language: Language | None = None
    limit: int = 10


@frozen
class WebResult:
    """A page found. `published`: as the provider gives it (often free text, often missing)."""

    url: str
    title: str
    snippet: str = ""
    published: str | None = None


@frozen
class CitedStatement:
    """A statement of a search by a model, with the pages it names for it. Written by a model: no source of its own."""

    text: str
    urls: tuple[str, ...]


@frozen
class WebFindings:
    """The results of a search. `results`: best first, each page once, http(s) addresses only. `provider`: the one that
    answered. `statements`: only from providers that answer with text."""

    provider: str
    results: tuple[WebResult, ...]
    statements: tuple[CitedStatement, ...] = ()


class WebSearch(Protocol):
    @property
    def provider(self) -> str:
        """The id of the provider that is expected to answer (`serper`, `gpt_premium`, …)."""
        ...

    async def search(self, query: WebQuery) -> WebFindings:
        """The pages found, perhaps none. Raises ProviderFailed."""
        ...


@frozen
class ConfiguredWebSearches:
    """The configured web searches. `premium`: for plans that include it; it falls back to `standard` by itself.
    `settings`: the names of the settings that configure one, for the error."""

    standard: WebSearch | None
    premium: WebSearch | None
    settings: str
