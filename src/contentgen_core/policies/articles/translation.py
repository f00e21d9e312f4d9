"""Translating Markdown without losing any of it: what a model is given, and which answers are accepted.

A model sees text with placeholders (`⟦1⟧`) for code, addresses, citations and markup. An answer is accepted if it has
each placeholder once, the same numbers, and no markup of its own. The result is compared with the original once more as
a whole. Answers are untrusted: nothing in them becomes a link, code, HTML or another block."""

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
from contentgen_core.policies.text.truncation import truncate

TARGET_LANGUAGES: Final = tuple(
    Language(code) for code in ("en", "fr", "es", "de", "it", "pt", "nl", "pl", "ru", "ar", "zh", "ja", "ko")
)
"""The languages that are translated into (product decisions, "Plans")."""
WORDS_PER_CREDIT: Final = 500
MAX_CREDITS: Final = 15
MAX_WORDS: Final = WORDS_PER_CREDIT * MAX_CREDITS
MAX_LENGTH_RATIO: Final = 12
"""The most characters of a translation for each of the original, beside a constant: a longer text is no translation."""

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
_PLACEHOLDER: Final = re.compile(r"⟦\s*(\d{1,5})\s*⟧")
_SOFT_BREAK: Final = re.compile(r"[ \t]{0,200}\r?\n[ \t>]{0,200}")
_SPACES: Final = re.compile(r"[\x00-\x1f\x7f\u0085\u2028\u2029]+")


@frozen
class Protected:
    """A piece of Markdown that a placeholder stands for. `kind`: the name of its group in the pattern."""

    kind: str
    text: str


@frozen
class Segment:
    """A translatable piece. `raw`: as in the Markdown; `shown`: as a model sees it, placeholder n standing for
    `protected[n - 1]`; `cell`: of a table; `start`: at the start of a block; `plain`: no Markdown at all."""

    raw: str
    shown: str
    protected: tuple[Protected, ...] = ()
    cell: bool = False
    start: bool = False
    plain: bool = False


@frozen
class Split:
    """Markdown divided into segments. `parts`: text that stays unchanged, and the indices of the segments in
    between."""

    parts: tuple[str | int, ...]
    segments: tuple[Segment, ...]

    def joined(self, translations: Mapping[int, str] | Sequence[str]) -> str:
        """Return the Markdown with each segment replaced by its translation, a text with placeholders, by index."""
        return "".join(
            part if isinstance(part, str) else restore(self.segments[part], translations[part]) for part in self.parts
        )


def credits_for(words: int) -> int:
    """Return the credits of so many words: one per 500 begun, 1 to 15."""
    return min(MAX_CREDITS, max(1, -(-words // WORDS_PER_CREDIT)))


def split(markdown: str) -> Split:
    """Divide Markdown into segments and what stays unchanged."""
    parts: list[str | int] = []
    segments: list[Segment] = []
    for piece in blocks(markdown):
        if piece.translatable:
            segment = _segment(piece)
            if any(c.isalpha() for c in _PLACEHOLDER.sub("", segment.shown)):
                parts.append(len(segments))
                segments.append(segment)
                continue
        if piece.text:
            parts.append(piece.text)
    return Split(tuple(parts), tuple(segments))


def plain_segment(text: str) -> Segment:
    """A title or a description: one line of text in which Markdown has no meaning."""
    return Segment(text, _SPACES.sub(" ", text).replace("⟦", "[").replace("⟧", "]").strip(), plain=True)


def restore(segment: Segment, translation: str) -> str:
    """Return the translation with its placeholders replaced. An unchanged translation gives the original, to the
    character."""
    text = _one_line(translation)
    if text == segment.shown:
        return segment.raw
    text = _PLACEHOLDER.sub(lambda match: segment.protected[int(match[1]) - 1].text, text)
    return escaped_start(text) if segment.start and escaped_start(segment.raw) == segment.raw else text


def fault(segment: Segment, translation: str, source: Language | None, target: Language) -> str | None:
    """Explain, for a model, why a translation of a segment is refused; None when it is accepted. `source`: None if
    unknown."""
    text = _one_line(translation)
    if text == segment.shown:
        return None
    bare = _PLACEHOLDER.sub(" ", text)
    if not any(c.isalnum() for c in bare):
        return "the translation is empty"
    if len(text) > MAX_LENGTH_RATIO * len(segment.shown) + 200:
        return "it is much longer than the original: add nothing"
    return (
        _placeholder_fault(segment, [int(n) for n in _PLACEHOLDER.findall(text)])
        or _markup_fault(segment, bare)
        or number_fault(_PLACEHOLDER.sub(" ", segment.shown), bare, source, target)
    )


def difference(original: str, translated: str, source: Language | None, target: Language) -> str | None:
    """Describe what a translated text lost or gained as a whole; None when it is intact: the same blocks in the same
    order, and in each the same citations, links, images, code and numbers. `source`: None if unknown."""
    before, after = list(_outline(original)), list(_outline(translated))
    if len(before) != len(after):
        return "the translation has other blocks than the original"
    for was, now in zip(before, after, strict=True):
        if isinstance(was, str) or isinstance(now, str):
            if was != now:
                return f"{_quote(was)} is not at its place in the translation"
            continue
        if [p.text for p in was.protected if p.kind == "citation"] != [
            p.text for p in now.protected if p.kind == "citation"
        ]:
            return f"the citations of {_quote(was)} are not those of the original"
        if _atoms(was) != _atoms(now):
            return f"links, images, code or markup of {_quote(was)} are not those of the original"
        lost = number_fault(_PLACEHOLDER.sub(" ", was.shown), _PLACEHOLDER.sub(" ", now.shown), source, target)
        if was.shown != now.shown and lost:
            return f"in {_quote(was)}: {lost}"
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


def _placeholder_fault(segment: Segment, found: list[int]) -> str | None:
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
    """The two ends of a link stay around text, in their order."""
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
    """The placeholders that are the two ends of a link, an image or emphasis: opening to closing."""
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
    """Markup that the model added."""
    if segment.plain:
        return _plain_fault(segment, bare)
    if found := _PROTECTED.search(bare):
        return f"it adds {found[0][:40]!r}: write no links, code, HTML, citations or other markup"
    for bracket in "[]":
        if bare.count(bracket) != _PLACEHOLDER.sub(" ", segment.shown).count(bracket):
            return f"it must have as many {bracket} as the original"
    if segment.cell and "|" in bare:
        return "it adds a column to a table: write no |"
    return None


def _plain_fault(segment: Segment, bare: str) -> str | None:
    """Check a plain text, where marks are text: only addresses and HTML are refused."""
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
    """Count the protected parts, except escapes and breaks, which may be written differently."""
    return Counter(p.text for p in segment.protected if p.kind not in ("escape", "break"))


def _quote(part: str | Segment) -> str:
    text = part if isinstance(part, str) else part.shown
    return repr(truncate(text, 60))


def _one_line(text: str) -> str:
    return _SPACES.sub(" ", text).strip()
