"""The settings: environment variables with the prefix CONTENTGEN_, each described where it is declared."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from contentgen_core.errors import ContentgenError
from contentgen_core.policies.text.plurals import pluralize

PREFIX = "CONTENTGEN_"
_SECRET = re.compile(r"_(keys?|secret)$")
_PASSWORD = re.compile(r"(?<=://)([^/@\s:]*):[^/@\s]*(?=@)")
_HIDDEN = "(set, not shown)"


class BadSetting(ContentgenError):
    """An environment variable has a value that cannot be used; the text names both."""

    code = "bad_setting"


def default_data_dir() -> Path:
    """Where a user's programs keep their data. Root's home is closed to the database's own user: root uses /var/lib."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/lib/contentgen")
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "contentgen"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Every field is CONTENTGEN_<NAME> in the environment."""

    data_dir: Annotated[Path, Meta(description="Folder of the database, the search index and the key file.")] = (
        msgspec.field(default_factory=default_data_dir)
    )
    host: Annotated[str, Meta(description="Address the service listens on.")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535, description="Port the service listens on; 0 picks a free one.")] = 8000
    metrics_port: Annotated[
        Annotated[int, Meta(ge=0, le=65535)] | None,
        Meta(
            description="Port on which `contentgen worker` answers /metrics and /health, which `serve` does on its "
            "own; 0 picks a free one, unset is none."
        ),
    ] = None
    metrics_key: Annotated[
        Annotated[str, Meta(min_length=16, pattern=r"^[!-~]+$")] | None,
        Meta(
            description="Key that /metrics of `serve` and `worker` asks for, as Authorization: Bearer, of 16 "
            "characters or more; unset: it is open, for a proxy to keep from the world."
        ),
    ] = None
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], Meta(description="Least severity that is logged.")
    ] = "info"
    source_folders: Annotated[
        str | None,
        Meta(
            description="Folders of the server that synced sources may be below, separated by `:` (`;` on Windows); "
            "unset: none."
        ),
    ] = None
    database_url: Annotated[
        str | None, Meta(description="A PostgreSQL of your own (postgresql://…); else a private one is started.")
    ] = None
    database_pool: Annotated[
        int, Meta(ge=2, le=200, description="Connections that each process keeps to PostgreSQL.")
    ] = 10
    redis_url: Annotated[
        Annotated[str, Meta(pattern=r"^(redis|rediss|unix)://.+")] | None,
        Meta(
            description="A Redis (redis://…, rediss://…) for several machines: it shares the minute's limits and "
            "hands jobs to `contentgen worker`; `serve` then does none itself unless told by --job-workers."
        ),
    ] = None
    drain_seconds: Annotated[
        float, Meta(ge=0, le=600, description="Seconds that running jobs may go on after a SIGTERM.")
    ] = 2.0
    secret_key: Annotated[
        Annotated[str, Meta(min_length=32)] | None,
        Meta(description="Secret behind the digests of API keys; else a key file is made."),
    ] = None
    sealing_keys: Annotated[
        str | None,
        Meta(
            description="Keys that secrets of integrations are encrypted with, newest first, comma-separated, of 32 "
            "characters or more each; else a key file is made."
        ),
    ] = None
    public_url: Annotated[
        Annotated[str, Meta(max_length=500, pattern=r"^https?://[^\s/?#@]+(/[^\s?#]*)?$")] | None,
        Meta(
            description="Where people reach the service (https://…): what links of invitations and addresses of "
            "public articles start with."
        ),
    ] = None
    site_name: Annotated[
        Annotated[str, Meta(min_length=1, max_length=100)], Meta(description="What the public pages call the site.")
    ] = "Contentgen"
    site_author: Annotated[
        Annotated[str, Meta(min_length=1, max_length=100)] | None,
        Meta(description="Who public articles are by; else the site."),
    ] = None
    site_language: Annotated[
        Literal["en", "fr"], Meta(description="Language of the public pages' own words; articles keep theirs.")
    ] = "en"
    site_logo: Annotated[
        Annotated[str, Meta(max_length=500, pattern=r"^https?://[^\s/?#@]+(/[^\s]*)?$")] | None,
        Meta(description="Address of a picture that the public pages show beside the name."),
    ] = None
    site_colour: Annotated[
        Annotated[str, Meta(pattern=r"^#[0-9a-fA-F]{6}$")],
        Meta(description="Colour of links on the public pages, #rrggbb; one that cannot be read on white is refused."),
    ] = "#0b4f8a"
    site_dark_colour: Annotated[
        Annotated[str, Meta(pattern=r"^#[0-9a-fA-F]{6}$")],
        Meta(description="The same in dark mode, on #17191c."),
    ] = "#8ab8ff"
    index_now_url: Annotated[
        Annotated[str, Meta(max_length=500, pattern=r"^https?://[^\s/?#@]+(/[^\s?#]*)?$")],
        Meta(description="Where changed pages of sites are told to search engines, by the IndexNow protocol."),
    ] = "https://api.indexnow.org/indexnow"
    smtp_url: Annotated[
        str | None,
        Meta(
            description="Server that sends mail: smtp://user:password@host:587 (STARTTLS) or smtps://…:465. Unset: "
            "mail is only logged. Needs CONTENTGEN_MAIL_FROM and CONTENTGEN_PUBLIC_URL."
        ),
    ] = None
    mail_from: Annotated[str | None, Meta(description="Sender of mail, such as Contentgen <no-reply@example.org>.")] = (
        None
    )
    oidc_issuer: Annotated[
        Annotated[str, Meta(max_length=500, pattern=r"^https?://[^\s/?#@]+(/[^\s?#]*)?$")] | None,
        Meta(description="Issuer of an OpenID Connect provider at which people sign in to the console; unset: none."),
    ] = None
    oidc_client_id: Annotated[str | None, Meta(description="What that provider knows this service as.")] = None
    oidc_client_secret: Annotated[
        str | None, Meta(description="The secret for it; unset for a public client, which PKCE alone protects.")
    ] = None
    oidc_domains: Annotated[
        str,
        Meta(
            description="Domains of mail addresses that the provider may vouch for, comma-separated; * for all. "
            "Whoever runs the provider can sign in as any member with such an address."
        ),
    ] = ""
    oidc_tenant: Annotated[
        str | None, Meta(description="Id of the only tenant whose members it signs in; unset: those of every tenant.")
    ] = None
    mcp_allowed_hosts: Annotated[
        str,
        Meta(
            description="Further hosts that agents may reach POST /mcp by, comma-separated, beside localhost and "
            "that of CONTENTGEN_PUBLIC_URL; * for any. Others are refused, as Host and as Origin."
        ),
    ] = ""
    trusted_proxies: Annotated[
        str, Meta(description="Addresses whose X-Forwarded-For is believed, comma-separated.")
    ] = ""
    allowed_private_hosts: Annotated[
        str,
        Meta(description="Private hosts that entered and found addresses may lead to: host:port, comma-separated."),
    ] = ""
    user_agent: Annotated[
        Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[!-~]([ -~]*[!-~])?$")] | None,
        Meta(description="How page readings introduce themselves; add an address to reach you (… (+https://…))."),
    ] = None
    header_bytes: Annotated[
        int, Meta(ge=1_024, le=1_048_576, description="Bytes of a request's line and header fields (else 431).")
    ] = 32_768
    header_seconds: Annotated[
        float, Meta(gt=0, le=600, description="Seconds in which they have to arrive; also of a silent connection.")
    ] = 10.0
    idle_seconds: Annotated[
        int,
        Meta(
            ge=1,
            le=3_600,
            description="Seconds that a connection is kept for a further request: longer than clients and proxies in "
            "front keep theirs, or they meet one that is just being closed.",
        ),
    ] = 75
    body_seconds: Annotated[
        float,
        Meta(
            gt=0,
            le=600,
            description="Seconds in which a request's body has to arrive (else 408); a large one goes on as long as it "
            "brings 8 KiB a second.",
        ),
    ] = 30.0
    slow_requests_of_tenant: Annotated[
        int,
        Meta(
            ge=1,
            le=100,
            description="Requests of one tenant that take long (plans, searches, checks, uploads, edits, exports) at "
            "the same time in one process; twice as many wait up to 10 s for their turn, others get a 429. Of other "
            "requests it has eight at a time; 200 wait up to 30 s.",
        ),
    ] = 8
    event_streams: Annotated[
        int, Meta(ge=1, le=100_000, description="Streams of GET /agents/events that one process keeps open.")
    ] = 4_000
    event_streams_of_tenant: Annotated[
        int, Meta(ge=1, le=100_000, description="How many of them one tenant may have.")
    ] = 200
    free_articles_per_day: Annotated[
        int,
        Meta(
            ge=0,
            le=100_000,
            description="Free articles (POST /public/generate-from-link) a UTC day, for everybody together; 0 makes "
            "none. Each costs what an article costs.",
        ),
    ] = 20
    free_articles_per_address: Annotated[
        int, Meta(ge=1, le=1_000, description="How many of them a day for one address (IPv6: one network of 64 bits).")
    ] = 3
    generations: Annotated[
        int,
        Meta(
            ge=1,
            le=1000,
            description="Articles that one process writes at the same time, at most; beyond 8 it takes more while its "
            "event loop keeps up.",
        ),
    ] = 16
    posts: Annotated[
        int,
        Meta(
            ge=1, le=1000, description="Posts that one process sends to targets at the same time, beside the articles."
        ),
    ] = 100
    syncs: Annotated[
        int, Meta(ge=1, le=1000, description="Sources that one process syncs at the same time, beside all else.")
    ] = 4
    tenant_share: Annotated[
        int,
        Meta(
            ge=1,
            le=100,
            description="Per cent of the articles, posts and syncs at the same time, in all processes of the service, "
            "that one tenant may have. What is left is free for others at once.",
        ),
    ] = 75
    content_model: Annotated[
        Literal["auto", "extractive", "openai", "anthropic"],
        Meta(description="Who writes. auto: openai or anthropic where configured, else extractive (no model)."),
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
    model_timeout: Annotated[float, Meta(gt=0, le=3600, description="Seconds one call of a model may take.")] = 120.0
    model_calls: Annotated[
        int, Meta(ge=1, le=1000, description="Calls of the model that one process makes at the same time; others wait.")
    ] = 16
    model_wait: Annotated[
        float,
        Meta(
            ge=0,
            le=1440,
            description="Minutes that an article or a translation waits for a model that is away, before it fails; "
            "0: three attempts within seconds.",
        ),
    ] = 20.0
    model_input_price: Annotated[
        Annotated[float, Meta(ge=0, le=100_000)] | None,
        Meta(
            description="What a million tokens cost that the chosen model reads, at its vendor. With the output price, "
            "articles say what they cost; unset, they say their tokens."
        ),
    ] = None
    model_output_price: Annotated[
        Annotated[float, Meta(ge=0, le=100_000)] | None,
        Meta(description="What a million tokens cost that the chosen model writes."),
    ] = None
    model_cached_price: Annotated[
        Annotated[float, Meta(ge=0, le=100_000)] | None,
        Meta(
            description="What a million tokens cost that the chosen model reads and its vendor had kept from an "
            "earlier request; unset: as others."
        ),
    ] = None
    model_cache_write_price: Annotated[
        Annotated[float, Meta(ge=0, le=100_000)] | None,
        Meta(
            description="What a million tokens cost that it reads and its vendor keeps for later requests, where it "
            "charges that; unset: as others."
        ),
    ] = None
    plan_model_input_price: Annotated[
        Annotated[float, Meta(ge=0, le=100_000)] | None,
        Meta(description="The same of the model that plans, where it is another one: of what it reads."),
    ] = None
    plan_model_output_price: Annotated[
        Annotated[float, Meta(ge=0, le=100_000)] | None, Meta(description="Of what the model that plans writes.")
    ] = None
    model_currency: Annotated[
        str, Meta(pattern=r"^[A-Z]{3}$", description="The currency of these prices, by its code of ISO 4217.")
    ] = "USD"
    embeddings: Annotated[
        Literal["hashed", "auto", "semantic", "openai", "onnx"],
        Meta(
            description="Who embeds: auto (semantic where it is installed, else hashed), semantic (the model of the "
            "extra `semantic`), hashed (built in: by spelling), openai (the server above), onnx (a local folder)."
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
        Meta(description="Whose cross-encoder reads again what a search found, if any."),
    ] = "none"
    reranker_api_key: Annotated[str | None, Meta(description="Key of that reranker, where it needs one.")] = None
    reranker_base_url: Annotated[
        str | None, Meta(description="Address of a reranker of your own, what stands before /rerank.")
    ] = None
    reranker_model: Annotated[
        str | None, Meta(description="Model that reranks; else the vendor's usual one, or the server's only one.")
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
        Meta(description="Who searches the web. auto: the first of these that is configured."),
    ] = "auto"
    serper_api_key: Annotated[str | None, Meta(description="Key of the Serper API.")] = None
    serper_base_url: Annotated[str | None, Meta(description="Another address of the Serper API.")] = None
    brave_api_key: Annotated[str | None, Meta(description="Key of the Brave Search API.")] = None
    brave_base_url: Annotated[str | None, Meta(description="Another address of the Brave Search API.")] = None
    tavily_api_key: Annotated[str | None, Meta(description="Key of the Tavily API.")] = None
    tavily_base_url: Annotated[str | None, Meta(description="Another address of the Tavily API.")] = None
    searxng_base_url: Annotated[str | None, Meta(description="Address of a SearXNG that gives JSON.")] = None
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
            description="Days for which what is over is kept: runs of agents, enrichments (not their documents), "
            "translations of texts and documents (not of articles), decided updates, used quotas; 0: for ever.",
        ),
    ] = 365
    trends_every: Annotated[
        int,
        Meta(
            ge=0,
            le=10_080,
            description="Minutes between two refreshes of the trends, which read public feeds; 0: only by the command.",
        ),
    ] = 0
    trends_feeds: Annotated[
        Path | None,
        Meta(description="File with the feeds that trends are found in (TOML), in place of the starter set."),
    ] = None
    trends_searches: Annotated[
        int,
        Meta(
            ge=0, le=10, description="Searches of the web that a refresh makes for each niche; providers charge them."
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
        Meta(description="Which model judges what the grounding check's rules leave open: tei (a server), onnx, none."),
    ] = "none"
    entailment_base_url: Annotated[
        str | None, Meta(description="Address of that server, what stands before /predict, for entailment=tei.")
    ] = None
    entailment_api_key: Annotated[str | None, Meta(description="Key of that server, where it needs one.")] = None
    entailment_model: Annotated[
        str, Meta(pattern=r"^(?!lexical$).{1,100}$", description="What receipts call that server's model.")
    ] = "tei"
    entailment_model_dir: Annotated[
        Path | None, Meta(description="Folder with model.onnx, tokenizer.json and config.json, for entailment=onnx.")
    ] = None
    entailment_labels: Annotated[
        str | None,
        Meta(description="What LABEL_0, LABEL_1 and LABEL_2 mean, such as contradiction,neutral,entailment."),
    ] = None


def load(environ: Mapping[str, str] | None = None, **given: object) -> Settings:
    """The settings of an environment; `given` (a command's options) win where they are not None. Raises BadSetting with
    every value that cannot be used, a line each, and the variables that are no setting."""
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
            yield f"{PREFIX}{name.upper()}: {_expected(hints[name]) or error}. {_description(hints[name])}"


def _expected(hint: Any) -> str:
    """Return the values that a setting takes, in words; "" where its type has none."""
    if get_origin(hint) is Literal:
        return f"choose one of {', '.join(get_args(hint))}"
    if hint is bool:
        return "choose true or false"
    for part in get_args(hint):
        if isinstance(part, Meta) and (words := _bounds(part, whole=get_args(hint)[0] is int)):
            return words
    return next(filter(None, map(_expected, get_args(hint))), "")


def _bounds(meta: Meta, *, whole: bool) -> str:
    """Return the bounds of a number or a text in words; "" without any. `whole`: of a whole number."""
    number = "whole number" if whole else "number"
    if meta.le is not None:
        return (
            f"give a {number} " + (f"from {meta.ge}" if meta.gt is None else f"above {meta.gt}, up") + f" to {meta.le}"
        )
    if meta.pattern is not None:
        return "is not of the form that is expected"
    return "" if meta.min_length is None else f"give at least {pluralize(meta.min_length, 'character')}"


def _description(hint: Any) -> str:
    described = (part.description for part in get_args(hint) if isinstance(part, Meta) and part.description)
    return next(described, "")


def table() -> list[tuple[str, str, str]]:
    """(variable, default, description) of every setting."""
    rows = []
    defaults = Settings()
    for name, hint in get_type_hints(Settings, include_extras=True).items():
        if get_origin(hint) is not Annotated:
            continue
        default = getattr(defaults, name)
        rows.append((PREFIX + name.upper(), "" if default is None else str(default), _description(hint)))
    return rows


class SettingInForce(msgspec.Struct, frozen=True):
    """`value`: as text, a secret hidden; `source`: what it comes from, `environment` or `default`."""

    variable: str
    value: str
    source: str
    description: str


def in_force(environ: Mapping[str, str] | None = None) -> list[SettingInForce]:
    """Every setting with its value in this environment. Raises BadSetting."""
    environ = os.environ if environ is None else environ
    loaded = load(environ)
    return [
        SettingInForce(
            variable,
            _shown(variable, getattr(loaded, variable.removeprefix(PREFIX).lower())),
            "environment" if environ.get(variable) else "default",
            description,
        )
        for variable, _, description in table()
    ]


def unknown_variables(environ: Mapping[str, str] | None = None) -> dict[str, str | None]:
    """Variables with the prefix that are no setting, each with the setting that is spelled most like it, if any is."""
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


def _shown(variable: str, value: object) -> str:
    if value is None:
        return ""
    return _HIDDEN if _SECRET.search(variable.lower()) else _PASSWORD.sub(r"\1:***", str(value))


def _path(kind: type, value: Any) -> Any:
    return Path(value).expanduser() if kind is Path else value
