"""Decodes bytes whose encoding is not reliably stated."""

from __future__ import annotations

import codecs
from typing import Final

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MOST_USED: Final = ("cp1252", "cp1251", "cp1250", "gb18030", "big5", "shift_jis", "cp949", "cp1256", "cp1255")
_PUNCTUATION: Final = "«»“”„‘’‚…–—€°·•§\u00a0"
_SAMPLE: Final = 200_000  # bytes; the detector's time grows with the text, its answer does not


def decode(data: bytes, declared: str | None = None) -> str:
    """The text of some bytes: by byte order mark, as UTF-8, as declared, else by charset-normalizer's guess.

    `declared`: an encoding stated by a header or a page. Never fails: bytes that fit no encoding become replacement
    characters. Line ends become `\\n`.
    """
    return _decode(data, declared).replace("\r\n", "\n").replace("\r", "\n")


def _decode(data: bytes, declared: str | None) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    # A stateful encoding with escape sequences (ISO-2022-JP) consists of ASCII bytes, and so is valid UTF-8.
    shifts = declared is not None and declared.lower().startswith("iso-2022")
    for likely in (declared, "utf-8") if declared and shifts else ("utf-8", declared or "utf-8"):
        try:
            return data.decode(likely)
        except (UnicodeError, LookupError):
            continue
    return data.decode(_likely(data[:_SAMPLE]), "replace")


def _likely(data: bytes) -> str:
    """charset-normalizer's guess; among equally likely ones that with the fewest letters decoded as symbols (`³adna`
    for `ładna`), then the most common one."""
    from charset_normalizer import from_bytes  # for the few that are no UTF-8

    found = from_bytes(data)
    best = found.best()
    if best is None:
        return "utf-8"
    equal = [match for match in found if (match.chaos, match.coherence) == (best.chaos, best.coherence)]
    names = [name for match in equal for name in match.could_be_from_charset]
    return min(names, key=lambda name: (_signs(data.decode(name, "replace")), _rank(name)))


def _signs(text: str) -> int:
    return sum(c > "\x7f" and not c.isalpha() and c not in _PUNCTUATION for c in text)


def _rank(encoding: str) -> int:
    return _MOST_USED.index(encoding) if encoding in _MOST_USED else len(_MOST_USED)


_BINARY: Final = (
    *(b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\x00", b"MM\x00*", b"ID3", b"OggS", b"fLaC"),
    *(b"\x1f\x8b\x08", b"BZh", b"\xfd7zXZ\x00", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"\x7fELF", b"MZ\x90\x00"),
)
"""How files begin that are no text even where they hold no NUL byte."""


def looks_binary(head: bytes) -> bool:
    """Whether a file that begins with these bytes is not text: the beginning of a picture, a sound, an archive or a
    program, or NUL bytes outside UTF-16 and UTF-32.
    """
    if head.startswith(_BINARY):
        return True
    return b"\x00" in head and not any(head.startswith(mark) for mark, _ in _MARKS)
