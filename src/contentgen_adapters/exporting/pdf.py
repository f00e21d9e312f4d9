"""PDFs of printable pages, made by WeasyPrint in a process of its own (extra `contentgen-grounded[pdf]`).

A hostile page can keep a layout engine busy for hours. A thread could not be killed, and would delay all other requests
meanwhile."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from typing import Final

import msgspec

from contentgen_adapters.exporting.pdf_process import AttachedFile, PrintedPdf, PrintFailed, PrintRequest, PrintResult
from contentgen_adapters.exporting.pictures import LoadedPicture
from contentgen_core.errors import ContentgenError, NotConfigured, ProviderFailed

SECONDS: Final = 60.0
MAX_MISSING_LETTERS: Final = 0.01
"""Share of an article's letters that may lack a font: a single word of another script does not prevent the export."""
INSTALL: Final = (
    "Install contentgen-grounded[pdf] and the library Pango (Debian: libpango-1.0-0 libpangoft2-1.0-0), or use"
)
_NAME: Final = "The PDF printer"
# A process that decodes untrusted pictures must not see the secrets in our environment.
_INHERITED: Final = (
    "PATH", "PYTHONHOME", "LD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR",
    "HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "FONTCONFIG_FILE", "FONTCONFIG_PATH",
)  # fmt: skip
_answers: Final[msgspec.msgpack.Decoder[PrintResult]] = msgspec.msgpack.Decoder(PrintResult)


class PdfNotInstalled(NotConfigured):
    """The extra, its library or a font is missing."""

    def __init__(self, message: str) -> None:
        ContentgenError.__init__(self, message)
        self.setting = "contentgen-grounded[pdf]"


class PdfPrinter:
    """Prints pages, each in a process of its own.

    `seconds`: most for one page. `module`: the main module of the process; tests replace it.
    """

    def __init__(self, seconds: float = SECONDS, module: str = "contentgen_adapters.exporting.pdf_process") -> None:
        self._seconds, self._module = seconds, module

    async def print(
        self,
        page: str,
        right_to_left: bool,
        picture: LoadedPicture | None = None,
        attached: AttachedFile | None = None,
    ) -> bytes:
        """The PDF of a page.

        `page`: a whole HTML document. `right_to_left`: its direction. `picture`: the only resource that may be loaded.
        `attached`: a file that the PDF carries along.
        Raises PdfNotInstalled, ProviderFailed.
        """
        loadable = (picture.url, picture.content) if picture else None
        output = await self._run(msgspec.msgpack.encode(PrintRequest(page, right_to_left, loadable, attached)))
        try:
            answer = _answers.decode(output)
        except msgspec.DecodeError as exc:
            raise ProviderFailed(_NAME, "it ended without a PDF", retryable=False) from exc
        match answer:
            case PrintFailed(missing=True):
                raise PdfNotInstalled(f"PDFs cannot be made here: {answer.text}. {INSTALL} another format.")
            case PrintFailed():
                raise ProviderFailed(_NAME, answer.text, retryable=False)
            case PrintedPdf():
                _check_fonts(answer)
                return answer.pdf

    async def _run(self, request: bytes) -> bytes:
        # Our own module path, so that the process loads this version of the package.
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
                output, _ = await process.communicate(request)
        except TimeoutError as exc:
            message = f"the article takes longer than {self._seconds:g} s to lay out; use another format"
            raise ProviderFailed(_NAME, message, retryable=False) from exc
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        return output


def _check_fonts(printed: PrintedPdf) -> None:
    """Raises PdfNotInstalled when too many letters would be shown as empty boxes."""
    if printed.without_font > printed.letters * MAX_MISSING_LETTERS:
        raise PdfNotInstalled(
            f"This server has no font for letters of the article, such as {printed.samples}. Install one (Debian:"
            " fonts-noto-core, fonts-noto-cjk), or use another format."
        )
