"""From bytes to text when nothing reliable says which encoding it is."""

from __future__ import annotations

import codecs
from typing import Final

from charset_normalizer import from_bytes

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE: Final = 200_000  # bytes; the detector's time grows with the text, its answer does not


def decode(data: bytes, declared: str | None = None) -> str:
    """The text of some bytes: by byte order mark, as UTF-8, as declared, else as charset-normalizer finds likely.

    Total: what fits nothing is decoded with replacement characters. Line ends become `\\n`.
    """
    return _decoded(data, declared).replace("\r\n", "\n").replace("\r", "\n")


def _decoded(data: bytes, declared: str | None) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    for likely in ("utf-8", declared or "utf-8"):
        try:
            return data.decode(likely)
        except (UnicodeDecodeError, LookupError):
            continue
    best = from_bytes(data[:_SAMPLE]).best()
    return data.decode(best.encoding if best else "utf-8", "replace")


def looks_binary(head: bytes) -> bool:
    """Whether the first bytes of a file can be no text: NUL bytes outside UTF-16 and UTF-32."""
    return b"\x00" in head and not any(head.startswith(mark) for mark, _ in _MARKS)
