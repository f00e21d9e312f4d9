"""An article as its editor reads it: block by block, sentence by sentence, each with what it rests on."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.grounding import SentenceReceipt, Verdict
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import TextBlock

_OPENING: Final = "“„«‹‘([¿¡\"'\u00a0\u202f"
_CLOSING: Final = "”“»›’)].!?…:;\"'\u00a0\u202f%°"
_CITATIONS: Final = re.compile(r"[^\S\n]*(?:\[\d{1,3}\])+")


@frozen
class ShownSentence:
    """`position`: among the article's checked sentences, from 1; 0 for text that is not checked. `before`, `support`,
    `after`: the passage around the words that it rests on; None without a passage."""

    text: str
    position: int = 0
    receipt: SentenceReceipt | None = None
    passage: Passage | None = None
    before: str = ""
    support: str = ""
    after: str = ""

    @property
    def doubtful(self) -> bool:
        """Whether an editor should look at it."""
        return self.receipt is not None and self.receipt.verdict is not Verdict.SUPPORTED


@frozen
class ShownBlock:
    """A heading (`level` 1 to 6) or a paragraph (0)."""

    level: int
    sentences: tuple[ShownSentence, ...]


def shown_blocks(
    blocks: Sequence[TextBlock], receipts: Sequence[SentenceReceipt], passages: Mapping[SourceRef, Passage]
) -> list[ShownBlock]:
    """The blocks of a text with the receipts of its sentences, which stand in the order of the text."""
    waiting = deque(enumerate(receipts, 1))
    shown = []
    for block in blocks:
        text = _CITATIONS.sub("", block.text)
        if block.level:
            shown.append(ShownBlock(block.level, (ShownSentence(text),)))
            continue
        sentences: list[ShownSentence] = []
        at = 0
        while waiting and (found := _found(waiting[0][1].text, text, at)) is not None:
            start, end = found
            position, receipt = waiting.popleft()
            if gap := text[at:start].strip():
                sentences.append(ShownSentence(gap))
            sentences.append(_shown(text[start:end], position, receipt, passages))
            at = end
        if rest := text[at:].strip():
            sentences.append(ShownSentence(rest))
        shown.append(ShownBlock(0, tuple(sentences)))
    return shown


def _found(sentence: str, text: str, at: int) -> tuple[int, int] | None:
    """Where the sentence stands from there on, by its letters and digits: marks around it differ."""
    places = [place for place, sign in enumerate(text[at:], at) if sign.isalnum()]
    wanted = "".join(filter(str.isalnum, sentence))
    first = "".join(text[place] for place in places).find(wanted) if wanted else -1
    if first < 0:
        return None
    start, end = places[first], places[first + len(wanted) - 1] + 1
    while start > at and text[start - 1] in _OPENING:
        start -= 1
    while end < len(text) and text[end] in _CLOSING:
        end += 1
    return start, end


def _shown(text: str, position: int, receipt: SentenceReceipt, passages: Mapping[SourceRef, Passage]) -> ShownSentence:
    support = receipt.support
    passage = passages.get(support.source) if support else None
    if support is None or passage is None:
        return ShownSentence(text, position, receipt)
    words = passage.text
    return ShownSentence(
        text,
        position,
        receipt,
        passage,
        words[: support.start],
        words[support.start : support.end],
        words[support.end :],
    )
