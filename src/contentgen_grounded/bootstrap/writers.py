"""Choose the content model and its prices from the settings."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final, Literal, TypeGuard, cast

from attrs import evolve

from contentgen_adapters.llm.catalog import WriterSettings, build_writer
from contentgen_adapters.llm.extractive.writer import ExtractiveWriter
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.errors import InvalidInput
from contentgen_core.model.budget import WritingCosts
from contentgen_core.model.prices import TokenPrices
from contentgen_core.ports.content_model import ContentModel, TextModel
from contentgen_core.services import Ports
from contentgen_grounded.settings import BadSetting, Settings

if TYPE_CHECKING:
    import httpx

    from contentgen_adapters.llm.anthropic import AnthropicWriter
    from contentgen_adapters.llm.openai import OpenAIWriter

OTHER_CALLS: Final = 20
"""Of requests to publishing targets: tests of connections and choices of options."""


def content_model(settings: Settings, client: httpx.AsyncClient) -> ContentModel:
    """Return the content model that the settings choose. `client`: used by it alone, with as many connections as it may
    have calls. Raises NotConfigured when the chosen model lacks its settings, BadSetting for prices that do not go
    together.
    """
    return build_writer(_writer_settings(settings), IcuTextAnalysis(), client)


def writes_by_itself(settings: Settings) -> bool:
    """Whether the settings choose the writer that asks no model. Raises BadSetting likewise."""
    return _writer_settings(settings).chosen == "extractive"


def _writer_settings(settings: Settings) -> WriterSettings:
    return WriterSettings(
        content_model=settings.content_model,
        openai_api_key=settings.openai_api_key,
        openai_base_url=settings.openai_base_url,
        openai_model=settings.openai_model,
        anthropic_api_key=settings.anthropic_api_key,
        anthropic_base_url=settings.anthropic_base_url,
        anthropic_model=settings.anthropic_model,
        model_timeout=settings.model_timeout,
        model_calls=settings.model_calls,
        model_prices=model_prices(settings),
        plan_model=settings.plan_model,
        plan_prices=plan_prices(settings),
    )


def has_batches(model: ContentModel) -> TypeGuard[OpenAIWriter | AnthropicWriter]:
    """Whether its vendor answers in batches."""
    if isinstance(model, ExtractiveWriter):
        return False
    from contentgen_adapters.llm.anthropic import AnthropicWriter
    from contentgen_adapters.llm.openai import OpenAIWriter

    return isinstance(model, OpenAIWriter | AnthropicWriter)


def writer_over(model: ContentModel | TextModel) -> ContentModel:
    """Return the content model itself, or a writer over a model that answers a text with a text. Where a plan of the
    latter cannot be used, the extractive writer plans. Raises InvalidInput for an object that is neither."""
    if hasattr(model, "write_section"):
        return cast(ContentModel, model)
    if not callable(getattr(model, "answer", None)):
        raise InvalidInput.of("model", f"is a {type(model).__name__}, without the method `answer` of a TextModel")
    from contentgen_adapters.llm.text_model import TextModelWriter

    return TextModelWriter(model, ExtractiveWriter(IcuTextAnalysis()))


def with_model(ports: Ports, model: ContentModel) -> Ports:
    """The ports with a model that writes, asked in batches where its vendor has these."""
    if has_batches(model):
        return evolve(ports, model=model, batched_planner=model.batched_plans, batched_model=model.batched_parts)
    return evolve(ports, model=model, batched_planner=None, batched_model=None)


def model_prices(settings: Settings) -> TokenPrices | None:
    """Return the prices of the chosen model's tokens, if the operator gave them. Raises BadSetting when only one of the
    two prices is given, or only that of cached tokens.
    """
    prices = _prices(settings, "model")
    cached, kept = settings.model_cached_price, settings.model_cache_write_price
    if prices is None:
        if (cached, kept) != (None, None):
            raise BadSetting("CONTENTGEN_MODEL_INPUT_PRICE: prices of kept tokens are set without it.")
        return None
    return evolve(prices, cached=_decimal(cached), cache_written=_decimal(kept))


def plan_prices(settings: Settings) -> TokenPrices | None:
    """Return the prices of the planning model's tokens, if plans have a model of their own. Raises BadSetting when only
    one of the two prices is given, or prices without such a model.
    """
    prices = _prices(settings, "plan_model")
    if prices is not None and settings.plan_model is None:
        raise BadSetting("CONTENTGEN_PLAN_MODEL: prices of a model that plans are set without it.")
    return prices


def writing_costs(settings: Settings, *, of_a_model: bool, batches: bool = False) -> WritingCosts:
    """Return the costs that budgets estimate an article with. `batches`: whether the model is called in batches. Raises
    BadSetting.
    """
    writing = model_prices(settings)
    planning = writing if settings.plan_model is None else plan_prices(settings)
    return WritingCosts(of_a_model, planning, writing, batches)


def _prices(settings: Settings, of: Literal["model", "plan_model"]) -> TokenPrices | None:
    read = _decimal(getattr(settings, f"{of}_input_price"))
    written = _decimal(getattr(settings, f"{of}_output_price"))
    if read is None and written is None:
        return None
    if read is None or written is None:
        missing = f"CONTENTGEN_{of.upper()}_{'INPUT' if read is None else 'OUTPUT'}_PRICE"
        raise BadSetting(f"{missing}: one price is set without the other; set both, or none.")
    return TokenPrices(read, written, settings.model_currency)


def _decimal(price: float | None) -> Decimal | None:
    return None if price is None else Decimal(str(price))
