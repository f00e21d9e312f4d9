"""Extracts the text of a page from the bytes of a response. Runs in a process of its own: see `shared.processes`."""

from __future__ import annotations

import io
import re
from datetime import date
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import unquote, urlsplit

import msgspec

from contentgen_adapters.shared.parsing import html, pdf
from contentgen_adapters.shared.parsing.consent import asks_for_consent
from contentgen_adapters.shared.parsing.decoding import decode, looks_binary
from contentgen_adapters.shared.parsing.format import source, without_tags
from contentgen_adapters.shared.parsing.visible import without_invisible
from contentgen_adapters.shared.processes.pool import Parser
from contentgen_core.errors import UnreadableFile
from contentgen_core.page_errors import PageFault

HTML_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})
TEXT_TYPES: Final = frozenset({"text/plain", "text/markdown"})
UNSPECIFIC_TYPES: Final = frozenset({"", "application/octet-stream", "binary/octet-stream", "application/pdf"})
"""Content types that servers also send for want of a better one: the bytes decide what the body is."""
MIN_LETTERS: Final = 60
"""Of a page's own text; a letter of a script without spaces between words counts threefold."""
_HEAD: Final = 1_024
_FEW_LETTERS: Final = 600
_EDGE: Final = 3  # blocks at the top and the end of a text, where banners stand
_LONGEST_BANNER: Final = 800  # characters
_MANY_LETTERS: Final = 700  # with more text of its own beside the requests for consent, a page is not a consent wall
_DENSE: Final = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_GATE: Final = re.compile(
    r"java\s?script|verify (?:that )?you are (?:a )?human|are you a (?:robot|human)|checking your browser|just a moment"
    r"|captcha|access (?:to this page )?(?:has been )?denied|enable cookies|ddos protection|unusual traffic",
    re.IGNORECASE,
)
_MARKS: Final = re.compile(r"^[\s>#*+-]*(?:\d+[.)]\s+)?|[*_`|]")


class ExtractionJob(msgspec.Struct, frozen=True):
    """A response whose text is wanted.

    `data`: its body, decoded. `url`: where it was found. `content_type`: lower case, without parameters. `charset`: the
    parameter of that header.
    """

    data: bytes
    url: str
    content_type: str = ""
    charset: str | None = None


class ExtractedPage(msgspec.Struct, frozen=True, tag=True):
    """The text of a page.

    `text`: Markdown. `canonical`: the address that the page states as its own, unchecked. `published`: the date stated
    in its markup. `author`: who it says wrote it.
    """

    title: str
    text: str
    canonical: str | None = None
    published: date | None = None
    author: str | None = None


class ExtractionRefused(msgspec.Struct, frozen=True, tag=True):
    """Why no text was extracted. `message` completes "URL: …"."""

    reason: PageFault
    message: str


def is_pdf(head: bytes) -> bool:
    """Whether a body that begins with these bytes is a PDF."""
    return pdf.FORMAT.sniff(head[:_HEAD])


def extract(job: ExtractionJob) -> ExtractedPage | ExtractionRefused:
    """The text of a response.

    A PDF is recognised by its bytes whatever the header says; otherwise the content type decides, and where that is
    unspecific, the bytes. CPU-bound; a hostile page can make it run for hours.
    """
    head = job.data[: 4 * _HEAD]
    if not job.data.strip():
        return ExtractionRefused(PageFault.EMPTY, "the page is empty")
    if is_pdf(head):
        return _pdf(job)
    if looks_binary(head):
        return ExtractionRefused(PageFault.TYPE, "neither a page nor a PDF")
    if job.content_type in HTML_TYPES or html.FORMAT.sniff(head):
        return _html(job)
    if job.content_type in TEXT_TYPES:
        return _plain(job)
    return ExtractionRefused(PageFault.TYPE, f"neither a page nor a PDF ({job.content_type or 'of no stated type'})")


def _html(job: ExtractionJob) -> ExtractedPage | ExtractionRefused:
    markup = decode(job.data, job.charset or html.declared_charset(job.data))
    try:
        page = html.read_page(markup, job.url)
    except RecursionError:
        return ExtractionRefused(PageFault.FAILED, "the page is nested too deeply")
    text = _without_banners(page.text)
    if nothing := _why_empty(text, page.links):
        return ExtractionRefused(PageFault.EMPTY, nothing)
    named = source(job.url, text, _name(job.url), title=page.title, authors=page.authors)
    return ExtractedPage(named.title, named.text, page.url, page.published, named.author)


def _pdf(job: ExtractionJob) -> ExtractedPage | ExtractionRefused:
    try:
        read = pdf.read_pdf(io.BytesIO(job.data), Path(_name(job.url)), job.url)
    except UnreadableFile as exc:
        message = str(exc).removeprefix(f"{_name(job.url)}: ")
        return ExtractionRefused(PageFault.SCAN if exc.is_scan else PageFault.FAILED, message.rstrip("."))
    return ExtractedPage(without_invisible(read.title), without_invisible(read.text), author=read.author)


def _plain(job: ExtractionJob) -> ExtractedPage | ExtractionRefused:
    text = without_invisible(decode(job.data, job.charset))
    if job.content_type != "text/markdown":
        text = without_tags(text)
    if _letters(text) < MIN_LETTERS:
        return ExtractionRefused(PageFault.EMPTY, "the page holds hardly any text")
    named = source(job.url, text, _name(job.url))
    return ExtractedPage(named.title, named.text)


def _name(url: str) -> str:
    """A title for a page without one: the last part of its address."""
    parts = urlsplit(url)
    return unquote(PurePosixPath(parts.path).stem).replace("/", " ") or parts.hostname or "page"


def _without_banners(text: str) -> str:
    """Drops requests for consent from both ends of a text; one in the middle belongs to an article about them."""
    blocks = text.split("\n\n")
    kept = [
        block
        for i, block in enumerate(blocks)
        if not ((i < _EDGE or i >= len(blocks) - _EDGE) and len(block) <= _LONGEST_BANNER and asks_for_consent(block))
    ]
    return "\n\n".join(kept)


def _why_empty(text: str, links: frozenset[str]) -> str | None:
    lines = [line for line in (_bare(line) for line in text.splitlines()) if line]
    own = [line for line in lines if line not in links]
    letters = sum(map(_letters, own))
    if letters < MIN_LETTERS:
        return "the page is a list of links" if len(own) < len(lines) else "the page holds hardly any text of its own"
    if letters < _FEW_LETTERS and any(_GATE.search(line) for line in own):
        return "the page asks for a browser with scripts, or for a human"
    asking = [line for line in own if asks_for_consent(line)]
    if len(asking) >= 2 and letters - sum(map(_letters, asking)) < _MANY_LETTERS:
        return "the page asks for consent first"
    return None


def _bare(line: str) -> str:
    """A line of Markdown without its syntax."""
    return " ".join(_MARKS.sub("", line).split())


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text)) + 2 * len(_DENSE.findall(text))


_ANSWERS: Final[msgspec.msgpack.Decoder[ExtractedPage | ExtractionRefused]] = msgspec.msgpack.Decoder(
    ExtractedPage | ExtractionRefused
)
EXTRACTION: Final[Parser[ExtractionJob, ExtractedPage | ExtractionRefused]] = Parser(
    extract,
    _ANSWERS,
    ExtractionJob(b"<html><body><p>The first page loads it all.</p></body></html>", "https://a.example/"),
)
