"""Match the passages of a document's new text with those of its former one."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from itertools import islice
from math import inf
from typing import Final

from attrs import evolve

from contentgen_core.model.knowledge import Passage

SAME_PASSAGE: Final = 0.5
"""The share of terms, of the longer of two passages at the same place, from which one is the other, changed."""
LOOK_AHEAD: Final = 8
"""Former passages that a new one is compared with, so that a document that was written anew costs no more."""


def keep_identity(before: Sequence[Passage], after: Sequence[Passage], unused: int) -> list[Passage]:
    """Return the new passages; those that match a former passage get its chunk_index, new ones count on from `unused`.
    Passages of the same text match wherever they stand. Between two matching neighbours, a passage that shares most of
    its terms with a former one, in order, matches that one."""
    by_text: dict[str, deque[Passage]] = defaultdict(deque)
    for passage in sorted(before, key=lambda p: p.place):
        by_text[passage.content_hash].append(passage)
    found = [queue.popleft() if (queue := by_text[passage.content_hash]) else None for passage in after]
    left = deque(sorted((p for queue in by_text.values() for p in queue), key=lambda p: p.place))
    identified: list[Passage] = []
    for place, (passage, former, following) in enumerate(zip(after, found, _next_unchanged(found), strict=True)):
        was = former or _find_former(passage, left, following)
        if was is None:
            identified.append(evolve(passage, chunk_index=unused, place=place))
            unused += 1
        else:
            identified.append(evolve(passage, chunk_index=was.chunk_index, place=place))
            while left and left[0].place < was.place:
                left.popleft()  # gone
    return identified


def _next_unchanged(found: Sequence[Passage | None]) -> list[float]:
    """Return for each passage the place, among the former passages, of the next one that stayed."""
    places: list[float] = []
    following = inf
    for former in reversed(found):
        places.append(following)
        following = following if former is None else former.place
    return places[::-1]


def _find_former(passage: Passage, left: deque[Passage], following: float) -> Passage | None:
    """Return the next former passage that this one is a changed form of."""
    for former in islice(left, LOOK_AHEAD):
        if former.place < following and _likeness(passage, former) >= SAME_PASSAGE:
            left.remove(former)
            return former
    return None


def _likeness(one: Passage, other: Passage) -> float:
    """The share of common terms, of the longer one's, in 0..1."""
    common = Counter(one.terms) & Counter(other.terms)
    return sum(common.values()) / max(len(one.terms), len(other.terms), 1)
