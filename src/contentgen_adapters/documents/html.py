"""Web pages: the main text as Markdown, with title, canonical address and language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import urljoin

import nh3
from attrs import frozen

from contentgen_adapters.documents.decoding import decode
from contentgen_adapters.documents.format import FileFormat, one_line, source, unreadable
from contentgen_adapters.text.addresses import web_address
from contentgen_adapters.text.markdown import encodable
from contentgen_core.ports.documents import SourceText

_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([A-Za-z0-9_-]{2,40})", re.IGNORECASE)
_SNIFF: Final = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}>\s*|<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_LANG: Final = re.compile(r"<html\b[^>]{0,1000}?\blang\s*=\s*[\"']?([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*)", re.IGNORECASE)
_KEPT: Final = {
    "h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "blockquote", "pre", "code", "table", "thead", "tbody",
    "tr", "th", "td", "br", "em", "strong", "b", "i", "dl", "dt", "dd", "a", "article", "section", "main", "div",
}  # fmt: skip
_FURNITURE: Final = {"script", "style", "nav", "header", "footer", "aside", "form", "noscript", "template", "svg"}


@frozen
class Page:
    """A web page's main text as Markdown, and what the page says of itself. `text` is empty when it has none."""

    text: str
    title: str | None
    url: str | None
    language: str | None


def read_page(html: str, address: str | None = None) -> Page:
    """The main text of an HTML page by trafilatura; where it finds nothing (a page of a few lines), all of the body's
    text. `address` resolves a relative canonical link. CPU-bound: some 10 ms a page."""
    import trafilatura
    from trafilatura.metadata import extract_metadata

    metadata = extract_metadata(html, default_url=address)
    text = trafilatura.extract(
        html, url=address, output_format="markdown", include_comments=False, include_tables=True, include_links=False,
        include_formatting=True, favor_recall=True, with_metadata=False,
    )  # fmt: skip
    language = _LANG.search(html[:20_000])
    url = metadata.url if metadata else None
    return Page(
        text=(text or _whole_body(html)).strip(),
        title=one_line(metadata.title if metadata else None) or None,
        url=web_address(urljoin(address, url) if address and url else url),
        language=language[1] if language else None,
    )


def to_markdown(html: str) -> str:
    """A harmless Markdown of an HTML text: known elements only, no scripts, images or addresses."""
    from markdownify import ATX, markdownify

    clean = nh3.clean(encodable(html), tags=_KEPT, attributes={}, clean_content_tags=_FURNITURE, strip_comments=True)
    return re.sub(r"\n{3,}", "\n\n", str(markdownify(clean, heading_style=ATX, strip=["a"]))).strip()


def _whole_body(html: str) -> str:
    body = re.search(r"<body\b[^>]*>(.*)", html, re.IGNORECASE | re.DOTALL)
    return to_markdown(body[1] if body else re.sub(r"(?is)<title\b.*?</title\s*>", "", html))


def _read(path: Path, key: str) -> Iterator[SourceText]:
    data = path.read_bytes()
    charset = _CHARSET.search(data[:4096])
    page = read_page(decode(data, charset[1].decode("ascii") if charset else None))
    if not page.text:
        raise unreadable(path, "the page holds no text (perhaps it is built by scripts in a browser).")
    yield source(key, page.text, path.stem, title=page.title, url=page.url, language=page.language)


FORMAT = FileFormat(
    "HTML",
    frozenset({".html", ".htm", ".xhtml"}),
    _read,
    sniff=lambda head: _SNIFF.match(head) is not None,
    max_bytes=20_000_000,
)
