"""From the bytes of an answer to the text of a page. Runs in a process of its own: see `pool`."""

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
from contentgen_core.errors import PageFault, UnreadableFile

HTML_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})
TEXT_TYPES: Final = frozenset({"text/plain", "text/markdown"})
UNTOLD_TYPES: Final = frozenset({"", "application/octet-stream", "binary/octet-stream", "application/pdf"})
"""Those of which the bytes must tell what they are: servers send them for want of a better one."""
MIN_LETTERS: Final = 60
"""Of a page's own text; a letter of a script without spaces between words counts threefold."""
_HEAD: Final = 1_024
_FEW_LETTERS: Final = 600
_EDGE: Final = 3  # blocks at the top and the end of a text, where banners stand
_LONGEST_BANNER: Final = 800  # characters
_MANY_LETTERS: Final = 700  # with more of its own beside the questions, a page is no wall
_DENSE: Final = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_GATE: Final = re.compile(
    r"java\s?script|verify (?:that )?you are (?:a )?human|are you a (?:robot|human)|checking your browser|just a moment"
    r"|captcha|access (?:to this page )?(?:has been )?denied|enable cookies|ddos protection|unusual traffic",
    re.IGNORECASE,
)
_MARKS: Final = re.compile(r"^[\s>#*+-]*(?:\d+[.)]\s+)?|[*_`|]")


class Job(msgspec.Struct, frozen=True):
    """An answer to read. `content_type`: its header's, without parameters; `charset`: the header's parameter."""

    data: bytes
    url: str
    content_type: str = ""
    charset: str | None = None


class Reading(msgspec.Struct, frozen=True, tag=True):
    """`canonical`: the address that the page names as its own, of whatever site."""

    title: str
    text: str
    canonical: str | None = None
    published: date | None = None


class Refusal(msgspec.Struct, frozen=True, tag=True):
    """Why there is nothing to read."""

    reason: PageFault
    message: str


def is_pdf(head: bytes) -> bool:
    return pdf.FORMAT.sniff(head[:_HEAD])


def extract(job: Job) -> Reading | Refusal:
    """The page of an answer. The bytes tell a PDF, whatever the header says; the header tells the rest apart, and where
    it tells nothing, the bytes again. CPU-bound, without bound for what is made to be slow."""
    head = job.data[: 4 * _HEAD]
    if not job.data.strip():
        return Refusal(PageFault.EMPTY, "the page is empty")
    if is_pdf(head):
        return _pdf(job)
    if looks_binary(head):
        return Refusal(PageFault.TYPE, "neither a page nor a PDF")
    if job.content_type in HTML_TYPES or html.FORMAT.sniff(head):
        return _html(job)
    if job.content_type in TEXT_TYPES:
        return _plain(job)
    return Refusal(PageFault.TYPE, f"neither a page nor a PDF ({job.content_type or 'of no stated type'})")


def _html(job: Job) -> Reading | Refusal:
    markup = decode(job.data, job.charset or html.declared_charset(job.data))
    try:
        page = html.read_page(markup, job.url)
    except RecursionError:
        return Refusal(PageFault.FAILED, "the page is nested too deeply")
    text = _without_banners(page.text)
    if nothing := _why_empty(text, page.links):
        return Refusal(PageFault.EMPTY, nothing)
    named = source(job.url, text, _name(job.url), title=page.title)
    return Reading(named.title, named.text, page.url, page.published)


def _pdf(job: Job) -> Reading | Refusal:
    try:
        read = pdf.read_pdf(io.BytesIO(job.data), Path(_name(job.url)), job.url)
    except UnreadableFile as exc:
        message = str(exc).removeprefix(f"{_name(job.url)}: ")
        no_text = "holds no text" in message
        return Refusal(PageFault.EMPTY if no_text else PageFault.FAILED, message.rstrip("."))
    return Reading(without_invisible(read.title), without_invisible(read.text))


def _plain(job: Job) -> Reading | Refusal:
    text = without_invisible(decode(job.data, job.charset))
    if job.content_type != "text/markdown":
        text = without_tags(text)
    if _letters(text) < MIN_LETTERS:
        return Refusal(PageFault.EMPTY, "the page holds hardly any text")
    named = source(job.url, text, _name(job.url))
    return Reading(named.title, named.text)


def _name(url: str) -> str:
    """A name for a page that has none: the last part of its address."""
    parts = urlsplit(url)
    return unquote(PurePosixPath(parts.path).stem).replace("/", " ") or parts.hostname or "page"


def _without_banners(text: str) -> str:
    """Without the requests for consent at both ends of a text; those amid it belong to an article about them."""
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
    """A line of Markdown without its marks."""
    return " ".join(_MARKS.sub("", line).split())


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text)) + 2 * len(_DENSE.findall(text))
