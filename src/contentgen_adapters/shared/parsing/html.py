"""HTML pages: the main text as Markdown, with title, canonical address and language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin

import nh3
from attrs import frozen

from contentgen_adapters.shared.parsing.bylines import stated_authors
from contentgen_adapters.shared.parsing.consent import drop_consent
from contentgen_adapters.shared.parsing.decoding import decode
from contentgen_adapters.shared.parsing.format import FileFormat, one_line, source, unreadable
from contentgen_adapters.shared.parsing.visible import drop_hidden, without_invisible
from contentgen_adapters.shared.text.addresses import web_address
from contentgen_adapters.shared.text.markdown import encodable, storable
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


# Only a date stated in a page's markup, not one found in its text.
_STATED_DATE: Final[dict[str, object]] = {"original_date": True, "extensive_search": False}


@frozen
class Page:
    """A page's main text and metadata.

    `text`: Markdown; empty when it has none. `url`: its canonical address, unchecked. `language`: a BCP 47 tag.
    `published`, `authors`: as stated in its markup. `links`: the texts of its links, each on one line.
    """

    text: str
    title: str | None
    url: str | None
    language: str | None
    published: date | None = None
    links: frozenset[str] = frozenset()
    authors: tuple[str, ...] = ()


def read_page(html: str, address: str | None = None) -> Page:
    """Extracts the main text by trafilatura; where that finds none (a page of a few lines), the text of the whole body.

    Hidden text and requests for consent to cookies are left out. `address`: of the page, to resolve a relative
    canonical link. CPU-bound: some 10 ms per page; a hostile page can make it run for hours.
    """
    import trafilatura
    from trafilatura.metadata import extract_metadata

    tree = _parse(html)
    if tree is None:
        return Page("", None, None, None)
    metadata = extract_metadata(tree, default_url=address, date_config={**_STATED_DATE})
    language = _LANG.search(html[:20_000])
    authors = stated_authors(tree)
    drop_hidden(tree)
    drop_consent(tree)
    text = trafilatura.extract(
        tree, url=address, output_format="markdown", include_comments=False, include_tables=True, include_links=False,
        include_formatting=True, favor_recall=True, with_metadata=False,
    )  # fmt: skip
    url = metadata.url if metadata else None
    return Page(
        text=without_invisible(text or _whole_body(tree)).strip(),
        title=one_line(without_invisible(metadata.title or "")) or None,
        url=web_address(urljoin(address, url) if address and url else url),
        language=language[1] if language else None,
        published=_date(metadata.date),
        links=frozenset(" ".join(link.text_content().split()) for link in tree.iter("a")),
        authors=authors,
    )


def declared_charset(data: bytes) -> str | None:
    """The character set stated in the head of an HTML page."""
    found = _CHARSET.search(data[:4096])
    return found[1].decode("ascii") if found else None


def _parse(html: str) -> Any:
    """Return a tree of lxml.html; None for an empty text."""
    from lxml.etree import ParserError  # type: ignore[import-untyped]
    from trafilatura.utils import HTML_PARSER, load_html

    tree = load_html(html)
    if tree is not None:
        return tree
    # trafilatura needs a whole document
    from lxml.html import document_fromstring  # type: ignore[import-untyped]

    try:
        return document_fromstring(storable(html), parser=HTML_PARSER)
    except (ParserError, ValueError):
        return None


def _date(stated: str | None) -> date | None:
    try:
        return date.fromisoformat(stated or "")
    except ValueError:
        return None


def to_markdown(html: str) -> str:
    """HTML as harmless Markdown: known elements only, no scripts, images or addresses."""
    from markdownify import ATX, markdownify

    clean = nh3.clean(encodable(html), tags=_KEPT, attributes={}, clean_content_tags=_FURNITURE, strip_comments=True)
    return re.sub(r"\n{3,}", "\n\n", str(markdownify(clean, heading_style=ATX, strip=["a"]))).strip()


def _whole_body(tree: Any) -> str:
    from lxml.html import tostring

    body = tree.find(".//body")
    return to_markdown(tostring(tree if body is None else body, encoding="unicode", with_tail=False))


def _read(path: Path, key: str) -> Iterator[SourceText]:
    data = path.read_bytes()
    page = read_page(decode(data, declared_charset(data)))
    if not page.text:
        raise unreadable(path, "the page holds no text (perhaps it is built by scripts in a browser).")
    yield source(
        key,
        page.text,
        path.name,
        title=page.title,
        url=page.url,
        language=page.language,
        published=page.published,
        authors=page.authors,
    )


FORMAT = FileFormat(
    label="HTML",
    suffixes=(".html", ".htm", ".xhtml"),
    media_type="text/html",
    sniff=lambda head: _SNIFF.match(head) is not None,
    read=_read,
    max_bytes=20_000_000,
    contents="the main text, without menus; canonical address, language, date, author",
)
