"""Brave Search, from its own index."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import httpx
import msgspec

from contentgen_adapters.web_search.provider import Call, Provider, setting_of
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.web_search import WebQuery, WebResult

# The values that the API accepts; any other is a 422 (Brave's reference and its own MCP server).
_COUNTRY_CODES: Final = (
    "AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US"
)
COUNTRIES: Final = frozenset(_COUNTRY_CODES.split())
ANYWHERE: Final = "ALL"
_INTERFACE_TAGS: Final = (
    "es-AR en-AU de-AT nl-BE fr-BE pt-BR en-CA fr-CA es-CL da-DK fi-FI fr-FR de-DE zh-HK en-IN en-ID it-IT ja-JP ko-KR"
    " en-MY es-MX nl-NL en-NZ no-NO zh-CN pl-PL en-PH ru-RU en-ZA es-ES sv-SE fr-CH de-CH zh-TW tr-TR en-GB en-US"
    " es-US"
)
INTERFACES: Final = frozenset(_INTERFACE_TAGS.split())
_LANGUAGES: Final = {
    Language.JA: "jp",
    Language.NO: "nb",
    Language.PT: "pt-pt",
    Language.ZH: "zh-hans",
    # the API supports neither of these
    Language.EL: None,
    Language.ID: None,
}
_IN_A_COUNTRY: Final = {
    (Language.PT, "BR"): "pt-br",
    (Language.ZH, "TW"): "zh-hant",
    (Language.ZH, "HK"): "zh-hant",
    (Language.EN, "GB"): "en-gb",
}


class _Row(msgspec.Struct):
    url: str | None = None
    title: str | None = None
    description: str | None = None
    page_age: str | None = None
    age: str | None = None


class _Web(msgspec.Struct):
    results: list[_Row] = []


class _Answer(msgspec.Struct):
    """An answer. `web` is missing where nothing was found; then only `query` shows that it is one."""

    web: _Web | None = None
    query: dict[str, Any] | None = None


class _Detail(msgspec.Struct):
    code: str | None = None


class _Failure(msgspec.Struct):
    error: _Detail | None = None
    errors: list[_Detail] = []


def search_language(language: Language, country: str | None) -> str | None:
    """Return the API's `search_lang` for a language in a country; None where it has none."""
    return _IN_A_COUNTRY.get((language, country or ""), _LANGUAGES.get(language, language.value))


def _call(query: WebQuery, api_key: str | None) -> Call:
    params = {"q": query.text, "count": str(query.limit), "text_decorations": "false", "result_filter": "web"}
    if query.country:
        params["country"] = query.country if query.country in COUNTRIES else ANYWHERE
    if query.language:
        if language := search_language(query.language, query.country):
            params["search_lang"] = language
        if (interface := f"{query.language.value}-{query.country}") in INTERFACES:
            params["ui_lang"] = interface
    return Call("/res/v1/web/search", {"X-Subscription-Token": api_key or ""}, params=params)


def _read(content: bytes) -> Iterable[WebResult]:
    found = msgspec.json.decode(content, type=_Answer)
    if found.web is None and found.query is None:
        raise msgspec.DecodeError("neither results nor the query")
    rows = found.web.results if found.web else []
    return [WebResult(r.url or "", r.title or "", r.description or "", r.page_age or r.age) for r in rows]


def _explain(response: httpx.Response) -> str | None:
    if response.status_code == 422 and "SUBSCRIPTION_TOKEN_INVALID" in _codes(response):
        return f"refused the key (HTTP 422); check the key, setting {setting_of('brave', 'api_key')}"
    if _month_is_used_up(response):
        return "the month's searches are used up (HTTP 429); raise the plan's limit or use another web search"
    return None


def _codes(response: httpx.Response) -> list[str | None]:
    try:
        failure = msgspec.json.decode(response.content, type=_Failure)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return []
    return [detail.code for detail in (failure.error, *failure.errors) if detail]


def _month_is_used_up(response: httpx.Response) -> bool:
    """Whether the month's quota is used up. The headers list two limits, per second and per month; 0 is unlimited."""
    limits, left = (_pair(response, name) for name in ("x-ratelimit-limit", "x-ratelimit-remaining"))
    return response.status_code == 429 and len(limits) == len(left) == 2 and limits[1] > 0 and left[1] == 0


def _pair(response: httpx.Response, name: str) -> list[int]:
    numbers = [number.strip() for number in response.headers.get(name, "").split(",")]
    return [int(number) for number in numbers] if all(n.isascii() and n.isdigit() for n in numbers) else []


PROVIDER: Final = Provider(
    id="brave",
    name="Brave Search",
    needs="api_key",
    address="https://api.search.brave.com",
    call=_call,
    read=_read,
    explain=_explain,
    permanent=_month_is_used_up,
)
