"""A printed page as PDF, made by WeasyPrint in a process of its own: the extra `contentgen[pdf]`.

A page can be made that keeps a layout engine busy for hours. A thread could not be ended, and would hold up everybody
else's requests meanwhile."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from typing import Final

import msgspec

from contentgen_adapters.exporting.pdf_process import Answer, Order, Printed, Trouble
from contentgen_adapters.exporting.pictures import Loaded
from contentgen_core.errors import ContentgenError, NotConfigured, ProviderFailed

SECONDS: Final = 60.0
MOST_LETTERS_MISSING: Final = 0.01
"""Share of the letters of an article that may have no font: a word of another script does not hold up the rest."""
INSTALL: Final = "Install contentgen[pdf] and the library Pango (Debian: libpango-1.0-0 libpangoft2-1.0-0), or use"
_NAME: Final = "The PDF printer"
# What reads people's pictures does not get to see the keys in our environment.
_INHERITED: Final = (
    "PATH", "PYTHONHOME", "LD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR",
    "HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "FONTCONFIG_FILE", "FONTCONFIG_PATH",
)  # fmt: skip
_answers: Final[msgspec.msgpack.Decoder[Answer]] = msgspec.msgpack.Decoder(Answer)


class PdfNotInstalled(NotConfigured):
    """The extra, its library or a font is missing."""

    def __init__(self, message: str) -> None:
        ContentgenError.__init__(self, message)
        self.setting = "contentgen[pdf]"


class PdfPrinter:
    """`module`: what the process runs, for tests."""

    def __init__(self, seconds: float = SECONDS, module: str = "contentgen_adapters.exporting.pdf_process") -> None:
        self._seconds, self._module = seconds, module

    async def print(self, page: str, right_to_left: bool, picture: Loaded | None = None) -> bytes:
        """Nothing is loaded but `picture`, where the page shows it. Raises PdfNotInstalled, ProviderFailed."""
        shown = (picture.url, picture.content) if picture else None
        said = await self._asked(msgspec.msgpack.encode(Order(page, right_to_left, shown)))
        try:
            answer = _answers.decode(said)
        except msgspec.DecodeError as exc:
            raise ProviderFailed(_NAME, "it ended without a PDF", retryable=False) from exc
        match answer:
            case Trouble(missing=True):
                raise PdfNotInstalled(f"PDFs cannot be made here: {answer.text}. {INSTALL} another format.")
            case Trouble():
                raise ProviderFailed(_NAME, answer.text, retryable=False)
            case Printed():
                _check_fonts(answer)
                return answer.pdf

    async def _asked(self, order: bytes) -> bytes:
        # Python's own path, so that it finds this version of us wherever it was started from.
        environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        environment["PYTHONPATH"] = os.pathsep.join(sys.path)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            self._module,
            str(int(self._seconds) + 5),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=environment,
        )
        try:
            async with asyncio.timeout(self._seconds):
                said, _ = await process.communicate(order)
        except TimeoutError as exc:
            message = f"the article takes longer than {self._seconds:g} s to lay out; use another format"
            raise ProviderFailed(_NAME, message, retryable=False) from exc
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        return said


def _check_fonts(printed: Printed) -> None:
    """A page of empty boxes is no PDF of an article."""
    if printed.without_font > printed.letters * MOST_LETTERS_MISSING:
        raise PdfNotInstalled(
            f"This server has no font for letters of the article, such as {printed.samples}. Install one (Debian:"
            " fonts-noto-core, fonts-noto-cjk), or use another format."
        )
