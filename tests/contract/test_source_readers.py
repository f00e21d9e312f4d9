"""Folders and pages as sources: what is listed, what is read, and what nobody can reach through them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from fpdf import FPDF
from PIL import Image

from contentgen_adapters.documents.uploads import ThreadUploadReader
from contentgen_adapters.sources import folder as folder_module
from contentgen_adapters.sources.catalog import SourceReaders, source_readers
from contentgen_core.model.document import MAX_BYTES
from contentgen_core.model.ids import SyncedSourceId, TenantId
from contentgen_core.model.synced_source import LeftOut, ListedItem, SkipReason, SourceKind, SyncedSource
from contentgen_core.page_errors import PageFault, PageUnreadable
from contentgen_core.ports.page_reader import PageUnchanged, WebPage
from contentgen_core.ports.source_reading import ItemGone, ItemSkipped, ItemText, ItemUnchanged, SourceUnavailable
from contentgen_core.testing.runtime import MOMENT


class Pages:
    """Pages by address; a fault in the place of one that cannot be read."""

    def __init__(self) -> None:
        self.pages: dict[str, WebPage | PageFault] = {}

    def fault_of(self, url: str) -> str | None:
        return None if url.startswith("https://") else "is no web address"

    async def moved_to(self, url: str) -> str | None:
        page = self.pages.get(url)
        return page.url if isinstance(page, WebPage) and page.url != url else None

    async def read(self, url: str, tenant_id: TenantId | None = None, known: str | None = None) -> WebPage:
        page = self.pages[url]
        if isinstance(page, WebPage) and known is not None and page.version == known:
            raise PageUnchanged
        if isinstance(page, PageFault):
            raise PageUnreadable(url, page, "no")
        return page


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    allowed = tmp_path / "allowed"
    (allowed / "b" / "deep").mkdir(parents=True)
    (allowed / "a.md").write_text("# Fans\n\nThe fan makes most of the noise.\n")
    (allowed / "b" / "c.txt").write_text("Rubber feet lower the vibration.")
    (allowed / "b" / "deep" / "d.html").write_text("<h1>Hedges</h1><p>A hedge takes little of the noise.</p>")
    (allowed / ".hidden.md").write_text("secret")
    (tmp_path / "outside.md").write_text("# Outside\n\nNobody may read this.")
    (allowed / "link.md").symlink_to(tmp_path / "outside.md")
    (allowed / "up").symlink_to(tmp_path)
    return iter([allowed])


@pytest.fixture
def root(folder: Iterator[Path]) -> Path:
    return next(folder)


def readers(root: Path, pages: Pages | None = None) -> SourceReaders:
    return source_readers([root], ThreadUploadReader(), pages or Pages())


def source(place: str, kind: SourceKind = SourceKind.FOLDER) -> SyncedSource:
    id, tenant = SyncedSourceId("s"), TenantId("t")
    return SyncedSource(id, tenant, "home-energy", kind, "Handbook", place, created_at=MOMENT, updated_at=MOMENT)


async def keys(
    reader: SourceReaders, of: SyncedSource, secrets: Mapping[str, str] | None = None
) -> dict[str, str | None]:
    async with reader.open(of, secrets or {}) as opened:
        items = [item async for batch in opened.items() for item in batch]
    return {item.key: item.fingerprint for item in items if isinstance(item, ListedItem)}


async def left_out(reader: SourceReaders, of: SyncedSource) -> list[tuple[str, int]]:
    async with reader.open(of, {}) as opened:
        items = [item async for batch in opened.items() for item in batch]
    return [(item.example, item.count) for item in items if isinstance(item, LeftOut)]


async def read(
    reader: SourceReaders,
    of: SyncedSource,
    key: str,
    known: str | None = None,
    *,
    secrets: Mapping[str, str] | None = None,
) -> ItemText:
    async with reader.open(of, secrets or {}) as opened:
        return await opened.read(key, known)


async def test_a_folder_lists_its_files_with_fingerprints_that_change_with_them(root: Path) -> None:
    reader, of = readers(root), source(str(root))
    before = await keys(reader, of)
    assert list(before) == ["a.md", "b/c.txt", "b/deep/d.html"]
    assert await left_out(reader, of) == [(".hidden.md", 1), ("link.md", 1), ("up", 1)]
    assert await keys(reader, of) == before
    (root / "a.md").write_text("# Fans\n\nThe fan makes all of the noise.\n")
    os.utime(root / "b" / "c.txt", ns=(0, 2**62))  # a clock that lies
    after = await keys(reader, of)
    assert {key for key in before if before[key] != after[key]} == {"a.md", "b/c.txt"}


async def test_files_are_read_by_their_content_with_their_titles(root: Path) -> None:
    reader, of = readers(root), source(str(root))
    found = await read(reader, of, "b/deep/d.html")
    text = found.text
    assert found.size == len((root / "b" / "deep" / "d.html").read_bytes())
    assert (text.source_key, text.title) == ("b/deep/d.html", "Hedges")
    assert "little of the noise" in text.text
    (root / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\x00" * 50)
    (root / "empty.md").write_text(" \n")
    (root / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing of one")
    (root / "large.txt").touch()
    os.truncate(root / "large.txt", MAX_BYTES + 1)
    for key, reason in (
        ("picture.png", SkipReason.UNSUPPORTED),
        ("empty.md", SkipReason.EMPTY),
        ("broken.pdf", SkipReason.UNREADABLE),
        ("large.txt", SkipReason.TOO_LARGE),
    ):
        with pytest.raises(ItemSkipped) as skipped:
            await read(reader, of, key)
        assert skipped.value.reason is reason, key
    with pytest.raises(ItemGone):
        await read(reader, of, "nothing.md")


def scanned(pages: int, with_text: int) -> bytes:
    """A PDF of pictures of pages, each with its number, and of pages with text."""
    made = FPDF()
    for number in range(pages):
        made.add_page()
        made.set_font("helvetica", size=12)
        if number < with_text:
            text = "Rubber feet lower the vibration of a fan, " + "and its noise, " * number + "to half."
            made.multi_cell(0, None, text)
        else:
            made.image(Image.new("L", (9, 9), number), x=20, y=20, w=100)
            made.cell(text=f"Page {number}")
    return bytes(made.output())


@pytest.mark.parametrize(("with_text", "is_scan"), [(0, True), (1, True), (2, False), (6, False)])
async def test_a_pdf_of_pictures_of_pages_is_a_scan(root: Path, with_text: int, is_scan: bool) -> None:
    (root / "scan.pdf").write_bytes(scanned(6, with_text))
    if is_scan:
        with pytest.raises(ItemSkipped) as skipped:
            await read(readers(root), source(str(root)), "scan.pdf")
        assert skipped.value.reason is SkipReason.SCAN
    else:
        assert "Rubber feet" in (await read(readers(root), source(str(root)), "scan.pdf")).text.text


@pytest.mark.parametrize("key", ["link.md", "up/outside.md", "../outside.md", "b", "/etc/passwd"])
async def test_nothing_outside_is_read_through_a_folder(root: Path, key: str) -> None:
    with pytest.raises(ItemSkipped):
        await read(readers(root), source(str(root)), key)


@pytest.mark.parametrize("swapped", ["allowed/b", "allowed/b/deep", "allowed/b/deep/d.html", "allowed"])
@pytest.mark.parametrize("do", ["list", "read"])
async def test_a_path_that_is_swapped_for_a_link_before_it_is_opened_is_not_followed(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, swapped: str, do: str
) -> None:
    """Whoever may write there swaps it at the last moment: just before each opening, one after the other."""
    secret = "Nobody may read this secret, whatever it is called."
    outside = tmp_path / "outside"
    (outside / "b" / "deep").mkdir(parents=True)
    for folder in (outside, outside / "b", outside / "b" / "deep"):
        (folder / "d.html").write_text(f"<h1>Secret</h1><p>{secret}</p>")
        (folder / "secret.md").write_text(f"# Secret\n\n{secret}")
    (outside / "deep").symlink_to(outside / "b" / "deep")
    reader, of = source_readers([tmp_path], ThreadUploadReader(), Pages()), source(str(root))
    path, opening, calls = tmp_path / swapped, os.open, [0, 0]

    def swapping(name: object, *args: object, **more: object) -> int:
        calls[0] += 1
        if calls[0] == calls[1]:
            path.rename(tmp_path / "aside")
            path.symlink_to(outside / "d.html" if path.suffix else outside)
        return opening(name, *args, **more)  # type: ignore[call-overload, no-any-return]

    for moment in range(1, 12):
        calls[:] = 0, moment
        monkeypatch.setattr(folder_module.os, "open", swapping)
        try:
            if do == "list":
                assert not any("secret" in key for key in await keys(reader, of))
            else:
                assert secret not in (await read(reader, of, "b/deep/d.html")).text.text
        except (ItemSkipped, ItemGone, SourceUnavailable):
            pass
        finally:
            monkeypatch.setattr(folder_module.os, "open", opening)
            if path.is_symlink():
                path.unlink()
                (tmp_path / "aside").rename(path)
    assert 2 < calls[0] < 11, "every opening had its swap"


async def test_reading_and_listing_leave_no_file_open(root: Path, tmp_path: Path) -> None:
    reader, of = readers(root), source(str(root))
    before = len(os.listdir("/proc/self/fd"))
    for key in ("b/deep/d.html", "b", "link.md", "up/outside.md", "nothing.md", "b/nothing.md", "../x", "a.md/x"):
        with suppress(ItemSkipped, ItemGone):
            await read(reader, of, key)
        await keys(reader, of)
        async with reader.open(of, {}) as opened:
            listing = opened.items()
            await anext(listing)
            await listing.aclose()  # type: ignore[attr-defined]
    with pytest.raises(SourceUnavailable):
        await keys(reader, source(str(root / "up")))
    assert len(os.listdir("/proc/self/fd")) == before


async def test_only_what_the_operator_allows_is_followed(root: Path, tmp_path: Path) -> None:
    reader = readers(root)
    assert reader.fault_of(source(str(root))) is None
    assert reader.fault_of(source(str(root / "b"))) is None
    for place in (str(tmp_path), "/etc", "allowed", f"{root}/../..", f"{root}/b/../..", f"{root}\0", str(root) + "-b"):
        assert reader.fault_of(source(place)) is not None, place
    for place in (str(root / "up"), str(root / "nothing"), str(root / "a.md")):
        with pytest.raises(SourceUnavailable):
            await keys(reader, source(place))
    assert source_readers([], ThreadUploadReader(), Pages()).fault_of(source(str(root))) is not None


async def test_pages_are_listed_once_and_read_with_what_they_state() -> None:
    pages = Pages()
    place = " https://a.example/1\n\nhttps://a.example/2 \nhttps://a.example/1"
    reader, of = readers(Path("/nowhere"), pages), source(place, SourceKind.PAGES)
    pages.pages["https://a.example/1"] = WebPage(
        "https://a.example/one", "Fans", "The fan.", MOMENT, author="Ada Ohm", version="v1", size=9
    )
    assert reader.fault_of(of) is None
    assert await keys(reader, of) == {"https://a.example/1": None, "https://a.example/2": None}
    found = await read(reader, of, "https://a.example/1", "v0")
    text = found.text
    assert (found.version, found.size) == ("v1", 9)
    with pytest.raises(ItemUnchanged):
        await read(reader, of, "https://a.example/1", "v1")
    assert (text.source_key, text.url, text.title, text.author) == (
        "https://a.example/1",
        "https://a.example/one",
        "Fans",
        "Ada Ohm",
    )
    for fault, reason in ((PageFault.ROBOTS, SkipReason.REFUSED), (PageFault.FAILED, SkipReason.UNREADABLE)):
        pages.pages["https://a.example/2"] = fault
        with pytest.raises(ItemSkipped) as skipped:
            await read(reader, of, "https://a.example/2")
        assert skipped.value.reason is reason
    pages.pages["https://a.example/2"] = PageFault.GONE
    with pytest.raises(ItemGone):
        await read(reader, of, "https://a.example/2")


@pytest.mark.parametrize(
    "place",
    [
        "ftp://a.example",
        "\n",
        f"https://a.example/{'x' * 600}",
        "\n".join(f"https://a.example/{n}" for n in range(201)),
    ],
)
def test_addresses_that_can_never_be_read_are_told(place: str) -> None:
    assert readers(Path("/nowhere")).fault_of(source(place, SourceKind.PAGES)) is not None
