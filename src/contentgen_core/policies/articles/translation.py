"""Translating Markdown without losing anything of it: what a model is shown, and what may come back.

A model sees text with places (`⟦1⟧`) where code, addresses, citations and markup stand. What it answers must hold each
place once, the same numbers, and no markup of its own; only then it takes the place of the text. The whole is read
once more at the end. A model's answer is data: nothing in it becomes a link, code, HTML or another block."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.translation_blocks import Piece, blocks
from contentgen_core.policies.articles.translation_numbers import number_fault
from contentgen_core.policies.text.markdown import escaped_start

TARGETS: Final = tuple(
    Language(code) for code in ("en", "fr", "es", "de", "it", "pt", "nl", "pl", "ru", "ar", "zh", "ja", "ko")
)
"""The languages that are translated into (product decisions, "Plans")."""
WORDS_A_CREDIT: Final = 500
MOST_CREDITS: Final = 15
MOST_WORDS: Final = WORDS_A_CREDIT * MOST_CREDITS
LONGEST: Final = 12
"""Times the length of its text that a translation may have, beside a little: what is longer is no translation."""

_CITATION: Final = r"\[\^?\d{1,6}\]"
_ADDRESS: Final = r"<?(?:[^()\s]|\([^()\s]*\))*>?(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*"
# In the order in which they are tried. `opens` and `closes` are the two ends of a link or an image around its text.
_PROTECTED: Final = re.compile(
    "|".join(
        (
            r"(?P<break>(?:\\|(?<! )[ ]{2,})\r?\n[ \t>]{0,200})",
            r"(?P<escape>\\[!-/:-@\[-`{-~])",
            r"(?P<code>(?<!`)(?P<ticks>`+)(?!`)(?:[^`]|(?!(?<!`)(?P=ticks)(?!`))`)+(?<!`)(?P=ticks)(?!`))",
            rf"(?P<citation>{_CITATION}(?!\())",
            rf"(?P<closes>\]\({_ADDRESS}\)|\]\[[^\]\n]*\])",
            r"(?P<opens>!?\[(?=[^\]]{0,500}\](?:\(|\[)))",
            r"(?P<label>\[[^\[\]\n]{1,200}\])",
            r"(?P<auto><[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>)",
            r"(?P<html><!--.{0,2000}?-->|</?[A-Za-z][^<>]*>)",
            r"(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)",
            r"(?P<bare>(?:https?://|www\.)[^\s<>\[\]()*]+[^\s<>\[\]()*.,;:!?'\"。，、；：！？」』】）]|"
            r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+)",
            r"(?P<math>\$\$[^$]+\$\$)",
            r"(?P<strong>\*{1,3}|~~|(?<![^\W_])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![^\W_]))",
            r"(?P<angles><{2,}|>{2,})",
            r"(?P<place>[⟦⟧])",
        )
    ),
    re.DOTALL,
)
_PLACE: Final = re.compile(r"⟦\s*(\d{1,5})\s*⟧")
_SOFT_BREAK: Final = re.compile(r"[ \t]{0,200}\r?\n[ \t>]{0,200}")
_SPACES: Final = re.compile(r"[\x00-\x1f\x7f\u0085\u2028\u2029]+")


@frozen
class Protected:
    kind: str
    text: str


@frozen
class Segment:
    """`raw`: as it stands in the Markdown; `shown`: as a model sees it, place n being `protected[n - 1]`. `plain`: no
    Markdown at all."""

    raw: str
    shown: str
    protected: tuple[Protected, ...] = ()
    cell: bool = False
    start: bool = False
    plain: bool = False


@frozen
class Split:
    """`parts`: what stays as it is, and the indices of the segments between it."""

    parts: tuple[str | int, ...]
    segments: tuple[Segment, ...]

    def joined(self, translations: Mapping[int, str] | Sequence[str]) -> str:
        """The Markdown with every segment's translation (a text with places) in its place."""
        return "".join(
            part if isinstance(part, str) else restored(self.segments[part], translations[part]) for part in self.parts
        )


