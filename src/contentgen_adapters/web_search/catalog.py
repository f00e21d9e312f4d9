"""The web searches that the settings select."""

from __future__ import annotations

from typing import Final, Literal

import httpx
from attrs import field, frozen

from contentgen_adapters.web_search import brave, searxng, serper, tavily
from contentgen_adapters.web_search.fallback import FallbackSearch
from contentgen_adapters.web_search.gpt_premium import GptPremiumSearch
from contentgen_adapters.web_search.provider import Access, Provider, usable_address
from contentgen_core.errors import NotConfigured
from contentgen_core.ports.web_search import ConfiguredWebSearches, WebSearch

PROVIDERS: Final[tuple[Provider, ...]] = (serper.PROVIDER, brave.PROVIDER, tavily.PROVIDER, searxng.PROVIDER)
"""In the order in which `auto` takes them."""
PREMIUM_MODEL: Final = "gpt-4.1"
OPENAI: Final = "https://api.openai.com/v1"
SETTINGS: Final = " or ".join((", ".join(p.setting for p in PROVIDERS[:-1]), PROVIDERS[-1].setting))
"""The settings that enable a search, for the error message when none is set."""


@frozen(kw_only=True)
class SearchSettings:
    """The operator's settings of the same names.

    `web_search="auto"`: the first of PROVIDERS that is configured. `premium_search_model`: None selects PREMIUM_MODEL
    at OpenAI itself, and no premium search at another server, which may not support searching.
    """

    web_search: Literal["auto", "serper", "brave", "tavily", "searxng"] = "auto"
    serper_api_key: str | None = field(default=None, repr=False)
    serper_base_url: str | None = None
    brave_api_key: str | None = field(default=None, repr=False)
    brave_base_url: str | None = None
    tavily_api_key: str | None = field(default=None, repr=False)
    tavily_base_url: str | None = None
    searxng_base_url: str | None = None
    openai_api_key: str | None = field(default=None, repr=False)
    openai_base_url: str | None = None
    premium_search_model: str | None = None

    def access(self, provider: Provider) -> Access:
        api_key = getattr(self, f"{provider.id}_api_key", None)
        return Access(api_key, getattr(self, f"{provider.id}_base_url", None))


def build_web_search(settings: SearchSettings, client: httpx.AsyncClient) -> ConfiguredWebSearches:
    """The selected searches.

    `client`: from `shared.http.make_client`. Raises NotConfigured when the named provider lacks a setting or an address
    is not http(s).
    """
    standard = _standard(settings, client)
    premium = _premium(settings, client)
    if premium is not None and standard is not None:
        premium = FallbackSearch(premium, standard)
    return ConfiguredWebSearches(standard, premium, SETTINGS)


def _standard(settings: SearchSettings, client: httpx.AsyncClient) -> WebSearch | None:
    for provider in PROVIDERS:
        access = settings.access(provider)
        if settings.web_search == provider.id or (settings.web_search == "auto" and provider.is_configured(access)):
            return provider.build(access, client)
    return None


def _premium(settings: SearchSettings, client: httpx.AsyncClient) -> WebSearch | None:
    model = settings.premium_search_model
    if model is None and settings.openai_api_key and not settings.openai_base_url:
        model = PREMIUM_MODEL
    if model is None:
        return None
    if not settings.openai_api_key and not settings.openai_base_url:
        raise NotConfigured("The premium search has neither a key nor an address.", "CONTENTGEN_OPENAI_API_KEY")
    address = usable_address(settings.openai_base_url or OPENAI, "CONTENTGEN_OPENAI_BASE_URL")
    return GptPremiumSearch(address, settings.openai_api_key, model, client)
