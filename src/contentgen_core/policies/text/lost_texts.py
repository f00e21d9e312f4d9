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
MOST_KINDS: Final = 50
"""Different error pages that are told apart in one sync."""
_WITH_FIGURES: Final = re.compile(r"[!-~]*[0-9/@][!-~]*")
_WORD: Final = re.compile(r"[^\W\d_]+")
_DENSE: Final = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def words_of(text: str) -> Counter[str]:
    """Return how often a text has each of its words. What has figures or slashes in it is left out: times, numbers of
    requests, addresses. Scripts without spaces are counted by their characters."""
    return Counter(_words(text))


def kept_share(former: str, text: str) -> float:
    """Return the share of the former text's runs of words that a text still has, in 0..1; 1 for a former text without
    words. Figures count as little as in `words_of`, so that a page of other figures has kept its words."""
    before, now = _runs(former), _runs(text)
    return (before & now).total() / before.total() if before else 1.0


def are_alike(one: Counter[str], other: Counter[str]) -> bool:
    """Return whether two texts may be one error page that was made twice, with another number, time or title."""
    longer = max(one.total(), other.total())
    return longer > 0 and (one & other).total() / longer >= ALIKE_SHARE


@frozen
class LostText:
    """What a known page shows in the place of its former text. `words`: of it; `former`: how many words that had;
    `is_error_page`: whether the site shows the same for an address that no page has."""

    key: str
    words: Counter[str] = field(repr=False)
    former: int
    is_error_page: bool = False

    @property
    def has_shrunk(self) -> bool:
        return self.words.total() < self.former * SHRUNK


def doubtful_texts(lost: Sequence[LostText], known: int, read: int) -> set[str]:
    """Return the keys of the pages whose new texts are no news: the site's error page, one that several pages show all
    at once, or what is left where half of the site has lost its texts.

    `known`: pages of the source that have a document; `read`: how many of them this sync read."""
    found = {one.key for one in lost if one.is_error_page}
    kinds: list[list[LostText]] = []
    for one in lost:
        own = next((kind for kind in kinds if are_alike(kind[0].words, one.words)), None)
        if own is not None:
            own.append(one)
        elif len(kinds) < MOST_KINDS:
            kinds.append([one])
    enough = min(ALIKE, max(2, known))
    found |= {one.key for kind in kinds if len(kind) >= enough for one in kind}
    shrunk = {one.key for one in lost if one.has_shrunk}
    if len(shrunk) >= FEWEST_TO_DOUBT and len(shrunk) >= read * DOUBTFUL_SHARE:
        found |= shrunk
    return found


def _words(text: str) -> list[str]:
    words: list[str] = []
    for word in _WORD.findall(_WITH_FIGURES.sub(" ", text.casefold())):
        words += word if _DENSE.search(word) else [word]
        if len(words) >= MOST_WORDS:
            break
    return words[:MOST_WORDS]


def _runs(text: str) -> Counter[tuple[str, ...]]:
    words = _words(text)
    starts = range(max(1, len(words) - RUN + 1))
    return Counter(tuple(words[start : start + RUN]) for start in starts if words)
