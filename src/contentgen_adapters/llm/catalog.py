"""The writer that the settings select."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from attrs import field, frozen

from contentgen_adapters.llm.extractive import ExtractiveWriter
from contentgen_core.errors import NotConfigured
from contentgen_core.model.prices import PricedModel, TokenPrices
from contentgen_core.model.text import TextAnalysis
from contentgen_core.ports.content_model import ContentModel

if TYPE_CHECKING:
    import httpx

OPENAI_MODEL: Final = "gpt-4.1"
ANTHROPIC_MODEL: Final = "claude-sonnet-4-5"


@frozen(kw_only=True)
class WriterSettings:
    """The operator's settings of the same names.

    `content_model="auto"`: OpenAI if it has a key or an address, else Anthropic if it has a key, else the extractive
    writer. `model_timeout`: seconds per call. `model_calls`: under way at a time (see `model_retry_policy`).
    `model_prices`: of the chosen model's tokens, where they are known. `plan_model`: another one of the vendor, which
    plans, with `plan_prices`.
    """

    content_model: Literal["auto", "extractive", "openai", "anthropic"] = "auto"
    openai_api_key: str | None = field(default=None, repr=False)
    openai_base_url: str | None = None
    openai_model: str = OPENAI_MODEL
    anthropic_api_key: str | None = field(default=None, repr=False)
    anthropic_base_url: str | None = None
    anthropic_model: str = ANTHROPIC_MODEL
    model_timeout: float = 120.0
    model_calls: int | None = None
    model_prices: TokenPrices | None = None
    plan_model: str | None = None
    plan_prices: TokenPrices | None = None

    @property
    def chosen(self) -> Literal["extractive", "openai", "anthropic"]:
        if self.content_model != "auto":
            return self.content_model
        if self.openai_api_key or self.openai_base_url:
            return "openai"
        return "anthropic" if self.anthropic_api_key else "extractive"

    @property
    def planning(self) -> PricedModel | None:
        return None if self.plan_model is None else PricedModel(self.plan_model, self.plan_prices)


def build_writer(settings: WriterSettings, analysis: TextAnalysis, client: httpx.AsyncClient) -> ContentModel:
    """The selected writer. Where a model's plan cannot be used, the extractive writer plans.

    `client`: from `shared.http.make_client`. Raises NotConfigured when the named writer lacks its key.
    """
    extractive = ExtractiveWriter(analysis)
    match settings.chosen:
        case "openai":
            return _openai(settings, client, extractive)
        case "anthropic":
            return _anthropic(settings, client, extractive)
        case "extractive":
            return extractive


def _openai(settings: WriterSettings, client: httpx.AsyncClient, planner: ContentModel) -> ContentModel:
    from contentgen_adapters.llm import openai
    from contentgen_adapters.llm.conversation import model_retry_policy

    # a self-hosted server needs an address and no key, the vendor's a key and no address
    if not settings.openai_api_key and not settings.openai_base_url:
        raise NotConfigured("The OpenAI writer has neither a key nor an address.", openai.SETTING)
    address = settings.openai_base_url or openai.OPENAI
    return openai.OpenAIWriter(
        address,
        settings.openai_api_key,
        settings.openai_model,
        client,
        retry_policy=model_retry_policy(settings.model_timeout, settings.model_calls),
        prices=settings.model_prices,
        planner=planner,
        planning=settings.planning,
    )


def _anthropic(settings: WriterSettings, client: httpx.AsyncClient, planner: ContentModel) -> ContentModel:
    from contentgen_adapters.llm import anthropic
    from contentgen_adapters.llm.conversation import model_retry_policy

    if not settings.anthropic_api_key:
        raise NotConfigured("The Anthropic writer has no key.", anthropic.SETTING)
    address = settings.anthropic_base_url or anthropic.ANTHROPIC
    return anthropic.AnthropicWriter(
        address,
        settings.anthropic_api_key,
        settings.anthropic_model,
        client,
        retry_policy=model_retry_policy(settings.model_timeout, settings.model_calls),
        prices=settings.model_prices,
        planner=planner,
        planning=settings.planning,
    )
