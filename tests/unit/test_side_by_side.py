"""A translation beside its original: nothing is lost, and what is told apart is sentence by sentence."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.drafting import DraftSentence
from contentgen_core.policies.articles.side_by_side import side_by_side
from contentgen_core.policies.articles.written_text import WrittenSentence, WrittenText

Blocks = list[str | int]
"""Headings, and paragraphs by how many sentences they have."""


def text(blocks: Blocks, language: str) -> WrittenText:
    made = []
    for n, block in enumerate(blocks):
        if isinstance(block, str):
            made.append((f"{language} {block}", ()))
        else:
            words = [f"{language} {n}.{m}" for m in range(block)]
            made.append(("", tuple(WrittenSentence(DraftSentence(word), (), marked=False) for word in words)))
    return WrittenText(tuple(made))


def test_sentences_stand_beside_each_other_with_their_place() -> None:
    original, translation = text(["A", 2, 1], "en"), text(["A", 2, 2], "fr")
    found = [
        (each.original, each.translation, each.position, each.heading) for each in side_by_side(original, translation)
    ]
    assert found == [
        ("en A", "fr A", None, True),
        ("en 1.0", "fr 1.0", 0, False),
        ("en 1.1", "fr 1.1", 1, False),
        ("en 2.0", "fr 2.0 fr 2.1", None, False),
    ]


def test_other_blocks_stand_beside_each_other_as_a_whole() -> None:
    found = side_by_side(text([1, "A"], "en"), text(["B", 1, 1], "fr"))
    assert [(each.original, each.translation) for each in found] == [
        ("en 0.0", "fr B"),
        ("en A", "fr 1.0"),
        ("", "fr 2.0"),
    ]


_BLOCKS = st.lists(st.one_of(st.sampled_from(["A", "B"]), st.integers(1, 3)))


@given(_BLOCKS, _BLOCKS)
def test_all_of_both_is_there_in_its_order(one: Blocks, other: Blocks) -> None:
    original, translation = text(one, "en"), text(other, "fr")
    found = side_by_side(original, translation)
    for whole, said in ((original, [x.original for x in found]), (translation, [x.translation for x in found])):
        words = [heading or " ".join(s.draft.text for s in sentences) for heading, sentences in whole.blocks]
        assert " ".join(filter(None, said)) == " ".join(words)
    sentences = [sentence.draft.text for sentence in original.sentences]
    assert all(sentences[each.position] == each.original for each in found if each.position is not None)
