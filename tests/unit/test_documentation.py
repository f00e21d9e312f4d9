"""What the documentation shows is run (by tests/process/test_documentation_runs.py, what can be); what it points to
exists."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import tomllib
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import pytest
import yaml

from contentgen_grounded.settings_in_force import table
from contentgen_http.app import description
from contentgen_http.reference.pages import commands, options
from tests.support.shown import PAGES, ROOT, agrees, blocks

RUN = {"sh", "console", "python", "sql"}
READ = {"json": json.loads, "toml": tomllib.loads, "yaml": yaml.safe_load}
SHOWN = {"text", "mermaid", "html"}
CANNOT_RUN = {
    "an installation": "it would change the machine",
    "a vendor's account": "the project has none",
    "a model": "no model is part of the installation",
    "a model server": "no model is part of the installation",
    "a source that changed": "the demo's sources stay as they are",
    "a link that was proposed": "the demo's articles are about one thing each",
    "an entry of a queue": "which entries there are depends on what is known and written",
    "a sentence of your article": "the demo's article has others",
    "another language's runtime": "Python is all that the tests need",
}
"""Why a block is not run; each in the words that stand behind its fence."""
WRITTEN = [page for page in PAGES if page.parent.name != "reference"]

named = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
by_hand = pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))


@cache
def text(page: Path) -> str:
    return page.read_text("utf-8")


def anchors(page: Path) -> set[str]:
    """Of its headings, as GitHub makes them."""
    headings = re.findall(r"^#+ +(.+)$", re.sub(r"^```.*?^```", "", text(page), flags=re.S | re.M), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@named
def test_no_page_holds_both_sides_of_a_conflict(page: Path) -> None:
    assert not re.search(r"^(<{7}|>{7}) ", text(page), re.M)


@named
def test_a_block_is_run_or_read_or_says_why_not(page: Path) -> None:
    for block in blocks(page):
        if block.not_run is not None:
            assert block.not_run in CANNOT_RUN, block.place
        elif block.run_by is not None:
            test = ROOT / block.run_by
            assert test.is_file(), block.place
            assert str(page.relative_to(ROOT)) in test.read_text("utf-8"), block.place
        elif block.language in READ:
            READ[block.language](block.text)
        else:
            assert block.language in RUN | SHOWN, block.place
            assert not block.note or block.is_answer, block.place


def test_no_reason_is_left_that_no_block_gives() -> None:
    given = {block.not_run for page in PAGES for block in blocks(page)}
    assert given == {None, *CANNOT_RUN}


def test_no_block_escapes() -> None:
    for page in PAGES:
        assert len(re.findall(r"^ *```", text(page), re.M)) == sum(
            2 + len(re.findall(r"^ *```", block.text, re.M)) for block in blocks(page)
        ), page
        assert "~~~\n" not in text(page), page


def test_the_embedding_examples_are_short() -> None:
    codes = [block.text for block in blocks(ROOT / "docs/howto/embed.md") if block.language == "python"]
    assert codes
    assert all(len([line for line in code.splitlines() if line.strip()]) <= 15 for code in codes)


def test_every_decision_is_listed_and_every_listed_one_exists() -> None:
    folder = ROOT / "docs/decisions"
    listed = set(re.findall(r"\]\((\d{4}-[a-z-]+\.md)\)", (folder / "README.md").read_text("utf-8")))
    assert listed == {file.name for file in folder.glob("0*.md")}


def test_every_decision_says_what_was_rejected() -> None:
    said = r"\*\*Rejected\*\*|^- Rejected:|^Considered: |would it win\?|^## (.*[Nn]ot done|Left|What was tried)$"
    also_said = r"(^| )(Left|Left out|Tried and left): "
    pages = (ROOT / "docs/decisions").glob("0*.md")
    assert [page.name for page in pages if not re.search(f"{said}|{also_said}", text(page), re.M)] == []


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
    typed = "\n".join(block.text for block in blocks(page) if block.language in ("sh", "console"))
    shown = re.findall(r"(?:^|\$\()(?:\$ )?(?:\S+/)?contentgen (.+?)(?= [|&>]| 2>|\)$|$)", typed, re.M)
    shown += re.findall(r"`contentgen ([a-z][^`]*)`", text(page))
    for line in shown:
        words = shlex.split(re.sub(r"  #.*| \$\(.*", "", line).replace("…", ""), comments=True)
        name = next((name for name in (" ".join(words[:3]), " ".join(words[:2]), words[0]) if name in known), None)
        assert name is not None, f"contentgen {line}"
        used = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        assert used <= options(known[name]), f"contentgen {line}"


@by_hand
def test_variables_that_are_named_are_settings(page: Path) -> None:
    variables = {variable for variable, _, _ in table()}
    assert set(re.findall(r"\bCONTENTGEN_[A-Z][A-Z_]*[A-Z]\b", text(page))) <= variables


@cache
def operations() -> frozenset[tuple[str, str]]:
    """(method, path with unnamed parameters) of every operation there is."""
    paths = json.loads(description())["paths"]
    return frozenset((method.upper(), re.sub(r"\{.*?\}", "{}", path)) for path in paths for method in paths[path])


@by_hand
def test_operations_that_are_named_exist(page: Path) -> None:
    for method, path in re.findall(r"\b(GET|POST|PATCH|DELETE) (/[\w/{}.-]*[\w}])", text(page)):
        assert (method, re.sub(r"\{.*?\}", "{}", path)) in operations(), f"{method} {path}"


@by_hand
def test_source_files_that_are_named_exist(page: Path) -> None:
    for path in re.findall(r"`((?:src|tests|docs)/[\w/.-]+)`", text(page)):
        assert (ROOT / path).exists(), path


def test_tests_that_are_named_exist() -> None:
    written = "\n".join(file.read_text("utf-8") for file in (ROOT / "tests").rglob("test_*.py"))
    for page in WRITTEN:
        for name in re.findall(r"`(test_[a-z0-9_]+)`", text(page)):
            assert f"def {name}(" in written or (ROOT / f"tests/unit/{name}.py").exists(), f"{name} of {page.name}"


@pytest.mark.parametrize(
    ("shown", "real", "same"),
    [
        ('{"a": 1, …}', '{\n  "a": 1,\n  "b": 2\n}\n', True),
        ('{"a": 1, …}', '{"a": 2, "b": 2}', False),
        ("one\ntwo", "one two\n", True),
        ("one … three", "one two three", True),
        ("one … three", "one two", False),
        ("… passed", "3 failed, 4 passed", True),
        ("passed …", "3 failed, 4 passed", False),
        ('"id": "01a1fbdd-152d-784d-b857-558d8ec133ab"', '"id":"01a1fbd2-bc48-7c6e-8f42-74b2add1a54b"', True),
        ('"at": "2026-11-23T06:00:00Z"', '"at":"2027-01-01T00:00:00.5Z"', True),
        ('"score": 0.68…', '"score": 0.6785', False),
        ("95.0", "95", True),
        ("ab…ba", "aba", False),
        ("", "anything", False),
    ],
)
def test_an_output_is_the_one_shown_or_it_is_not(shown: str, real: str, same: bool) -> None:
    assert agrees(shown, real) is same


@pytest.mark.parametrize(("given", "option"), [([], ""), (["PORT=8123"], " --port '8123'")])
def test_make_run_takes_a_port(given: list[str], option: str) -> None:
    command, env = ["make", "--dry-run", "run", *given], {"PATH": os.environ["PATH"]}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1].rstrip() == f"exec .venv/bin/contentgen serve --demo{option}"


def test_the_walk_through_the_code_stops_at_names_that_exist() -> None:
    walk = re.findall(r"^\| [^|]+ \| `([\w/]+\.py)` \| `([\w.]+)` \|$", text(ROOT / "docs/architecture.md"), re.M)
    assert len(walk) >= 12
    for file, name in walk:
        module = import_module(file.removeprefix("src/").removesuffix(".py").replace("/", "."))
        attrgetter(name)(module)
