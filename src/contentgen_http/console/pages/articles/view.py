"""An article as its editor reads it: block by block, sentence by sentence, each with what it rests on."""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from contentgen_core.model.article_comment import SentenceReview
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.grounding import SentenceReceipt, Verdict
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import TextBlock
from contentgen_core.use_cases.articles.read_text import ArticleText
from contentgen_core.use_cases.comments.manage_comments import PlacedComment

_OPENING: Final = "“„«‹‘([¿¡\"'\u00a0\u202f"
_CLOSING: Final = "”“»›’)].!?…:;\"'\u00a0\u202f%°"
_CITATIONS: Final = re.compile(r"[^\S\n]*(?:\[\d{1,3}\])+")


@frozen
class CheckedSentence:
    """A sentence of the present text with what people and the check say of it. `position`: among the sentences, from 1;
    `occurrence`: which one it is, from 0, of several of the same words. `before`, `support`, `after`: the passage
    around the words that it rests on, without a passage empty."""

    text: str
    position: int
    occurrence: int = 0
    receipt: SentenceReceipt | None = None
    passage: Passage | None = None
    before: str = ""
    support: str = ""
    after: str = ""
    reviews: tuple[SentenceReview, ...] = ()
    comments: tuple[PlacedComment, ...] = ()

    @property
    def doubtful(self) -> bool:
        """Whether an editor should look at it."""
        return self.receipt is not None and self.receipt.verdict is not Verdict.SUPPORTED


@frozen
class ShownSentence:
    """Words as they stand in the text. `checked`: None for what is no sentence of it."""

    text: str
    checked: CheckedSentence | None = None


@frozen
class ShownBlock:
    """A heading (`level` 1 to 6) or a paragraph (0)."""

    level: int
    sentences: tuple[ShownSentence, ...]


def shown_text(text: ArticleText) -> tuple[list[CheckedSentence], list[ShownBlock]]:
    """The sentences of a text, and its blocks with them. CPU-bound."""
    sentences = checked_sentences(text)
    return sentences, shown_blocks(text.blocks, sentences)


def checked_sentences(text: ArticleText) -> list[CheckedSentence]:
    """The sentences of a text, in order, with the receipts of those that were checked."""
    receipts = text.article.grounding.sentences if text.article.grounding else ()
    waiting: dict[str, deque[SentenceReceipt]] = defaultdict(deque)
    for each in receipts:
        waiting[each.text].append(each)
    placed: dict[int, list[PlacedComment]] = defaultdict(list)
    for comment in text.comments:
        if comment.position is not None:
            placed[comment.position].append(comment)
    seen: Counter[str] = Counter()
    found = []
    for at, sentence in enumerate(text.sentences):
        queue = waiting[sentence.text]
        receipt = queue.popleft() if queue else None
        passage, before, support, after = _passage_of(receipt, text.passages)
        checked = CheckedSentence(
            text=sentence.text,
            position=at + 1,
            occurrence=seen[sentence.text],
            receipt=receipt,
            passage=passage,
            before=before,
            support=support,
            after=after,
            reviews=sentence.reviews,
            comments=tuple(placed[at]),
        )
        found.append(checked)
        seen[sentence.text] += 1
    return found


def shown_blocks(blocks: Sequence[TextBlock], sentences: Sequence[CheckedSentence]) -> list[ShownBlock]:
    """The blocks of a text with its sentences, which stand in the order of the text. CPU-bound."""
    waiting = deque(sentences)
    shown = []
    for block in blocks:
        text = _CITATIONS.sub("", block.text)
        if block.level:
            shown.append(ShownBlock(block.level, (ShownSentence(text),)))
            continue
        parts: list[ShownSentence] = []
        at = 0
        for start, end in _places(text, waiting):
            if gap := text[at:start].strip():
                parts.append(ShownSentence(gap))
            parts.append(ShownSentence(text[start:end], waiting.popleft()))
            at = end
        if rest := text[at:].strip():
            parts.append(ShownSentence(rest))
        shown.append(ShownBlock(0, tuple(parts)))
    return shown


def _places(text: str, waiting: deque[CheckedSentence]) -> Iterator[tuple[int, int]]:
    """Where the first of these sentences stand in a block, as long as they do: by their letters and digits, since marks
    around them differ. Whoever takes a place takes the sentence from `waiting`."""
    places = [place for place, sign in enumerate(text) if sign.isalnum()]
    letters = "".join(text[place] for place in places)
    passed = at = 0
    while waiting:
        wanted = "".join(filter(str.isalnum, waiting[0].text))
        first = letters.find(wanted, passed) if wanted else -1
        if first < 0:
            return
        passed = first + len(wanted)
        start, end = places[first], places[passed - 1] + 1
        while start > at and text[start - 1] in _OPENING:
            start -= 1
        while end < len(text) and text[end] in _CLOSING:
            end += 1
        at = end
        yield start, end


def _passage_of(
    receipt: SentenceReceipt | None, passages: Mapping[SourceRef, Passage]
) -> tuple[Passage | None, str, str, str]:
    """The passage that a sentence rests on, its words before those, those, and its words after them."""
    support = receipt.support if receipt else None
    passage = passages.get(support.source) if support else None
    if support is None or passage is None:
        return None, "", "", ""
    words = passage.text
    return passage, words[: support.start], words[support.start : support.end], words[support.end :]
