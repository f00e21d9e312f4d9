"""Match the sentences of a translation with those of its original by position: a translation has the blocks of its
original, and the sentences of each in their order."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import Final

from attrs import evolve

from contentgen_core.model.article_update import FollowedOriginal
from contentgen_core.policies.articles.written_text import WrittenText, bare

HEADING: Final = -1
"""A heading in an outline, whose other entries are the sentences of a paragraph or item."""


def outline(text: WrittenText) -> tuple[int, ...]:
    """The blocks of a text: HEADING, or how many sentences one has."""
    return tuple(HEADING if heading else len(sentences) for heading, sentences in text.blocks)


def position_of(sentence: str, occurrence: int, text: WrittenText) -> int | None:
    """The place among all sentences of a text. `occurrence`: which one it is of those with these words, from 0."""
    wanted = bare(sentence)
    found = [n for n, other in enumerate(text.sentences) if bare(other.draft.text) == wanted]
    return found[occurrence] if occurrence < len(found) else None


def same_blocks(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether two texts have the same headings and paragraphs, whatever these hold."""
    return [block == HEADING for block in one] == [block == HEADING for block in other]


def counterpart_position(position: int, original: Sequence[int], translation: Sequence[int]) -> int | None:
    """The place in the translation of a sentence of the original; None where its paragraph has another number of
    sentences there. Both have the same blocks."""
    ends = list(accumulate(max(0, block) for block in original))
    block = next(n for n, end in enumerate(ends) if position < end)
    if original[block] != translation[block]:
        return None
    before = sum(max(0, other) for other in translation[:block])
    return before + position - (ends[block] - original[block])


def merge_followed(former: FollowedOriginal, later: FollowedOriginal) -> FollowedOriginal | None:
    """Merge two patches of the original that a translation has to follow, the former of which it does not have yet;
    None where the original was edited in between, so that sentences cannot be matched."""
    left_out = {sentence.position for sentence in former.sentences if not sentence.new}
    if drop_sentences(former.outline, left_out) != later.outline:
        return None
    kept = [n for n in range(sum(max(0, block) for block in former.outline)) if n not in left_out]
    sentences = {sentence.position: sentence for sentence in former.sentences}
    for sentence in later.sentences:
        position = kept[sentence.position]
        before = sentences.get(position, sentence)
        sentences[position] = evolve(sentence, position=position, text=before.text)
    changed = (sentences[position] for position in sorted(sentences))
    return evolve(
        later,
        outline=former.outline,
        sentences=tuple(sentence for sentence in changed if sentence.text != sentence.new),
        applies=former.applies and later.applies,
    )


def drop_sentences(blocks: Sequence[int], left_out: Collection[int]) -> tuple[int, ...]:
    """Return the outline without these sentences. A paragraph that loses all of them is dropped."""
    rest: list[int] = []
    position = 0
    for block in blocks:
        if block <= 0:
            rest.append(block)
            continue
        lost = sum(position <= n < position + block for n in left_out)
        position += block
        if block > lost:
            rest.append(block - lost)
    return tuple(rest)


def place_of(sentence: str, position: int, text: WrittenText) -> int | None:
    """Return which occurrence of these words, from 0, is the sentence that stood at this position; None where it stands
    there no longer, and not exactly once elsewhere."""
    wanted = bare(sentence)
    found = [n for n, other in enumerate(text.sentences) if bare(other.draft.text) == wanted]
    if position in found:
        return found.index(position)
    return 0 if len(found) == 1 else None
