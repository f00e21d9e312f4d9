"""Google's results by Serper. The vendor publishes no reference; fields are those that its clients use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import httpx
import msgspec

from contentgen_adapters.web_search.provider import Call, Provider
from contentgen_core.ports.web_search import WebQuery, WebResult


class _Row(msgspec.Struct):
    link: str | None = None
    title: str | None = None
    snippet: str | None = None
    date: str | None = None


class _Answer(msgspec.Struct):
    search_parameters: dict[str, Any] = msgspec.field(name="searchParameters")  # every answer repeats the query
    organic: list[_Row] = []


class _Failure(msgspec.Struct):
    message: str | None = None


def _call(query: WebQuery, api_key: str | None) -> Call:
    # POST: a GET would have the key in its address
    body: dict[str, Any] = {"q": query.text, "num": query.limit}
    if query.country:
        body["gl"] = query.country.lower()
    if query.language:
        body["hl"] = query.language.value
    return Call("/search", {"X-API-KEY": api_key or ""}, body=body)


def _read(content: bytes) -> Iterable[WebResult]:
    found = msgspec.json.decode(content, type=_Answer)
    return [WebResult(r.link or "", r.title or "", r.snippet or "", r.date) for r in found.organic]


def _credits_are_used_up(response: httpx.Response) -> bool:
    """Whether the credits are used up: a 400 like an invalid query, distinguishable by its message only."""
    try:
        said = msgspec.json.decode(response.content, type=_Failure).message
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return "not enough credits" in (said or "").casefold()


def _explain(response: httpx.Response) -> str | None:
    if not _credits_are_used_up(response):
        return None
    return f"the account's credits are used up (HTTP {response.status_code}); buy credits or use another web search"


PROVIDER: Final = Provider(
    id="serper",
    name="Serper",
    needs="api_key",
    address="https://google.serper.dev",
    call=_call,
    read=_read,
    explain=_explain,
    permanent=_credits_are_used_up,
)
