"""Mermaid diagrams as PNG pictures, by the package mmdr (extra `contentgen-grounded[diagrams]`), in a process of its
own: it draws what came from outside, without a browser and without a network."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from typing import Final, TypeAlias

import msgspec
from attrs import frozen

from contentgen_adapters.shared.processes.pool import Limits, NotParsed, Parser, PoolBusy, ProcessPool

MAX_SOURCE: Final = 20_000
LIMITS: Final = Limits(cpu=10.0, memory=1024 * 1024 * 1024, answer=4 * 1024 * 1024)
FONTS: Final = "trebuchet ms, verdana, arial, sans-serif"
"""Those that Mermaid asks for."""
_WIDTH: Final = 1_200

Draw: TypeAlias = Callable[[str], Awaitable[bytes | None]]
"""From a diagram's source to a PNG; None for one that cannot be drawn here."""


def png_of(source: str) -> bytes:
    """Draw a diagram as PNG; empty for a text that is not a diagram, or that has letters missing in all fonts here:
    they would be empty boxes. CPU-bound.
    """
    import mmdr
    from novasvg.fonts import get_font_face_for_family_stack  # type: ignore[import-untyped]

    face = get_font_face_for_family_stack(FONTS)
    if not face or not {ord(letter) for letter in source if letter.isprintable()} <= set(face.codepoints()):
        return b""
    try:
        drawn = mmdr.render(source).png(width=_WIDTH, background="#ffffff")
    except ValueError:
        return b""
    return bytes(drawn)


_PARSER: Final[Parser[str, bytes]] = Parser(png_of, msgspec.msgpack.Decoder(bytes), "flowchart TD\n  a --> b")


@frozen
class DiagramPainter:
    pool: ProcessPool
    limits: Limits = LIMITS

    async def draw(self, source: str, key: str) -> bytes | None:
        """Draw a diagram; None also where the extra is not installed. `key`: on whose behalf."""
        if len(source) > MAX_SOURCE or find_spec("mmdr") is None:
            return None
        try:
            return await self.pool.run(_PARSER, source, key, self.limits) or None
        except (NotParsed, PoolBusy):
            return None
