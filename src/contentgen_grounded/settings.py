"""The settings: environment variables with the prefix CONTENTGEN_, each described where it is declared."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from contentgen_core.errors import ContentgenError
from contentgen_core.policies.text.plurals import pluralize
from contentgen_grounded.service_settings import ServiceSettings

PREFIX = "CONTENTGEN_"


class BadSetting(ContentgenError):
    """An environment variable has a value that cannot be used; the text names both."""

    code = "bad_setting"


class Settings(ServiceSettings, frozen=True, kw_only=True):
    """All settings. Every field is CONTENTGEN_<NAME> in the environment; this class adds the providers' to the
    service's.
    """

    content_model: Annotated[
        Literal["auto", "extractive", "openai", "anthropic"],
        Meta(description="Writer of articles. auto: openai or anthropic if configured, else extractive (no model)."),
    ] = "auto"
    openai_api_key: Annotated[str | None, Meta(description="Key of an OpenAI-compatible server.")] = None
    openai_base_url: Annotated[
        str | None, Meta(description="Address of an OpenAI-compatible server (vLLM, Ollama, llama.cpp, …).")
    ] = None
    openai_model: Annotated[str, Meta(description="Model that writes, at the OpenAI-compatible server.")] = "gpt-4.1"
    anthropic_api_key: Annotated[str | None, Meta(description="Key of the Anthropic API.")] = None
    anthropic_base_url: Annotated[str | None, Meta(description="Another address of the Anthropic API.")] = None
    anthropic_model: Annotated[str, Meta(description="Model that writes, at Anthropic.")] = "claude-sonnet-4-5"
    plan_model: Annotated[
        Annotated[str, Meta(min_length=1, max_length=200)] | None,
        Meta(description="Model that plans articles, at the same vendor or server; unset: the one that writes."),
    ] = None
    model_timeout: Annotated[float, Meta(gt=0, le=3600, description="Seconds that one call of a model may take.")] = (
        120.0
    )
    model_calls: Annotated[
        int, Meta(ge=1, le=1000, description="Calls of the model that one process makes at the same time; others wait.")
    ] = 16
    model_wait: Annotated[
        float,
        Meta(
            ge=0,
            le=1440,
            description="Minutes that an article or a translation waits for an unreachable model before it "
            "fails; 0: three attempts within seconds.",
        ),
    ] = 20.0
    model_input_price: Annotated[
        Annotated[float, Meta(ge=0, le=100_000)] | None,
        Meta(
            description="Vendor's price of a million input tokens of the chosen model. With the output price,"
            " articles show their cost; unset: their tokens."
        ),
    ] = None
    model_output_price: Annotated[
        Annotated[float, Meta(ge=0, le=100_000)] | None,
        Meta(description="Vendor's price of a million output tokens of the chosen model."),
    ] = None
    model_cached_price: Annotated[
        Annotated[float, Meta(ge=0, le=100_000)] | None,
        Meta(
            description="Vendor's price of a million input tokens that it had cached from an earlier request;"
            " unset: the input price."
        ),
    ] = None
    model_cache_write_price: Annotated[
        Annotated[float, Meta(ge=0, le=100_000)] | None,
        Meta(
            description="Vendor's price of a million input tokens that it caches for later requests, if it "
            "charges that; unset: the input price."
        ),
    ] = None
    plan_model_input_price: Annotated[
        Annotated[float, Meta(ge=0, le=100_000)] | None,
        Meta(description="Vendor's price of a million input tokens of CONTENTGEN_PLAN_MODEL."),
    ] = None
    plan_model_output_price: Annotated[
        Annotated[float, Meta(ge=0, le=100_000)] | None,
        Meta(description="Vendor's price of a million output tokens of CONTENTGEN_PLAN_MODEL."),
    ] = None
    model_currency: Annotated[
        str, Meta(pattern=r"^[A-Z]{3}$", description="Currency of these prices, as a code of ISO 4217.")
    ] = "USD"
    embeddings: Annotated[
        Literal["hashed", "auto", "semantic", "openai", "onnx"],
        Meta(
            description="Embedder: auto (semantic if installed, else hashed), semantic (the model of the "
            "extra `semantic`), hashed (built in: by spelling), openai (the OpenAI-compatible "
            "server), onnx (a local folder)."
        ),
    ] = "auto"
    embedding_model: Annotated[str, Meta(description="Embedding model, at the OpenAI-compatible server.")] = (
        "text-embedding-3-small"
    )
    embedding_dimension: Annotated[int, Meta(ge=8, le=8192, description="Length of that model's vectors.")] = 1536
    onnx_model_dir: Annotated[
        Path | None,
        Meta(description="Folder with model.onnx and tokenizer.json: any for onnx, the published files for semantic."),
    ] = None
    reranker: Annotated[
        Literal["none", "cohere", "jina", "tei", "vllm"],
        Meta(description="Service whose cross-encoder reranks search results, if any."),
    ] = "none"
    reranker_api_key: Annotated[str | None, Meta(description="Key of the reranker, if it needs one.")] = None
    reranker_base_url: Annotated[str | None, Meta(description="Address of your own reranker, without /rerank.")] = None
    reranker_model: Annotated[
        str | None, Meta(description="Model that reranks; unset: the vendor's default, or the server's only one.")
    ] = None
    index_store: Annotated[
        str | None,
        Meta(
            description="Where the search index is kept: a folder, or s3://bucket/prefix (AWS_ACCESS_KEY_ID, …, and "
            "AWS_ENDPOINT_URL for another server than Amazon's). Unset: below the data folder."
        ),
    ] = None
    object_store: Annotated[
        str | None,
        Meta(
            description="Where uploaded files are kept: a folder, or s3://bucket/prefix. Unset: below the data folder."
        ),
    ] = None
    web_search: Annotated[
        Literal["auto", "serper", "brave", "tavily", "searxng"],
        Meta(description="Web search to use. auto: the first of these that is configured."),
    ] = "auto"
    serper_api_key: Annotated[str | None, Meta(description="Key of the Serper API.")] = None
    serper_base_url: Annotated[str | None, Meta(description="Another address of the Serper API.")] = None
    brave_api_key: Annotated[str | None, Meta(description="Key of the Brave Search API.")] = None
    brave_base_url: Annotated[str | None, Meta(description="Another address of the Brave Search API.")] = None
    tavily_api_key: Annotated[str | None, Meta(description="Key of the Tavily API.")] = None
    tavily_base_url: Annotated[str | None, Meta(description="Another address of the Tavily API.")] = None
    searxng_base_url: Annotated[str | None, Meta(description="Address of a SearXNG that answers in JSON.")] = None
    premium_search_model: Annotated[
        str | None,
        Meta(
            description="Model that searches the web, at the OpenAI-compatible server, which needs the Responses API. "
            "Unset: gpt-4.1 at OpenAI itself, no premium search elsewhere."
        ),
    ] = None
    history_days: Annotated[
        int,
        Meta(
            ge=0,
            le=36_500,
            description="Days for which finished records are kept: runs of agents, enrichments (not their "
            "documents), translations of texts and documents (not of articles), decided updates, "
            "used quotas; 0: for ever.",
        ),
    ] = 365
    trends_every: Annotated[
        int,
        Meta(
            ge=0,
            le=10_080,
            description="Minutes between two refreshes of the trends, which read public feeds; 0: only "
            "`contentgen trends refresh` does it.",
        ),
    ] = 0
    trends_feeds: Annotated[
        Path | None,
        Meta(description="File with the feeds that trends are found in (TOML), in place of the starter set."),
    ] = None
    trends_searches: Annotated[
        int,
        Meta(
            ge=0, le=10, description="Web searches that a refresh makes for each niche; providers may charge for them."
        ),
    ] = 0
    images: Annotated[
        Literal["auto", "unsplash", "pexels"],
        Meta(description="Where pictures for articles come from. auto: the first of these that has a key."),
    ] = "auto"
    unsplash_api_key: Annotated[str | None, Meta(description="Access key of the Unsplash API.")] = None
    unsplash_base_url: Annotated[str | None, Meta(description="Another address of the Unsplash API.")] = None
    pexels_api_key: Annotated[str | None, Meta(description="Key of the Pexels API.")] = None
    pexels_base_url: Annotated[str | None, Meta(description="Another address of the Pexels API.")] = None
    entailment: Annotated[
        Literal["none", "tei", "onnx"],
        Meta(
            description="Model that judges the sentences that the grounding check's rules cannot decide: tei (a "
            "server), onnx, none."
        ),
    ] = "none"
    entailment_base_url: Annotated[
        str | None, Meta(description="Address of the entailment server, without /predict, for entailment=tei.")
    ] = None
    entailment_api_key: Annotated[str | None, Meta(description="Key of the entailment server, if it needs one.")] = None
    entailment_model: Annotated[
        str, Meta(pattern=r"^(?!lexical$).{1,100}$", description="Name of the entailment server's model in receipts.")
    ] = "tei"
    entailment_model_dir: Annotated[
        Path | None, Meta(description="Folder with model.onnx, tokenizer.json and config.json, for entailment=onnx.")
    ] = None
    entailment_labels: Annotated[
        str | None,
        Meta(description="Meanings of LABEL_0, LABEL_1 and LABEL_2, such as contradiction,neutral,entailment."),
    ] = None


def load(environ: Mapping[str, str] | None = None, **given: object) -> Settings:
    """Read the settings from an environment; `given` (a command's options) take precedence where they are not None.
    Raises BadSetting with a line for every invalid value and every unknown variable.
    """
    environ = os.environ if environ is None else environ
    values: dict[str, object] = {}
    for name in Settings.__struct_fields__:
        text = environ.get(PREFIX + name.upper())
        if text:
            values[name] = text
    values |= {name: value for name, value in given.items() if value is not None}
    try:
        return msgspec.convert(values, Settings, strict=False, dec_hook=_path)
    except msgspec.ValidationError:
        unknown = [describe_unknown(*item) for item in unknown_variables(environ).items()]
        raise BadSetting("\n".join([*_faults(values), *unknown])) from None


def _faults(values: Mapping[str, object]) -> Iterator[str]:
    """Yield a line for each value that cannot be used: its variable, what was expected, and the setting's meaning."""
    hints = get_type_hints(Settings, include_extras=True)
    for name, value in values.items():
        try:
            msgspec.convert(value, hints[name], strict=False, dec_hook=_path)
        except msgspec.ValidationError as error:
            yield f"{PREFIX}{name.upper()}: {_describe_type(hints[name]) or error}. {description_of(hints[name])}"


def _describe_type(hint: Any) -> str:
    """Return the values that a setting takes, in words; "" where its type has none."""
    if get_origin(hint) is Literal:
        return f"choose one of {', '.join(get_args(hint))}"
    if hint is bool:
        return "choose true or false"
    for part in get_args(hint):
        if isinstance(part, Meta) and (words := _bounds(part, whole=get_args(hint)[0] is int)):
            return words
    return next(filter(None, map(_describe_type, get_args(hint))), "")


def _bounds(meta: Meta, *, whole: bool) -> str:
    """Return the bounds of a number or a text in words; "" without any. `whole`: whether the number is an integer."""
    number = "whole number" if whole else "number"
    if meta.le is not None:
        return (
            f"give a {number} " + (f"from {meta.ge}" if meta.gt is None else f"above {meta.gt}, up") + f" to {meta.le}"
        )
    if meta.pattern is not None:
        return "is not of the form that is expected"
    return "" if meta.min_length is None else f"give at least {pluralize(meta.min_length, 'character')}"


def description_of(hint: Any) -> str:
    """Return what a setting means, from its annotation."""
    described = (part.description for part in get_args(hint) if isinstance(part, Meta) and part.description)
    return next(described, "")


def unknown_variables(environ: Mapping[str, str] | None = None) -> dict[str, str | None]:
    """Return the variables with the prefix that are not settings, each with the most similar setting's name, if any."""
    environ = os.environ if environ is None else environ
    known = [PREFIX + name.upper() for name in Settings.__struct_fields__]
    unknown = sorted(name for name in environ if name.startswith(PREFIX) and name not in known)
    return {name: next(iter(_spelled_like(name, known)), None) for name in unknown}


def _spelled_like(variable: str, known: list[str]) -> list[str]:
    # Without the prefix, which makes all names alike.
    near = difflib.get_close_matches(variable.removeprefix(PREFIX), [name.removeprefix(PREFIX) for name in known], n=1)
    return [PREFIX + name for name in near]


def describe_unknown(variable: str, nearest: str | None) -> str:
    return f"{variable} is no setting" + (f": is {nearest} meant?" if nearest else ", and none is spelled like it.")


def _path(kind: type, value: Any) -> Any:
    return Path(value).expanduser() if kind is Path else value
