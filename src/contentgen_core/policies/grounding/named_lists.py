"""Names that a topic lists beside each other (`Night buses in Quorn, Thirsk and Selby`, `Borea 7 vs Calor 300`), told
by how the topic is written alone. Whether such words are names at all, a knowledge base has to show."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from attrs import frozen

from contentgen_core.policies.grounding.subject_names import Subject, Word, has_digit, is_number, words_of
from contentgen_core.policies.grounding.subject_words import (
    ADVERBIAL,
    ARTICLES,
    COMPARING,
    JOINING,
    NOT_NAMES,
    PARTICLES,
    PREPOSITIONS,
    WEEKDAYS,
)

MOST_NAMES: Final = 6
"""Of a list; each is searched for by itself."""
LONGEST_JOINT: Final = 4
"""Words between two names of a list (`as compared to the`)."""

LONGEST_GAP: Final = 3
"""Characters between two words of one name."""

_ADJACENT: Final = re.compile(r"\s*|[\u0020\u00a0\u202f]?[-'’\u2010\u2011]|(?<=\bSt)\.\s")
_COMMA: Final = re.compile(r"\s*[,;&+|·•]\s*|(?<=[^\d])\s*/\s*|\s/\s|/(?=[^\d])")
_DASH: Final = re.compile(r"\s+[-–—]\s+")
_STOP: Final = re.compile(r"\.\s*")
_QUOTES: Final = re.compile('["“”„‟«»‹›‘*_]')
_ASIDE: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_UNJOINED: Final = JOINING | COMPARING | ARTICLES | ADVERBIAL | PREPOSITIONS
_CLAUSE: Final = re.compile(r"[:.!?()\[\]]")


@frozen
class ListedName:
    """A name in a list. `text`: as the topic writes it; `name`: its folded words; `first`: whether the topic begins
    with it, where a capital says nothing."""

    text: str
    name: Subject
    first: bool = False

    @property
    def has_number(self) -> bool:
        return any(has_digit(word) for word in self.name)


@frozen
class NamedList:
    """The list of a topic. `before`, `after`: what stands around it; `cased`: whether the topic writes names with a
    capital."""

    names: tuple[ListedName, ...]
    before: str
    after: str
    cased: bool

    def topic_of(self, name: ListedName) -> str:
        """Return the topic with this name in the place of the list."""
        return " ".join(f"{self.before} {name.text} {self.after}".split())


@lru_cache(256)
def named_list(topic: str) -> NamedList | None:
    """Return the longest list of names in a topic, the first of several; None where there is none of two names."""
    text = _QUOTES.sub(" ", topic.lower() if topic.isupper() else topic)
    text = _ASIDE.sub(lambda m: m[0] if _longest_list(m[0][1:-1]) else " " * len(m[0]), text)
    found = _longest_list(text) or _longest_list(_DASH.sub(lambda m: ",".ljust(len(m[0])), text))
    if found is None:
        return None
    items, cased = found
    names = [_listed_name(text, item) for item in items]
    distinct = list({name.name: name for name in names}.values())
    if not 2 <= len(distinct) <= MOST_NAMES:
        return None
    before, after = text[: items[0][0].start], text[items[-1][-1].end :]
    return NamedList(tuple(distinct), _bare(before), _bare(after), cased)


def _bare(text: str) -> str:
    return " ".join(word.text for word in words_of(text))


def _listed_name(text: str, words: Sequence[Word]) -> ListedName:
    together = all(one.end <= other.start <= one.end + LONGEST_GAP for one, other in pairwise(words))
    written = text[words[0].start : words[-1].end].split() if together else [word.text for word in words]
    return ListedName(
        " ".join(written),
        tuple(word.folded for word in words),
        first=not text[: words[0].start].strip(),
    )


def _longest_list(text: str) -> tuple[list[list[Word]], bool] | None:
    """The words of each item, and whether the text writes names with a capital."""
    words = words_of(text)
    cased = any(_has_capital(word) for word in words)
    lists: list[list[list[Word]]] = []
    at, joined = 0, False
    while at < len(words):
        end = _item_end(text, words, at, cased=cased)
        if end == at:
            at, joined = at + 1, False
            continue
        if joined:
            lists[-1].append(list(words[at:end]))
        else:
            lists.append([list(words[at:end])])
        after = _after_joint(text, words, end, cased=cased)
        at, joined = (end, False) if after is None else (after, True)
    longest = max(lists, key=len, default=[])
    return (_complete_bare_numbers(longest), cased) if len(longest) > 1 else None


def _item_end(text: str, words: Sequence[Word], at: int, *, cased: bool) -> int:
    """The place after the name that begins at a word; that word's place where none does."""
    if not _begins(text, words, at, cased=cased):
        return at
    end = at + 1
    while end < len(words) and _are_adjacent(text, words[end - 1], words[end]):
        hyphened = text[words[end - 1].end : words[end].start].strip() != ""
        after = end + 1 < len(words) and _are_adjacent(text, words[end], words[end + 1])
        if _has_capital(words[end]) or has_digit(words[end].text) or hyphened:
            end += 1
        elif cased and at > 0 and words[end].folded in PARTICLES and after and _has_capital(words[end + 1]):
            end += 2
        elif not cased and not _is_small(words[end]) and len(words[end].text) == 1:
            end += 1
        else:
            break
    return end


