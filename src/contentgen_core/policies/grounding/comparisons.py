"""Detect differences between sentences that have the same words: which of two things is more, whether something is the
only one, and whether a word is denied by a prefix (involved, uninvolved)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Final

from attrs import frozen

from contentgen_core.model.text import Token
from contentgen_core.model.vocabulary import Language

# How many words before "than" may be compared by it, and how many content words after it belong to it.
COMPARED_WITHIN: Final = 8
RIGHT_SIDE: Final = 6
# Two sides are about the same with this share of their words in common.
SAME_SIDE: Final = 0.5
# A beginning that denies stands before a word of so many letters.
SHORTEST_DENIED: Final = 5


@frozen
class _Words:
    """A language's words of comparison. `than`: words before the second of two things compared; `only`: words that
    exclude everything else, unless a number or one of `some` follows; `alone`: further such words, counted in sources
    only; `denying`: prefixes that deny the rest of a word."""

    than: frozenset[str]
    only: frozenset[str]
    some: frozenset[str]
    alone: frozenset[str]
    denying: tuple[str, ...]


def _words(than: str, only: str, some: str, alone: str, denying: str) -> _Words:
    return _Words(
        frozenset(than.split()),
        frozenset(only.split()),
        frozenset(some.split()),
        frozenset(alone.split()),
        tuple(denying.split()),
    )


_NONE: Final = _words("", "", "", "", "")
WORDS: Final[Mapping[Language, _Words]] = {
    Language.EN: _words(
        "than versus",
        "only solely exclusively",
        "a an about around few some slightly minor modest small one two three recently then when if in",
        "alone just limited restricted confined sole exclusive merely purely entirely",
        "un non in im ir dis",
    ),
    Language.FR: _words(
        "que qu",
        "uniquement exclusivement seulement",
        "un une quelques environ peu si quand",
        "seul seule seuls seules que qu limité limitée réservé réservée rien",
        "in im ir non dés",
    ),
    Language.DE: _words(
        "als",
        "ausschließlich nur lediglich",
        "ein eine einen einem einer wenige etwa rund kurz wenn dann",
        "allein alleine einzig einzige beschränkt bloß",
        "un nicht",
    ),
    Language.ES: _words(
        "que",
        "únicamente exclusivamente solamente solo sólo",
        "un una unos unas unos pocos algunos si cuando",
        "único única limitado limitada exclusivo exclusiva nada",
        "in im ir des",
    ),
    Language.IT: _words(
        "di che",
        "unicamente esclusivamente solamente soltanto solo",
        "un una uno pochi circa se quando",
        "unico unica limitato limitata esclusivo esclusiva",
        "in im ir dis",
    ),
    Language.PT: _words(
        "que",
        "unicamente exclusivamente somente apenas só",
        "um uma uns umas poucos cerca se quando",
        "único única limitado limitada exclusivo exclusiva",
        "in im ir des",
    ),
    Language.NL: _words(
        "dan",
        "uitsluitend enkel alleen slechts",
        "een enkele ongeveer als wanneer",
        "exclusief beperkt louter enige",
        "on niet",
    ),
}


@frozen
class Comparison:
    """Two things compared: the first's and the second's words, and the direction (`group`, `side`) between them."""

    group: str
    side: int
    left: frozenset[str]
    right: frozenset[str]


def comparisons(
    tokens: Sequence[Token], directions: Iterable[tuple[int, str, int]], language: Language
) -> tuple[Comparison, ...]:
    """Find the comparisons in a sentence. `directions`: the places of words of a direction, with its group and side."""
    placed = list(directions)
    if not placed:
        return ()
    than = WORDS.get(language, _NONE).than
    found = []
    for at, token in enumerate(tokens):
        if token.text.lower() not in than:
            continue
        before = [it for it in placed if at - COMPARED_WITHIN <= it[0] < at]
        if before:
            place, group, side = before[-1]
            left = frozenset(t.term for t in tokens[:place] if not t.stop)
            right = frozenset([t.term for t in tokens[at + 1 :] if not t.stop][:RIGHT_SIDE])
            found.append(Comparison(group, side, left - right, right - left))
    return tuple(found)


def is_reversed(claim: Iterable[Comparison], source: Iterable[Comparison]) -> bool:
    """Whether a comparison of the claim has the two things in the other order than one of the source."""
    given = list(source)
    return any(_are_reversed(ours, theirs) for ours in claim for theirs in given)


def _are_reversed(ours: Comparison, theirs: Comparison) -> bool:
    if ours.group != theirs.group or ours.side != theirs.side:
        return False
    # What stands on the same side in both tells nothing.
    return _is_same(ours.left - theirs.left, theirs.right - ours.right) and _is_same(
        ours.right - theirs.right, theirs.left - ours.left
    )


def _is_same(ours: Set[str], theirs: Set[str]) -> bool:
    """Whether the two share enough of the shorter one's words, so that additions in only one of them do not count."""
    return bool(ours and theirs) and len(ours & theirs) >= SAME_SIDE * min(len(ours), len(theirs))


def leaves_nothing_else(tokens: Sequence[Token], language: Language) -> bool:
    """Whether the words exclude everything else ("only", but not "only 40 %")."""
    words = WORDS.get(language, _NONE)
    texts = [token.text.lower() for token in tokens]
    for place, text in enumerate(texts):
        if text not in words.only:
            continue
        after = texts[place + 1] if place + 1 < len(texts) else ""
        denied = place > 0 and texts[place - 1] in ("not", "pas", "non", "nicht", "no", "não", "niet")
        if not (denied or after in words.some or after[:1].isdigit()):
            return True
    return False


def may_leave_nothing_else(tokens: Sequence[Token], language: Language) -> bool:
    """Whether a source's words exclude everything else; more words count as such than in a claim."""
    words = WORDS.get(language, _NONE)
    telling = words.only | words.alone
    return any(token.text.lower() in telling for token in tokens)


def forms(tokens: Iterable[Token]) -> frozenset[str]:
    """Return the content words, as written and as terms."""
    return frozenset(form for token in tokens if not token.stop for form in (token.text.lower(), token.term))


def denied_within(tokens: Iterable[Token], language: Language) -> tuple[frozenset[str], ...]:
    """Return for each word with a denying prefix the rest of the word, as written and as a term."""
    denying = WORDS.get(language, _NONE).denying
    return tuple(
        frozenset(form[len(start) :] for form in (token.text.lower(), token.term) if form.startswith(start))
        for token in tokens
        if not token.stop and token.text.lower().startswith(denying)
        for start in denying
        if token.text.lower().startswith(start) and len(token.text) >= len(start) + SHORTEST_DENIED
    )
