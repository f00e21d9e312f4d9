"""Tell pages that show an error, a login or maintenance from pages that say something new.

A server in trouble answers 200 with a page of its own for whatever it is asked for, each time with another number, time
or address. Such a page has nothing of what stood there before, and is like those that it shows in the place of others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from attrs import field, frozen

from contentgen_core.model.synced_source import DOUBTFUL_SHARE, FEWEST_TO_DOUBT

KEPT_SHARE: Final = 0.3
"""A text that has less of the former one's runs of RUN words has replaced it; an edit, a footer or a new layout keeps
nearly all of them."""
RUN: Final = 3
ALIKE_SHARE: Final = 0.7
"""The share of the longer text's words that two error pages of one server have in common at least."""
ALIKE: Final = 3
"""Pages that lost their texts and are alike: so many are no coincidence."""
SHRUNK: Final = 0.5
"""A text with a smaller share of the former one's words may be an error page of its own."""
MOST_WORDS: Final = 1_000
"""Of a text that are compared; no error page has more."""
MOST_COMPARED: Final = 20_000
"""Of two versions of a page."""
MOST_NEW_WORDS: Final = 300
"""Of a text that was not known before and may be an error page."""
MOST_KINDS: Final = 50
"""Different error pages that are told apart in one sync."""
_UNSPACED: Final = r"\u0e00-\u0eff\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef"
"""Characters of scripts that put no spaces between words."""
_RUN: Final = re.compile(rf"[^\s{_UNSPACED}]+|[{_UNSPACED}]+")
_FIGURE: Final = re.compile(r"[0-9/@]")
_WORD: Final = re.compile(r"[^\W\d_]+")
_DENSE: Final = re.compile(rf"[{_UNSPACED}]")


def words_of(text: str) -> Counter[str]:
    """Return how often a text has each of its words. What has figures or slashes in it is left out: times, numbers of
    requests, addresses. Scripts without spaces are counted by their characters."""
    return Counter(_words(text, MOST_WORDS))


def kept_share(former: str, text: str) -> float:
    """Return the share of the former text's runs of words that a text still has, in 0..1; 1 for a former text without
    words. Figures count as little as in `words_of`, so that a page of other figures has kept its words."""
    before, now = _words(former, MOST_COMPARED), _words(text, MOST_COMPARED)
    run = min(RUN, len(before))
    runs = _runs(before, run)
    return (runs & _runs(now, run)).total() / runs.total() if run else 1.0


def are_alike(one: Counter[str], other: Counter[str]) -> bool:
    """Return whether two texts may be one error page that was made twice, with another number, time or title."""
    longer = max(one.total(), other.total())
    return longer > 0 and (one & other).total() / longer >= ALIKE_SHARE


@frozen
class LostText:
    """The content that a known page shows in the place of its former text. `words`: the counts of its words; `former`:
    how many words the former text had; `is_error_page`: whether the site shows the same for an address that does not
    exist."""

    key: str
    words: Counter[str] = field(repr=False)
    former: int
    is_error_page: bool = False

    @property
    def has_shrunk(self) -> bool:
        return self.words.total() < self.former * SHRUNK


@frozen
class Doubts:
    """`keys`: of the known pages whose new texts are no news; `kinds`: the words of one page of each kind."""

    keys: frozenset[str]
    kinds: tuple[Counter[str], ...] = field(default=(), repr=False)

    def includes(self, words: Counter[str]) -> bool:
        """Return whether a text is of one of these kinds."""
        return any(are_alike(kind, words) for kind in self.kinds)


def doubts_of(lost: Sequence[LostText], new: Sequence[Counter[str]], known: int, read: int) -> Doubts:
    """Return which pages show what is no news: the site's error page, one that several pages show all at once, or what
    is left where half of the site has lost its texts.

    `new`: the words of pages that were not known before; they count where a page that lost its text shows the same.
    `known`: pages of the source that have a document; `read`: how many of them this sync read."""
    kinds: list[list[LostText]] = []
    for one in lost:
        own = next((kind for kind in kinds if are_alike(kind[0].words, one.words)), None)
        if own is not None:
            own.append(one)
        elif len(kinds) < MOST_KINDS:
            kinds.append([one])
    enough = min(ALIKE, max(2, known))
    doubted = [
        kind
        for kind in kinds
        if any(one.is_error_page for one in kind)
        or len(kind) >= enough
        or len(kind) + sum(are_alike(kind[0].words, words) for words in new) >= ALIKE
    ]
    found = {one.key for kind in doubted for one in kind} | {one.key for one in lost if one.is_error_page}
    shrunk = {one.key for one in lost if one.has_shrunk}
    if len(shrunk) >= FEWEST_TO_DOUBT and len(shrunk) >= read * DOUBTFUL_SHARE:
        found |= shrunk
    return Doubts(frozenset(found), tuple(kind[0].words for kind in doubted))


def _words(text: str, most: int) -> list[str]:
    words: list[str] = []
    for run in _RUN.finditer(text.casefold()):
        if _FIGURE.search(run[0]) is None:
            for word in _WORD.findall(run[0]):
                words += word if _DENSE.search(word) else [word]
        if len(words) >= most:
            break
    return words[:most]


def _runs(words: Sequence[str], size: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[start : start + size]) for start in range(len(words) - size + 1))
