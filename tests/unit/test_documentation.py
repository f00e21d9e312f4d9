"""What the documentation shows is run; what it points to exists."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from contentgen_http.app import create_app, operations
from contentgen_http.bootstrap import in_memory
from contentgen_http.reference import commands, options
from contentgen_http.settings import table

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])
WRITTEN = [page for page in PAGES if page.parent.name != "reference"]

named = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
by_hand = pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))


@cache
def text(page: Path) -> str:
    return page.read_text("utf-8")


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text(page), re.S | re.M)


def anchors(page: Path) -> set[str]:
    """Of its headings, as GitHub makes them."""
    headings = re.findall(r"^#+ +(.+)$", re.sub(r"^```.*?^```", "", text(page), flags=re.S | re.M), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def run(*arguments: str, cwd: Path | None = None) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=cwd, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_embedding_example_runs_and_is_short() -> None:
    [code] = blocks(ROOT / "docs/howto/embed.md", "python")
    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    shown = run("-c", code)
    assert "80 °C" in shown
    assert "citation_recall" in shown


def test_the_adapter_example_passes_its_suite_and_writes_an_article(tmp_path: Path) -> None:
    for code in blocks(ROOT / "docs/howto/write-an-adapter.md", "python"):
        (tmp_path / code.partition("\n")[0].removeprefix("# ")).write_text(code, encoding="utf-8")
    suite = run("-m", "pytest", "-o", "asyncio_mode=auto", "-p", "no:cacheprovider", "test_trigrams.py", cwd=tmp_path)
    assert re.search(r"\b\d+ passed", suite)
    assert "80 °C" in run("use_it.py", cwd=tmp_path)


def test_every_decision_is_listed_and_every_listed_one_exists() -> None:
    folder = ROOT / "docs/decisions"
    listed = set(re.findall(r"\]\((\d{4}-[a-z-]+\.md)\)", (folder / "README.md").read_text("utf-8")))
    assert listed == {file.name for file in folder.glob("0*.md")}


@named
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", text(page)):
        if not re.match(r"https?://", target):
            path, _, anchor = target.partition("#")
            linked = (page.parent / path).resolve() if path else page
            assert linked.exists(), target
            assert not anchor or anchor in anchors(linked), target


def test_every_page_can_be_reached_from_the_readme() -> None:
    seen, ahead = set[Path](), [ROOT / "README.md"]
    while ahead:
        page = ahead.pop()
        if page not in seen:
            seen.add(page)
            links = re.findall(r"\]\(([^)\s#]+\.md)", text(page))
            ahead += [(page.parent / link).resolve() for link in links if not link.startswith("http")]
    assert set(PAGES) <= seen


@by_hand
def test_commands_and_options_that_are_shown_exist(page: Path) -> None:
    known = dict(commands())
    shown = re.findall(r"^(?:\$ )?(?:\S+/)?contentgen (.+)", "\n".join(blocks(page, "(?:sh|console)")), re.M)
    shown += re.findall(r"`contentgen ([a-z][^`]*)`", text(page))
    for line in shown:
        words = shlex.split(line.split("  #")[0].replace("…", ""), comments=True)
        name = next((name for name in (" ".join(words[:2]), words[0]) if name in known), None)
        assert name is not None, f"contentgen {line}"
        used = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        assert used <= options(known[name]), f"contentgen {line}"


@by_hand
def test_variables_that_are_named_are_settings(page: Path) -> None:
    variables = {variable for variable, _, _ in table()}
    assert set(re.findall(r"\bCONTENTGEN_[A-Z][A-Z_]*[A-Z]\b", text(page))) <= variables


@by_hand
async def test_operations_that_are_named_exist(page: Path) -> None:
    async with in_memory() as services:
        there = {(method, re.sub(r"\{.*?\}", "{}", path)) for method, path, _ in operations([create_app(services)])}
    for method, path in re.findall(r"\b(GET|POST|PATCH|DELETE) (/[\w/{}.-]*[\w}])", text(page)):
        assert (method, re.sub(r"\{.*?\}", "{}", path)) in there, f"{method} {path}"


@by_hand
def test_source_files_that_are_named_exist(page: Path) -> None:
    for path in re.findall(r"`((?:src|tests|docs)/[\w/.-]+)`", text(page)):
        assert (ROOT / path).exists(), path
