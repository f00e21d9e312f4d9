"""The process that makes one PDF: an Order on its standard input, an Answer on its standard output."""

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
"""Bytes of data that the process may have."""
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
# The receipt is closed on paper too. A list in a row: wrapped flex items overlap in right-to-left pages.
_BLOCKS: Final = frozenset({"td", "th", "p", "h1", "h2", "h3", "h4", "h5", "h6"})
_WITHIN_ITEMS: Final = frozenset({"ul", "ol", "pre", "blockquote", "table", "dl"})
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL"})


class Order(msgspec.Struct, array_like=True):
    """`picture`: the one address that may be loaded, and what is there."""

    html: str
    right_to_left: bool
    picture: tuple[str, bytes] | None


class Printed(msgspec.Struct, tag=True, array_like=True):
    """`letters`: of the page. `without_font`: how many of them are shown as boxes; `samples`: some of those."""

    pdf: bytes
    letters: int
    without_font: int
    samples: str


class Trouble(msgspec.Struct, tag=True, array_like=True):
    """`missing`: something is not installed."""

    text: str
    missing: bool = False


Answer: TypeAlias = Printed | Trouble


def main() -> None:
    _limit(int(sys.argv[1]))
    order = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Order)
    try:
        weasyprint = import_module("weasyprint")  # an extra: absent where types are checked
    except (ImportError, OSError) as error:  # OSError: a library of the system
        missing = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        answer: Answer = Trouble(f"WeasyPrint cannot be loaded ({missing})", missing=True)
    else:
        try:
            answer = _printed(weasyprint, order)
        except MemoryError:
            answer = Trouble("the article takes more memory than a PDF may")
        except RecursionError:
            answer = Trouble("the article is nested too deeply")
        except Exception as error:  # of the layout engine: whatever it stumbles over is told, not lost with us
            answer = Trouble(f"the article cannot be laid out ({type(error).__name__})")
    sys.stdout.buffer.write(msgspec.msgpack.encode(answer))


def _limit(cpu_seconds: int) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY, MAX_MEMORY))


def _printed(weasyprint: Any, order: Order) -> Printed:
    unknown = _Unknown()
    logger = logging.getLogger("weasyprint")
    logger.handlers, logger.propagate = [unknown], False
    page = weasyprint.HTML(string=order.html, url_fetcher=_fetcher(_sound(order.picture)), base_url="about:blank")
    if order.right_to_left:
        _turn_around(page.etree_element)
    text = "".join(page.etree_element.find("body").itertext())
    pdf = page.write_pdf(stylesheets=[weasyprint.CSS(string=_STYLE)], pdf_tags=True, optimize_images=True, dpi=200)
    return Printed(
        pdf,
        letters=sum(map(str.isalpha, text)),
        without_font=sum(map(text.count, unknown.letters)),
        samples="".join(sorted(unknown.letters)[:_SAMPLES]),
    )


Picture: TypeAlias = tuple[str, bytes]


def _sound(picture: Picture | None) -> Picture | None:
    """One that can be read to its end and is no bomb; else none, and its alternative text is shown."""
    image: Any = import_module("PIL.Image")
    image.MAX_IMAGE_PIXELS = MAX_PIXELS // 2  # it warns of more, and refuses twice as many
    try:
        if picture is not None:
            image.open(BytesIO(picture[1])).load()
    except Exception:  # of any of its many readers
        return None
    return picture


def _fetcher(picture: Picture | None) -> Any:
    """Gives the one picture and refuses all else: WeasyPrint's own would open files and addresses."""
    urls = import_module("weasyprint.urls")

    def fetch(_: Any, url: str, headers: object = None) -> Any:
        if picture is None or url != picture[0]:
            raise ValueError("nothing else is loaded")
        return urls.URLFetcherResponse(url, picture[1])

    return type("OnePicture", (urls.URLFetcher,), {"fetch": fetch})()


class _Unknown(logging.Handler):
    """Collects the letters that WeasyPrint tells to have no font for; signs and pictographs are no loss of text."""

    _CODE: Final = re.compile(r"\(U\+([0-9A-F]{4,6})\)")

    def __init__(self) -> None:
        super().__init__()
        self.letters: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        found = self._CODE.search(message) if message.startswith(".notdef") else None
        if found and (letter := chr(int(found[1], 16))).isalpha():
            self.letters.add(letter)


def _turn_around(root: Any) -> None:
    """What is wholly in a left-to-right script within a right-to-left page keeps its own order: `12 kWh`, a name, a
    sentence quoted. Browsers work that out (`dir="auto"`), the layout engine does not."""
    for element in list(root.iter()):
        if element.tag == "li" and not any(child.tag in _BLOCKS | _WITHIN_ITEMS for child in element):
            element = _inner(element)  # the item itself keeps its number on the right
        elif element.tag not in _BLOCKS:
            continue
        directions = {unicodedata.bidirectional(character) for character in "".join(element.itertext())}
        if "L" in directions and not directions & _RIGHT_TO_LEFT:
            element.set("dir", "ltr")
            if element.tag != "span":
                element.set("style", "text-align: right")


def _inner(item: Any) -> Any:
    """What is in a list's item, as one element in it."""
    inner = item.makeelement("span", {})
    inner.text, inner[:] = item.text, list(item)
    item.text, item[:] = None, [inner]
    return inner


if __name__ == "__main__":
    main()
