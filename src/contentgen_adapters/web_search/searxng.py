"""SearXNG, a self-hosted metasearch engine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import httpx
import msgspec

from contentgen_adapters.web_search.provider import Call, Provider
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.web_search import WebQuery, WebResult

NAME: Final = "SearXNG"
_COMMANDS: Final = "!:<"  # at the start of a word these select engines, a language or a time limit
_NAMED_FAILURES: Final = 5


class _Row(msgspec.Struct):
    url: str | None = None
    title: str | None = None
    content: str | None = None
    published: str | None = msgspec.field(default=None, name="publishedDate")


class _Answer(msgspec.Struct):
    results: list[_Row]
    unresponsive_engines: list[Any] = []


def locale(language: Language, country: str | None) -> str:
    """SearXNG's language tag: `de-CH`, or `de` without a country. Norwegian is `nb`."""
    tag = "nb" if language is Language.NO else language.value
    return f"{tag}-{country}" if country else tag


def _call(query: WebQuery, _: str | None) -> Call:
    params = {"q": query.text, "format": "json", "categories": "general"}
    if query.language:
        params["language"] = locale(query.language, query.country)
    return Call("/search", params=params)


def _without_commands(text: str) -> str:
    """The query without command characters: `!images` in a topic must not select engines, nor `!!` redirect to the
    first result."""
    return " ".join(bare for word in text.split() if (bare := word.lstrip(_COMMANDS)))


def _read(content: bytes) -> Iterable[WebResult]:
    found = msgspec.json.decode(content, type=_Answer)
    if not found.results and found.unresponsive_engines:
        # engines that did not answer: no results do not mean that nothing can be found
        silent = ", ".join(map(_engine_fault, found.unresponsive_engines[:_NAMED_FAILURES]))
        raise ProviderFailed(NAME, f"none of its engines gave results; without answer: {silent}", retryable=True)
    return [WebResult(r.url or "", r.title or "", r.content or "", r.published) for r in found.results]


def _engine_fault(engine: Any) -> str:
    """The text for an unresponsive engine, which is [engine, reason]."""
    words = engine if isinstance(engine, list) else [engine]
    return " ".join(" ".join(map(str, words)).split())[:80]


def _explain(response: httpx.Response) -> str | None:
    if response.status_code != 403:
        return None
    return "the instance gives no JSON (HTTP 403); set search.formats to [html, json] in its settings.yml"


PROVIDER: Final = Provider(
    id="searxng",
    name=NAME,
    needs="base_url",
    call=_call,
    read=_read,
    prepared=_without_commands,
    explain=_explain,
)
