"""What pages, messages and files tell people to install is ours by its path, or a dependency that is locked."""

from __future__ import annotations

import ast
import json
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PathDistribution, packages_distributions
from pathlib import Path
from typing import Final

import pytest
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from contentgen_adapters.embeddings.semantic.weights import PACKAGE
from contentgen_grounded import extras
from contentgen_grounded.extras import DISTRIBUTION, install_command
from contentgen_grounded.version import VERSION
from tests.support.shown import PAGES, ROOT, blocks

INSTALL: Final = re.compile(
    r"\b(?:pip install|uv pip install|uv add|uvx|pipx (?:install|run)|npm (?:install|i)|npx)((?: [^`\n#;&|)]+)?)"
)
FILES: Final = [*PAGES, ROOT / "Makefile", ROOT / ".ci/run", ROOT / "deploy/Dockerfile"]
PATH: Final = re.compile(r"\.?$|\.?/|[\w.]+/")
"""Of a checkout, a wheel or a client."""
NAMED_BY_CODE: Final = re.compile(r"[{<]|…")
OF_THE_READER: Final = {"my_package"}
TOOLS: Final = {"uv"}
"""What the Makefile and the image install to build with."""


@cache
def locked() -> set[str]:
    """Names of Python packages in our lock files, without our own, which no index has."""
    locks = (ROOT / "uv.lock", ROOT / "clients/uv.lock")
    found = {package["name"] for lock in locks for package in tomllib.loads(lock.read_text())["package"]}
    return found - {DISTRIBUTION, "contentgen-clients"} | TOOLS


@cache
def locked_for_node() -> set[str]:
    lock = json.loads((ROOT / "clients/typescript/package-lock.json").read_text())
    return {place.rpartition("node_modules/")[2] for place in lock["packages"] if place}


def installed(text: str) -> Iterator[tuple[str, str]]:
    """(the command, what it installs) of each argument that is no option."""
    for found in INSTALL.finditer(text):
        command = found[0]
        rest = found[1].split(", ")[0].strip().rstrip(".:,").replace("'", "").replace('"', "")
        for argument in shlex.split(re.sub(r"\[[^\]]*\]", "", rest)):
            if not argument.startswith("-"):
                yield command, argument
    for table in re.finditer(r"^\| `pip install`.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.M):
        for row in table[1].splitlines():
            yield row, re.sub(r"\[.*", "", row.split("`")[1].strip("'"))


def strangers(text: str) -> list[str]:
    """The commands that install something by a name that is neither ours nor locked."""
    return [command for command, argument in installed(text) if not _is_known(command, argument)]


def _is_known(command: str, argument: str) -> bool:
    if PATH.match(argument) or NAMED_BY_CODE.match(argument):
        return True
    if "npm" in command or "npx" in command:
        return re.sub(r"(?<=.)@.*", "", argument) in locked_for_node()
    try:
        return canonicalize_name(Requirement(argument).name) in locked()
    except InvalidRequirement:
        return False


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_what_is_to_be_installed_is_ours_by_its_path_or_locked(file: Path) -> None:
    assert not strangers(file.read_text("utf-8")), f"{file} tells people to install a package of strangers"


def test_messages_of_the_program_name_nothing_of_strangers() -> None:
    for file in (ROOT / "src").rglob("*.py"):
        assert not strangers(file.read_text("utf-8")), file


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_examples_import_is_ours_or_locked(page: Path) -> None:
    for block in blocks(page):
        if block.language == "python":
            for module in imported(block.text):
                assert is_importable(module, page), f"{block.place} imports {module}"


def imported(code: str) -> set[str]:
    """The first names of the modules that code imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found


def is_importable(module: str, page: Path) -> bool:
    """Whether it is Python's, of our packages or clients, of a locked package, the reader's, or a file of the page."""
    if module in sys.stdlib_module_names or module in OUR_MODULES | OF_THE_READER:
        return True
    if any(block.text.startswith(f"# {module}.py\n") for block in blocks(page)):
        return True
    owners = {canonicalize_name(name) for name in packages_distributions().get(module, ())}
    return bool(owners & locked())


OUR_MODULES: Final = {
    *(folder.name for folder in (ROOT / "src").iterdir()),
    json.loads((ROOT / "clients/python/config.json").read_text())["package_name_override"],
}


def test_examples_in_typescript_import_ours_or_what_is_locked() -> None:
    ours = json.loads((ROOT / "clients/typescript/package.json").read_text())
    assert ours["private"] is True, "nobody publishes it by accident, and no page installs it by its name"
    shown = [block.text for page in PAGES for block in blocks(page) if block.language in ("ts", "js", "typescript")]
    assert shown
    for module in re.findall(r'\bfrom "([^"]+)"', "\n".join(shown)):
        assert module.startswith("node:") or module == ours["name"] or module in locked_for_node(), module


def test_the_wheel_that_pages_name_is_the_one_that_is_built() -> None:
    wheels = {
        name for page in PAGES for name in re.findall(r"[\w.]+-[\w.]+-py3-none-any\.whl", page.read_text("utf-8"))
    }
    assert wheels == {f"{DISTRIBUTION.replace('-', '_')}-{VERSION}-py3-none-any.whl"}


def test_the_package_of_the_model_of_meaning_is_locked() -> None:
    assert canonicalize_name(PACKAGE) in locked()


@pytest.mark.parametrize(
    "lie",
    [
        "pip install contentgen",
        "Run: pip install 'contentgen[server]'",
        "pip install 'contentgen-grounded[cli]'  # not there yet",
        "uv add contentgen",
        "npm install contentgen-client",
        "npx contentgen-client@1",
        "| `pip install` | for |\n|---|---|\n| `contentgen-grounded` | articles |\n",
    ],
)
def test_a_package_of_strangers_is_noticed(lie: str) -> None:
    assert strangers(lie)


def test_an_import_of_strangers_is_noticed() -> None:
    assert not is_importable("contentgen", PAGES[0])


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        (None, "pip install 'contentgen-grounded[server]'"),
        ({"url": "file:///srv/contentgen", "dir_info": {}}, "'contentgen-grounded[server] @ file:///srv/contentgen'"),
        ({"url": "file:///srv/a%20b", "dir_info": {"editable": True}}, "pip install -e '/srv/a b[server]'"),
        (
            {"url": "file:///srv/c-1.0.0-py3-none-any.whl", "archive_info": {}},
            "@ file:///srv/c-1.0.0-py3-none-any.whl'",
        ),
        (
            {"url": "https://git.example.org/c", "vcs_info": {"vcs": "git", "commit_id": "0abc"}},
            "@ git+https://git.example.org/c@0abc'",
        ),
    ],
)
def test_an_extra_is_installed_from_where_the_package_came(
    origin: dict[str, object] | None, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if origin is not None:
        (tmp_path / "direct_url.json").write_text(json.dumps(origin))
    monkeypatch.setattr(extras, "distribution", lambda name: PathDistribution(tmp_path))
    assert install_command("server").endswith(command)