def credits_for(words: int) -> int:
    """One for each started 500 words, 1 to 15."""
    return min(MOST_CREDITS, max(1, -(-words // WORDS_A_CREDIT)))


def split(markdown: str) -> Split:
    parts: list[str | int] = []
    segments: list[Segment] = []
    for piece in blocks(markdown):
        if piece.translatable:
            segment = _segment(piece)
            if any(c.isalpha() for c in _PLACE.sub("", segment.shown)):
                parts.append(len(segments))
                segments.append(segment)
                continue
        if piece.text:
            parts.append(piece.text)
    return Split(tuple(parts), tuple(segments))


def plain_segment(text: str) -> Segment:
    """A title, a description: one line of text in which Markdown means nothing."""
    return Segment(text, _SPACES.sub(" ", text).replace("⟦", "[").replace("⟧", "]").strip(), plain=True)


def restored(segment: Segment, translation: str) -> str:
    """The translation as it goes into the text. What comes back unchanged is the original, to the character."""
    text = _one_line(translation)
    if text == segment.shown:
        return segment.raw
    text = _PLACE.sub(lambda match: segment.protected[int(match[1]) - 1].text, text)
    return escaped_start(text) if segment.start and escaped_start(segment.raw) == segment.raw else text


def fault(segment: Segment, translation: str, source: Language | None, target: Language) -> str | None:
    """Why a text cannot take the place of a segment, in words for a model; None when it can."""
    text = _one_line(translation)
    if text == segment.shown:
        return None
    bare = _PLACE.sub(" ", text)
    if not any(c.isalnum() for c in bare):
        return "the translation is empty"
    if len(text) > LONGEST * len(segment.shown) + 200:
        return "it is much longer than the original: add nothing"
    return (
        _place_fault(segment, [int(n) for n in _PLACE.findall(text)])
        or _markup_fault(segment, bare)
        or number_fault(_PLACE.sub(" ", segment.shown), bare, source, target)
    )


def difference(original: str, translated: str, source: Language | None, target: Language) -> str | None:
    """What a translated text lost or gained against its original, looking at the whole; None when it is intact: the
    same blocks in the same order, and in each the same citations, links, images, code and numbers."""
    before, after = list(_outline(original)), list(_outline(translated))
    if len(before) != len(after):
        return "the translation has other blocks than the original"
    for was, now in zip(before, after, strict=True):
        if isinstance(was, str) or isinstance(now, str):
            if was != now:
                return f"{_quoted(was)} is not at its place in the translation"
            continue
        if [p.text for p in was.protected if p.kind == "citation"] != [
            p.text for p in now.protected if p.kind == "citation"
        ]:
            return f"the citations of {_quoted(was)} are not those of the original"
        if _atoms(was) != _atoms(now):
            return f"links, images, code or markup of {_quoted(was)} are not those of the original"
        lost = number_fault(_PLACE.sub(" ", was.shown), _PLACE.sub(" ", now.shown), source, target)
        if was.shown != now.shown and lost:
            return f"in {_quoted(was)}: {lost}"
    return None


def _segment(piece: Piece) -> Segment:
    protected: list[Protected] = []

    def place(match: re.Match[str]) -> str:
        kind = match.lastgroup or "code"
        kind = "code" if kind == "ticks" else kind
        protected.append(Protected(kind, match[0]))
        return f"⟦{len(protected)}⟧"

    shown = _SOFT_BREAK.sub(" ", _PROTECTED.sub(place, piece.text))
    return Segment(piece.text, _one_line(shown), tuple(protected), piece.cell, piece.start)


def _place_fault(segment: Segment, found: list[int]) -> str | None:
    places, seen = Counter(range(1, len(segment.protected) + 1)), Counter(found)
    if missing := sorted(places - seen):
        return f"the place ⟦{missing[0]}⟧ is missing"
    if unknown := sorted(seen - places):
        return f"the place ⟦{unknown[0]}⟧ is there too often or was not in the original"
    ordered = [n for n in found if segment.protected[n - 1].kind == "citation"]
    if ordered != sorted(ordered):
        return "the citations are in another order: keep each with its sentence"
    return _nesting_fault(segment, found)


def _nesting_fault(segment: Segment, found: list[int]) -> str | None:
    """Two ends of a link stay the two ends of that link, around text."""
    pairs = _pairs(segment)
    closing = {close: opening for opening, close in pairs.items()}
    open_now: list[int] = []
    for n in found:
        if n in pairs:
            open_now.append(n)
        elif n in closing and (not open_now or open_now.pop() != closing[n]):
            return f"the places ⟦{closing[n]}⟧ and ⟦{n}⟧ belong around the same words, in this order"
    return None


def _pairs(segment: Segment) -> dict[int, int]:
    """Which places are the two ends of a link or an image, or of emphasis."""
    pairs: dict[int, int] = {}
    waiting: list[tuple[str, int]] = []
    for n, protected in enumerate(segment.protected, start=1):
        mark = "[" if protected.kind in ("opens", "closes") else protected.text if protected.kind == "strong" else None
        if mark is None:
            continue
        closes = protected.kind == "closes" or (protected.kind == "strong" and any(m == mark for m, _ in waiting))
        if not closes:
            waiting.append((mark, n))
            continue
        while waiting:
            opened, at = waiting.pop()
            if opened == mark:
                pairs[at] = n
                break
    return pairs


def _markup_fault(segment: Segment, bare: str) -> str | None:
    """Markup that the model wrote by itself."""
    if segment.plain:
        return _plain_fault(segment, bare)
    if found := _PROTECTED.search(bare):
        return f"it adds {found[0][:40]!r}: write no links, code, HTML, citations or other markup"
    for bracket in "[]":
        if bare.count(bracket) != _PLACE.sub(" ", segment.shown).count(bracket):
            return f"it must have as many {bracket} as the original"
    if segment.cell and "|" in bare:
        return "it adds a column to a table: write no |"
    return None


def _plain_fault(segment: Segment, bare: str) -> str | None:
    """In plain text marks are text; only addresses and HTML may not come in."""
    had = Counter(match[0] for match in _PROTECTED.finditer(segment.raw))
    has = Counter(match[0] for match in _PROTECTED.finditer(bare) if match.lastgroup in ("html", "auto", "bare"))
    added = has - had
    return f"it adds {next(iter(added))[:40]!r}" if added else None


def _outline(markdown: str) -> Iterator[str | Segment]:
    found = split(markdown)
    for part in found.parts:
        if isinstance(part, int):
            yield found.segments[part]
        elif part.strip():
            yield _SPACES.sub(" ", part).strip()


def _atoms(segment: Segment) -> Counter[str]:
    """What is protected, but for escapes and breaks, which are no more than a way of writing."""
    return Counter(p.text for p in segment.protected if p.kind not in ("escape", "break"))


def _quoted(part: str | Segment) -> str:
    text = part if isinstance(part, str) else part.shown
    return repr(text if len(text) <= 60 else text[:59] + "…")


def _one_line(text: str) -> str:
    return _SPACES.sub(" ", text).strip()
