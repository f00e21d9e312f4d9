"""Cleans the results of all search providers: valid addresses, each page once, texts without markup, bounded
lengths."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import nh3

from contentgen_adapters.shared.text.addresses import web_address
from contentgen_adapters.shared.text.markdown import storable
from contentgen_adapters.shared.text.tracking import without_tracking
from contentgen_core.policies.text.truncation import truncate_at_space, truncate_at_word
from contentgen_core.ports.web_search import MAX_RESULTS, WebResult

MAX_TITLE: Final = 300
MAX_SNIPPET: Final = 1_000
MAX_PUBLISHED: Final = 100
_INPUT_FACTOR: Final = 4  # a text is read up to this multiple of its limit, since markup is removed from it
_ESCAPE_LEVELS: Final = 3  # `&amp;lt;b&amp;gt;` is a tag that two servers escaped

_BREAK: Final = re.compile(r"<(?:br|/p|/div|/li)\b[^>]*>", re.IGNORECASE)  # tags that separate words become spaces
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


def clean(found: Iterable[WebResult], limit: int) -> tuple[WebResult, ...]:
    """Return the first `limit` distinct pages (MAX_RESULTS at most) of a provider's raw results, in its order. A
    duplicate fills the empty fields of the first result.
    """
    pages: dict[str, WebResult] = {}
    for raw in found:
        url = page_address(raw.url)
        if url is None:
            continue
        key = same_page(url)
        known = pages.get(key)
        pages[key] = _clean_result(url, raw) if known is None else _complete(known, raw)
    kept = list(pages.values())[: page_count(limit)]
    return tuple(WebResult(p.url, p.title or urlsplit(p.url).hostname or p.url, p.snippet, p.published) for p in kept)


def page_count(limit: int) -> int:
    """Return `limit` within 1..MAX_RESULTS."""
    return max(1, min(limit, MAX_RESULTS))


def page_address(url: str | None) -> str | None:
    """A page's address without fragment, default port and tracking parameters, otherwise unchanged. None unless it is
    an http(s) address without user name and password, which make one site look like another."""
    address = web_address(url)
    if address is None:
        return None
    parts = urlsplit(address)
    try:
        port = parts.port
    except ValueError:
        return None
    host = (parts.hostname or "").rstrip(".")
    if not host or parts.username is not None or parts.password is not None:
        return None
    netloc = f"[{host}]" if ":" in host else host
    if port is not None and port != _DEFAULT_PORTS[parts.scheme]:
        netloc = f"{netloc}:{port}"
    query = without_tracking(parts.query)
    return web_address(urlunsplit((parts.scheme, netloc, parts.path or "/", query, "")))


def same_page(url: str) -> str:
    """A key that is equal for addresses of one page: with and without `www.`, TLS and a trailing slash.

    `url`: from `page_address`.
    """
    parts = urlsplit(url)
    return f"{parts.netloc.removeprefix('www.')}{parts.path.rstrip('/')}?{parts.query}"


def plain_text(html: str | None, most: int) -> str:
    """HTML as one line of text of at most `most` characters, without tags, entities, scripts and styles."""
    text = storable((html or "")[: most * _INPUT_FACTOR], nul=" ")
    text = _BREAK.sub(" ", text)
    for _ in range(_ESCAPE_LEVELS):
        before, text = text, unescape(nh3.clean(text, tags=set()))
        if text == before:
            break
    else:
        text = text.replace("<", " ").replace(">", " ").replace("&", " ")
    return truncate_at_word(text, most)


def bounded_query(text: str, characters: int, words: int) -> str:
    """The query on one line with at most so many characters and words, cut between words where possible."""
    line = " ".join(storable(text, nul=" ").split()[:words])
    if len(line) <= characters:
        return line
    return truncate_at_space(line, characters, range(characters + 1), dangling="", ellipsis="")


def _clean_result(url: str, raw: WebResult) -> WebResult:
    published = plain_text(raw.published, MAX_PUBLISHED) or None
    return WebResult(url, plain_text(raw.title, MAX_TITLE), plain_text(raw.snippet, MAX_SNIPPET), published)


def _complete(known: WebResult, raw: WebResult) -> WebResult:
    duplicate = _clean_result(known.url, raw)
    return WebResult(
        known.url,
        known.title or duplicate.title,
        known.snippet or duplicate.snippet,
        known.published or duplicate.published,
    )