def _are_adjacent(text: str, one: Word, other: Word) -> bool:
    in_number = text[one.end : other.start] == "/" and one.text[-1].isdigit() and other.text[0].isdigit()
    return in_number or _ADJACENT.fullmatch(text, one.end, other.start) is not None


def _begins(text: str, words: Sequence[Word], at: int, *, cased: bool) -> bool:
    word = words[at]
    if word.folded in NOT_NAMES or word.folded in WEEKDAYS or (word.text.isdigit() and not _is_listed(text, words, at)):
        return False
    if at == 0 and word.folded in ARTICLES | PREPOSITIONS | ADVERBIAL:
        return False
    return _has_capital(word) or has_digit(word.text) if cased else not _is_small(word)


def _is_listed(text: str, words: Sequence[Word], at: int) -> bool:
    """Whether a number stands in a list behind another one (`Borea 7, 9 and 12`)."""
    if not is_number(words[at].text):
        return False
    before = at - 1
    while before >= 0 and words[before].folded in JOINING:
        before -= 1
    return before > 0 and is_number(words[before].text) and _has_digit_before(words, before)


def _has_digit_before(words: Sequence[Word], at: int) -> bool:
    return has_digit(words[at].text) and (_has_capital(words[at - 1]) or has_digit(words[at - 1].text))


def _has_capital(word: Word) -> bool:
    return any(c.isupper() for c in word.text) or not (word.text.islower() or has_digit(word.text))


def _is_small(word: Word) -> bool:
    return word.folded in _UNJOINED


def _after_joint(text: str, words: Sequence[Word], end: int, *, cased: bool) -> int | None:
    """Return the position where the next name of a list may begin: after a comma or words that join names; None where
    neither stands there."""
    joins = False
    for at in range(end, min(len(words), end + LONGEST_JOINT + 1)):
        gap = text[words[at - 1].end : words[at].start]
        if _COMMA.fullmatch(gap):
            joins = True
        elif _CLAUSE.search(gap) and not _STOP.fullmatch(gap):
            return None
        word = words[at]
        joining = word.text.islower() or (word.text.isupper() and len(word.text) > 1)  # `A VS B`
        if word.folded in COMPARING or (joining and word.folded in JOINING):
            joins = True
        elif not (word.text.islower() and _is_small(word)):
            return at if joins else None
    return None


def _complete_bare_numbers(items: Sequence[list[Word]]) -> list[list[Word]]:
    """Return the items; a bare number gets the words it shares with the item before it (`Borea 7 and 9`)."""
    found: list[list[Word]] = []
    for item in items:
        bare = len(item) == 1 and item[0].text.isdigit()
        found.append([*found[-1][:-1], *item] if bare and found and has_digit(found[-1][-1].text) else list(item))
    return found
