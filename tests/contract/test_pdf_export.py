"""An article as PDF. The process that makes it is real."""

from __future__ import annotations

import asyncio
import hashlib
import io
from ctypes.util import find_library
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
import msgspec
import pytest
from attrs import evolve
from pypdf import PdfReader

from contentgen_adapters.exporting import pdf
from contentgen_adapters.exporting.exporter import MAX_CONCURRENT, MAX_WAITING, FileExporter
from contentgen_adapters.exporting.pdf import PdfNotInstalled, PdfPrinter
from contentgen_adapters.exporting.pdf_process import PrintedPdf, PrintFailed, PrintResult, _set_left_to_right
from contentgen_adapters.rendering.evidence_page import MOST_SENTENCES
from contentgen_adapters.rendering.renderer import MarkdownRenderer
from contentgen_adapters.shared.http import make_client
from contentgen_core.errors import ProviderFailed, Unavailable
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.testing import builders
from contentgen_http.api.evidence_file import evidence_file
from tests.support.house import open_house
from tests.support.pictures import PNG

# What sets the pages is no Python package: where the machine has none, the failure must be the one that names it.
PANGO = find_library("pango-1.0") is not None
needs_pango = pytest.mark.xfail(not PANGO, reason="without Pango", raises=PdfNotInstalled, strict=True)

RENDERER = MarkdownRenderer()
ARTICLE = builders.full_article(
    title="Heat pumps", content="# Heat\n\nIt moves 3 kWh. [1]\n\n```\ncode()\n```\n", brief=builders.brief()
)


def images_of(content: bytes) -> int:
    return sum(len(page.images) for page in PdfReader(io.BytesIO(content)).pages)


def text_of(content: bytes) -> str:
    return " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages).split())


def exporter(*answers: httpx.Response | Exception) -> tuple[FileExporter, list[httpx.Request]]:
    asked: list[httpx.Request] = []
    left = list(answers)

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        given = left.pop(0)
        if isinstance(given, Exception):
            raise given
        return given

    return FileExporter(RENDERER, make_client(transport=httpx.MockTransport(answer))), asked


@needs_pango
async def test_a_pdf_has_the_text_its_sources_and_its_picture_and_leads_from_one_to_the_other() -> None:
    files, asked = exporter(httpx.Response(200, content=PNG))
    made = await files.pdf(ARTICLE)
    assert made.startswith(b"%PDF-")
    reader, text = PdfReader(io.BytesIO(made)), text_of(made)
    assert all(part in text for part in ("Heat pumps", "It moves 3 kWh.", "code()", "Sources", "1 / 1", "Ada Ohm"))
    assert images_of(made) == 1
    assert reader.metadata is not None
    assert reader.metadata.title == "Heat pumps"
    assert str(reader.trailer["/Root"]["/Lang"]) == "en"
    assert "/MarkInfo" in reader.trailer["/Root"]  # tagged, for those who listen to it
    assert "source-1" in reader.named_destinations
    assert [str(request.url) for request in asked] == [ARTICLE.featured_image]


@needs_pango
@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(404),
        httpx.Response(302, headers={"Location": "http://169.254.169.254/"}),
        httpx.Response(200, content=b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        httpx.ConnectError("refused"),
    ],
)
async def test_a_picture_that_cannot_be_loaded_is_left_out_with_its_credit(answer: httpx.Response | Exception) -> None:
    files, _ = exporter(answer)
    made = await files.pdf(ARTICLE)
    assert images_of(made) == 0
    assert "Ada Ohm" not in text_of(made)


@needs_pango
async def test_a_broken_picture_is_its_alternative_text() -> None:
    files, _ = exporter(httpx.Response(200, content=b"\xff\xd8\xff broken"))
    made = await files.pdf(ARTICLE)
    assert images_of(made) == 0
    assert "A heat pump in the snow" in text_of(made)


@needs_pango
async def test_nothing_else_is_loaded(tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(PNG)
    page = f"<p>Text</p><img src='file://{secret}'><link rel=stylesheet href='file://{secret}'><img src='data:,x'>"
    assert images_of(await PdfPrinter().print(page, right_to_left=False)) == 0


async def test_without_the_extra_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "weasyprint.py").write_text("raise ImportError('No module named weasyprint')")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(PdfNotInstalled, match=r"contentgen-grounded\[pdf\]"):
        await FileExporter(RENDERER).pdf(ARTICLE)


async def test_without_the_library_of_the_system_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "weasyprint.py").write_text("raise OSError('cannot load library libpango-1.0-0')")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(PdfNotInstalled, match=r"libpango"):
        await FileExporter(RENDERER).pdf(ARTICLE)


async def test_what_takes_too_long_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "weasyprint.py").write_text("import time\ntime.sleep(60)")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ProviderFailed, match=r"longer than 1 s") as raised:
        await PdfPrinter(seconds=1.0).print("<p>x</p>", right_to_left=False)
    assert not raised.value.retryable


async def test_a_process_that_breaks_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "weasyprint.py").write_text("import os\nos._exit(9)")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ProviderFailed, match="without a PDF"):
        await PdfPrinter().print("<p>x</p>", right_to_left=False)


class Saying(PdfPrinter):
    def __init__(self, answer: PrintResult) -> None:
        super().__init__()
        self._said = msgspec.msgpack.encode(answer)

    async def _run(self, request: bytes) -> bytes:
        return self._said


