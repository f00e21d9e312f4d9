"""The process that makes one PDF: reads a PrintRequest from standard input, writes a PrintResult to standard output."""

from __future__ import annotations

import logging
import re
import sys
import unicodedata
from importlib import import_module
from io import BytesIO
from typing import Any, Final, TypeAlias

import msgspec

MAX_MEMORY: Final = 2 * 1024 * 1024 * 1024
"""Bytes of data that the process may allocate."""
MAX_PIXELS: Final = 50_000_000
_SAMPLES: Final = 5  # letters
_STYLE: Final = """
@page { @bottom-center { content: counter(page) " / " counter(pages); font: 8pt sans-serif; color: #666; } }
body { margin: 0 !important; max-width: none !important; padding: 0 !important; }
.receipt { display: none !important; }
.grounding ul { display: block !important; }
.grounding li { display: inline; }
.grounding li + li::before { content: " · "; }
"""
# The receipt stays closed in print. The totals are inline items: wrapped flex items overlap in right-to-left pages.
_BLOCKS: Final = frozenset({"td", "th", "p", "h1", "h2", "h3", "h4", "h5", "h6"})
_WITHIN_ITEMS: Final = frozenset({"ul", "ol", "pre", "blockquote", "table", "dl"})
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL"})


class AttachedFile(msgspec.Struct, array_like=True):
    """A file that a PDF carries along."""

    name: str
    content: bytes


class PrintRequest(msgspec.Struct, array_like=True):
    """A page to print. `picture`: the only address that may be loaded, and its content."""

    html: str
    right_to_left: bool
    picture: tuple[str, bytes] | None
    attached: AttachedFile | None = None


class PrintedPdf(msgspec.Struct, tag=True, array_like=True):
    """A printed PDF. `letters`: number of letters on the page. `without_font`: letters shown as boxes. `samples`: some
    of these.
    """

    pdf: bytes
    letters: int
    without_font: int
    samples: str


class PrintFailed(msgspec.Struct, tag=True, array_like=True):
    """The reason why there is no PDF. `missing`: whether a library is not installed."""

    text: str
    missing: bool = False


PrintResult: TypeAlias = PrintedPdf | PrintFailed


def main() -> None:
    _limit(int(sys.argv[1]))
    request = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=PrintRequest)
    try:
        weasyprint = import_module("weasyprint")  # an extra: absent where types are checked
    except (ImportError, OSError) as error:  # OSError: a system library is missing
        missing = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        answer: PrintResult = PrintFailed(f"WeasyPrint cannot be loaded ({missing})", missing=True)
    else:
        try:
            answer = _print(weasyprint, request)
        except MemoryError:
            answer = PrintFailed("the article takes more memory than a PDF may")
        except RecursionError:
            answer = PrintFailed("the article is nested too deeply")
        except Exception as error:  # the layout engine may raise anything: report it to the parent process
            answer = PrintFailed(f"the article cannot be laid out ({type(error).__name__})")
    sys.stdout.buffer.write(msgspec.msgpack.encode(answer))


def _limit(cpu_seconds: int) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY, MAX_MEMORY))


def _print(weasyprint: Any, request: PrintRequest) -> PrintedPdf:
    missing_glyphs = _MissingGlyphs()
    logger = logging.getLogger("weasyprint")
    logger.handlers, logger.propagate = [missing_glyphs], False
    page = weasyprint.HTML(
        string=request.html, url_fetcher=_fetcher(_decodable(request.picture)), base_url="about:blank"
    )
    if request.right_to_left:
        _set_left_to_right(page.etree_element)
    text = "".join(page.etree_element.find("body").itertext())
    attached = request.attached
    pdf = page.write_pdf(
        stylesheets=[weasyprint.CSS(string=_STYLE)],
        attachments=[] if attached is None else [weasyprint.Attachment(string=attached.content, name=attached.name)],
        pdf_tags=True,
        optimize_images=True,
        dpi=200,
    )
    return PrintedPdf(
        pdf,
        letters=sum(map(str.isalpha, text)),
        without_font=sum(map(text.count, missing_glyphs.letters)),
        samples="".join(sorted(missing_glyphs.letters)[:_SAMPLES]),
    )


Picture: TypeAlias = tuple[str, bytes]


def _decodable(picture: Picture | None) -> Picture | None:
    """The picture, or None (then its alternative text is shown) if it is damaged or a decompression bomb."""
    image: Any = import_module("PIL.Image")
    image.MAX_IMAGE_PIXELS = MAX_PIXELS // 2  # Pillow warns above this, and refuses twice as many
    try:
        if picture is not None:
            image.open(BytesIO(picture[1])).load()
    except Exception:  # Pillow's decoders raise anything for damaged data
        return None
    return picture


def _fetcher(picture: Picture | None) -> Any:
    """Return a URL fetcher that serves this picture and refuses all other addresses; WeasyPrint's own opens files
    too.
    """
    urls = import_module("weasyprint.urls")

    def fetch(_: Any, url: str, headers: object = None) -> Any:
        if picture is None or url != picture[0]:
            raise ValueError("nothing else is loaded")
        return urls.URLFetcherResponse(url, picture[1])

    return type("OnePicture", (urls.URLFetcher,), {"fetch": fetch})()


class _MissingGlyphs(logging.Handler):
    """Collects the letters for which WeasyPrint logs that no font has a glyph; symbols and emoji do not count."""

    _CODE: Final = re.compile(r"\(U\+([0-9A-F]{4,6})\)")

    def __init__(self) -> None:
        super().__init__()
        self.letters: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        found = self._CODE.search(message) if message.startswith(".notdef") else None
        if found and (letter := chr(int(found[1], 16))).isalpha():
            self.letters.add(letter)


def _set_left_to_right(root: Any) -> None:
    """Sets `dir="ltr"` on blocks of a right-to-left page whose text is left-to-right throughout: `12 kWh`, a name, a
    quotation. Browsers do that for `dir="auto"`, WeasyPrint does not."""
    for element in list(root.iter()):
        if element.tag == "li" and not any(child.tag in _BLOCKS | _WITHIN_ITEMS for child in element):
            element = _wrap_item(element)  # the item's number stays on the right
        elif element.tag not in _BLOCKS:
            continue
        directions = {unicodedata.bidirectional(character) for character in "".join(element.itertext())}
        if "L" in directions and not directions & _RIGHT_TO_LEFT:
            element.set("dir", "ltr")
            if element.tag != "span" and not element.get("align"):
                element.set("style", "text-align: right")


def _wrap_item(item: Any) -> Any:
    """Wraps the content of a list item in one element."""
    inner = item.makeelement("span", {})
    inner.text, inner[:] = item.text, list(item)
    item.text, item[:] = None, [inner]
    return inner


if __name__ == "__main__":
    main()
