"""Rules of what a translation follows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.article_update import (
    FollowedOriginal,
    OriginalSentence,
)
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles import following

BLOCKS = st.lists(st.one_of(st.just(following.HEADING), st.integers(1, 4)), min_size=1, max_size=8)


@st.composite
def patched_twice(draw: st.DrawFn) -> tuple[tuple[int, ...], dict[int, str], dict[int, str]]:
    blocks = tuple(draw(BLOCKS))
    total = sum(max(0, block) for block in blocks)
    news = st.sampled_from(["", "b", "c"])
    first = draw(st.dictionaries(st.integers(0, max(0, total - 1)), news)) if total else {}
    left = total - sum(not new for new in first.values())
    second = draw(st.dictionaries(st.integers(0, max(0, left - 1)), news)) if left else {}
    return blocks, first, second


def change_of(blocks: tuple[int, ...], said: list[str], new: dict[int, str]) -> FollowedOriginal:
    sentences = tuple(OriginalSentence(n, said[n], text) for n, text in sorted(new.items()) if said[n] != text)
    return FollowedOriginal(ArticleId("a"), Language.EN, Language.FR, blocks, sentences)


def after(said: list[str], new: dict[int, str]) -> list[str]:
    return [text for text in (new.get(n, before) for n, before in enumerate(said)) if text]


@given(patched_twice())
def test_two_patches_one_after_the_other_are_as_one(
    case: tuple[tuple[int, ...], dict[int, str], dict[int, str]],
) -> None:
    blocks, first, second = case
    said = [f"s{n}" for n in range(sum(max(0, block) for block in blocks))]
    once = after(said, first)
    between = following.drop_sentences(blocks, {n for n, text in first.items() if not text})
    both = following.merge_followed(change_of(blocks, said, first), change_of(between, once, second))
    assert both is not None
    assert after(said, {s.position: s.new for s in both.sentences}) == after(once, second)
    assert all(said[s.position] == s.text for s in both.sentences)


@given(BLOCKS, st.data())
def test_a_sentence_has_its_counterpart_at_the_same_place(blocks: list[int], data: st.DataObject) -> None:
    total = sum(max(0, block) for block in blocks)
    for position in range(total):
        assert following.counterpart_position(position, blocks, blocks) == position
    if total:
        grown = data.draw(st.sampled_from([n for n, block in enumerate(blocks) if block > 0]))
        other = [block + (n == grown) for n, block in enumerate(blocks)]
        found = [following.counterpart_position(position, blocks, other) for position in range(total)]
        assert found.count(None) == blocks[grown]
        assert len({place for place in found if place is not None}) == total - blocks[grown]


def test_an_edit_in_between_is_noticed() -> None:
    one = change_of((2,), ["a", "b"], {0: "c"})
    assert following.merge_followed(one, change_of((3,), ["c", "b", "d"], {2: "e"})) is None
