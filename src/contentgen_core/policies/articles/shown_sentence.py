"""A sentence of an article as Markdown, with its quotation marks and citations."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text import markdown
from contentgen_core.policies.text.typography import TYPOGRAPHY, UNSPACED

LONGEST_RUN: Final = 24
"""Words in a row of a source that stand without quotation marks."""
_STOPS: Final = frozenset(".!?…。！？।؟")


def shown_sentence(
    text: str, citations: Sequence[int], language: Language, *, quotation: bool = False, marked: bool = False
) -> str:
    """The sentence for the middle of a line, its citations before its final punctuation.

    `quotation`: whether it gets quotation marks; `marked`: whether one without citations is marked as unsourced."""
    style = TYPOGRAPHY[language]
    body, end = markdown.split_final(markdown.one_line(text))
    if quotation:
        stop = end.rstrip('"”»’)]')
        body, end = style.quoted((body + end[len(stop) :]).strip()), stop
        end = end or ("" if _is_stopped(body) else style.full_stop)
    shown = markdown.escape(body)
    gap = "" if language in UNSPACED else " "
    if citations:
        shown += gap + "".join(f"[{n}]" for n in citations)
    elif marked:
        shown += f"{gap}(*{style.unsourced}*)"
    space = end[:1] if end[:1].isspace() else ""  # French sets one before "?" and "!"
    return shown + space + markdown.escape(end)


def _is_stopped(quotation: str) -> bool:
    """Whether a full stop or the like is behind its last word: that is the sentence's, too."""
    end = takewhile(lambda c: not c.isalnum(), reversed(quotation))
    return any(c in _STOPS for c in end)