async def test_a_page_of_boxes_is_no_pdf_and_a_foreign_word_does_not_matter() -> None:
    with pytest.raises(PdfNotInstalled, match=r"no font for letters of the article, such as あ"):
        await Saying(PrintedPdf(b"%PDF", 100, 90, "あ")).print("", right_to_left=False)
    assert await Saying(PrintedPdf(b"%PDF", 1000, 5, "あ")).print("", right_to_left=False) == b"%PDF"
    with pytest.raises(ProviderFailed, match="odd"):
        await Saying(PrintFailed("odd")).print("", right_to_left=False)


async def test_what_has_no_font_is_counted() -> None:
    unassigned = "\U0003134a"  # the last letter of a block that hardly any font has
    with pytest.raises(PdfNotInstalled, match=unassigned if PANGO else "ango"):
        await PdfPrinter().print(f"<html><body><p>{unassigned * 50} ab</p></body></html>", right_to_left=False)


async def test_only_so_many_wait() -> None:
    released = asyncio.Event()

    class Slow(PdfPrinter):
        async def print(self, *_: Any) -> bytes:
            await released.wait()
            return b"%PDF"

    files = FileExporter(RENDERER, printer=Slow())
    waiting = [asyncio.create_task(files.pdf(ARTICLE)) for _ in range(MAX_CONCURRENT + MAX_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(Unavailable):
        await files.pdf(ARTICLE)
    released.set()
    assert set(await asyncio.gather(*waiting)) == {b"%PDF"}
    assert await files.pdf(ARTICLE) == b"%PDF"


def test_left_to_right_text_within_a_right_to_left_page_keeps_its_order() -> None:
    page = "<b><table><td>12 kWh</td><td>12 مضخة</td></table><li>A title<br/><i>b</i></li><li>مضخة b</li><p>12</p></b>"
    root = ElementTree.fromstring(page)
    _set_left_to_right(root)
    assert [cell.get("dir") for cell in root.iter("td")] == ["ltr", None]
    assert [item.get("dir") for item in root.iter("li")] == [None, None]
    assert [inner.get("dir") for inner in root.iter("span")] == ["ltr", None]
    assert [p.get("dir") for p in root.iter("p")] == [None]
    assert "".join(root.itertext()) == "".join(ElementTree.fromstring(page).itertext())


def test_a_cell_of_an_aligned_column_keeps_its_side_in_a_right_to_left_page() -> None:
    root = ElementTree.fromstring("<table><td>12 kWh</td><td align='left'>13 kWh</td></table>")
    _set_left_to_right(root)
    assert [(cell.get("dir"), cell.get("style")) for cell in root] == [("ltr", "text-align: right"), ("ltr", None)]


@needs_pango
async def test_columns_are_aligned() -> None:
    async def left_edge(column: str) -> float:
        content = f"| Price |\n|{column}|\n| 9,000 |\n"
        made = await exporter()[0].pdf(evolve(ARTICLE, content=content, featured_image=None))
        found: list[float] = []

        def seen(text: str, _: list[float], matrix: list[float], *font: object) -> None:
            if "9,000" in text:
                found.append(matrix[4])

        PdfReader(io.BytesIO(made)).pages[0].extract_text(visitor_text=seen)
        return found[0]

    assert await left_edge("--") == await left_edge(":-") < await left_edge(":-:") < await left_edge("-:")


def test_the_process_gets_none_of_our_keys() -> None:
    assert not [name for name in pdf._INHERITED if "CONTENTGEN" in name or "KEY" in name or "AWS" in name]


async def evidence_of(*, title: str = "Heat pumps", sentence: str = "It moves 3 kWh.") -> tuple[dict[str, Any], bytes]:
    """Of an article with this title and this one sentence."""
    async with open_house() as house:
        article = builders.full_article(
            tenant_id=house.caller.tenant_id, title=title, content=f"{sentence} [1]\n", translation_of=None
        )
        async with house.services.ports.unit_of_work() as tx:
            await tx[Articles].add(article)
        return await evidence_file(house.services, house.caller, article.id)


@needs_pango
async def test_evidence_is_set_in_pages_with_the_signed_file_attached() -> None:
    document, file = await evidence_of(title="Pompes à chaleur <b>")
    made = await FileExporter(RENDERER).evidence_pdf(document, file)
    assert PdfReader(io.BytesIO(made)).attachments == {"evidence.json": [file]}
    text = text_of(made)
    assert "Evidence: Pompes à chaleur <b>" in text
    for shown in (
        document["text"]["textHash"],
        hashlib.sha256(file).hexdigest(),
        "It moves 3 kWh.",
        "changes requested",
    ):
        assert shown in text


@needs_pango
@pytest.mark.parametrize("script", ["Αντλίες θερμότητας", "Тепловые насосы", "مضخات الحرارة"])
async def test_evidence_is_set_in_other_scripts(script: str) -> None:
    document, file = await evidence_of(title=script, sentence=f"{script}.")
    assert PdfReader(io.BytesIO(await FileExporter(RENDERER).evidence_pdf(document, file))).pages


async def test_the_page_of_evidence_runs_nothing_and_is_bounded() -> None:
    document, _ = await evidence_of(title="<script>alert(1)</script>", sentence="<img src=x onerror=alert(1)> is heat.")
    document["sentences"] *= MOST_SENTENCES + 3
    page = RENDERER.evidence_html(document, "0" * 64)
    assert "<script" not in page
    assert "<img" not in page
    left = len(document["sentences"]) - MOST_SENTENCES
    assert f"Further {left} sentences" in page
    assert page.count("not checked") + page.count(">supported") <= MOST_SENTENCES
