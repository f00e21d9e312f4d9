"""The documentation builds as a site without a warning, and the site is whole without a network."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from lxml import html

from tests.support.shown import PAGES, ROOT, blocks

LOADED = "//script/@src | //link[@href != '']/@href | //img/@src | //iframe/@src | //source/@src | //object/@data"


def build(pages: Path, site: Path) -> subprocess.CompletedProcess[str]:
    options = ["--quiet", "--fail-on-warning", "--keep-going", "--nitpicky", "-c", str(ROOT / "docs")]
    return subprocess.run(
        [sys.executable, "-m", "sphinx", *options, str(pages), str(site)],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    built = build(ROOT, folder)
    assert built.returncode == 0, built.stderr
    return folder


def test_every_page_is_there_and_a_folder_address_shows_the_readme(site: Path) -> None:
    built = {page.relative_to(site).with_suffix(".md") for page in site.rglob("*.html")}
    assert {page.relative_to(ROOT) for page in PAGES} <= built
    assert (site / "index.html").read_bytes() == (site / "README.html").read_bytes()


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        for address in html.parse(page).xpath(LOADED):
            local = page.parent / re.sub(r"[?#].*", "", address)
            assert local.is_file(), f"{page.relative_to(site)} loads {address}"
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", sheet.read_text("utf-8")), sheet


def test_every_diagram_is_drawn_from_a_file_of_the_site(site: Path) -> None:
    shown = sum(len(html.parse(page).xpath("//pre[@class='mermaid']")) for page in (site / "docs").rglob("*.html"))
    assert shown == sum(block.language == "mermaid" for page in PAGES for block in blocks(page)) > 0
    assert (site / "_static/mermaid/mermaid.min.js").stat().st_size > 1_000_000


def test_the_search_knows_every_page(site: Path) -> None:
    index = (site / "searchindex.js").read_text("utf-8")
    assert all(f'"{page.relative_to(ROOT).with_suffix(".html")}"' in index for page in PAGES)


def test_a_link_or_a_heading_that_does_not_exist_ends_the_build(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# A\n\n[b](nowhere.md) [c](#nothing)\n")
    built = build(tmp_path, tmp_path / "site")
    assert built.returncode != 0
    assert "nowhere.md" in built.stderr
    assert "nothing" in built.stderr
