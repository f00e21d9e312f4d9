"""Changing one sentence of an article's Markdown, and nothing else of it."""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

from contentgen_core.model.text import Span
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.shown_sentence import shown_sentence
from contentgen_core.policies.text import markdown
from contentgen_core.policies.text.typography import TYPOGRAPHY
from contentgen_core.policies.text.verbatim import find_verbatim

_OPENED: Final = re.compile(r"[“„«「\"][\s\u00a0\u202f]*$")
_CLOSED: Final = re.compile(
    r"^(?P<quote>[\s\u00a0\u202f]*[”“»」\"])?(?P<cited>[\s\u00a0\u202f]*(?:\[\d{1,3}\])+)?(?P<stop>[.!?…。！？।؟]*)"
)
_STARTS: Final = re.compile(r"(?:\A|\n)(?:[-*+] )?$")
_EMPTY_ITEM: Final = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]*(?:\n|\Z)", re.MULTILINE)
_BREAKS: Final = re.compile(r"\n{3,}")


@frozen
class Patch:
    """A sentence and what stands there instead. `text`: the sentence without citations; `new`: "" to leave it out;
    `number`: of the source that it then cites; `verbatim`: whether it is word for word its source's, so that it keeps
    the quotation marks that the sentence had; `quotation`: whether it gets some in any case; `occurrence`: which one it
    is, from 0, where the text says it more than once."""

    text: str
    new: str
    number: int
    verbatim: bool = False
    quotation: bool = False
    occurrence: int = 0


def patched(content: str, patch: Patch, language: Language) -> str | None:
    """Return the Markdown with this sentence changed; None where the sentence does not stand in it. Quotation marks
    around it, its citations and its full stop belong to it."""
    span = _place(content, patch.text, patch.occurrence)
    if span is None:
        return None
    before, after = content[: span.start], content[span.end :]
    opened = _OPENED.search(before)
    closed = _CLOSED.match(after)
    assert closed is not None
    quoted = opened is not None and closed["quote"] is not None
    if opened is not None and quoted:
        before = before[: opened.start()]
    after = after[closed.end() :]
    if patch.new:
        marks = patch.quotation or (patch.verbatim and quoted)
        stopped = markdown.split_final(patch.new)[1] or not closed["stop"]
        new = patch.new if stopped else patch.new + TYPOGRAPHY[language].full_stop
        shown = shown_sentence(new, (patch.number,), language, quotation=marks)
        return f"{before}{markdown.escaped_start(shown) if _STARTS.search(before) else shown}{after}"
    return _remove_between(before, after)


def written_span(content: str, text: str, occurrence: int) -> Span | None:
    """Return the span of a sentence in the Markdown, with its quotation marks, citations and full stop; None where it
    is absent or contains other markup. `text`, `occurrence`: see `Patch`."""
    span = _place(content, text, occurrence)
    if span is None:
        return None
    opened = _OPENED.search(content[: span.start])
    closed = _CLOSED.match(content[span.end :])
    assert closed is not None
    if closed["quote"] is None:
        return Span(span.start, span.end + closed.end())
    return Span(span.start, span.end) if opened is None else Span(opened.start(), span.end + closed.end())


def replace_span(content: str, span: Span, new: str) -> str:
    """Replace the span of the Markdown by other words; "" also removes the list item that it filled."""
    before, after = content[: span.start], content[span.end :]
    if not new:
        return _remove_between(before, after)
    return f"{before}{markdown.escaped_start(new) if _STARTS.search(before) else new}{after}"


def _place(content: str, text: str, occurrence: int) -> Span | None:
    """Return the span of a sentence without its quotation marks and full stop."""
    body, _ = markdown.split_final(markdown.one_line(text))
    for written in dict.fromkeys((markdown.escape(body), body)):
        start = 0
        for _ in range(occurrence + 1):
            span = find_verbatim(written, content[start:])
            if span is None:
                break
            found = Span(start + span.start, start + span.end)
            start = found.end
        else:
            return found
    return None


def _remove_between(before: str, after: str) -> str:
    joined = f"{before.rstrip(' ')} {after.lstrip(' ')}" if before and before[-1] == " " else before + after.lstrip(" ")
    joined = joined.replace(" \n", "\n")
    return _BREAKS.sub("\n\n", _EMPTY_ITEM.sub("", joined)).strip()
