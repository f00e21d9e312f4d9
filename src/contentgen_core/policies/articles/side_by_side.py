"""A translation beside its original, sentence by sentence where the two can be told apart."""

from __future__ import annotations

from itertools import zip_longest
from typing import TypeAlias

from attrs import frozen

from contentgen_core.policies.articles.following import outline, same_blocks
from contentgen_core.policies.articles.written_text import WrittenSentence, WrittenText

Block: TypeAlias = tuple[str, tuple[WrittenSentence, ...]]


@frozen
class Beside:
    """A part of the original and what says it in the translation; "" where one has nothing in its place. `position`:
    of a sentence of the original among all of it, from 0; None: a heading, or a paragraph that has another number of
    sentences in the translation."""

    original: str
    translation: str
    position: int | None = None
    heading: bool = False


def side_by_side(original: WrittenText, translation: WrittenText) -> tuple[Beside, ...]:
    """The parts of both, in order: sentences of paragraphs that have as many of them, else whole paragraphs. Where the
    two do not have the same blocks, these stand beside each other in their order."""
    found: list[Beside] = []
    position = 0
    aligned = same_blocks(outline(original), outline(translation))
    nothing: Block = ("", ())
    for ours, theirs in zip_longest(original.blocks, translation.blocks, fillvalue=nothing):
        sentences, others = ours[1], theirs[1]
        if aligned and sentences and len(sentences) == len(others):
            pairs = zip(sentences, others, strict=True)
            found += [Beside(a.draft.text, b.draft.text, position + n) for n, (a, b) in enumerate(pairs)]
        else:
            found.append(Beside(_text(ours), _text(theirs), heading=bool(ours[0] and theirs[0])))
        position += len(sentences)
    return tuple(found)


def _text(block: Block) -> str:
    heading, sentences = block
    return heading or " ".join(sentence.draft.text for sentence in sentences)
