"""Each default that a page claims is the code's, and a line that speaks of a default is read."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from contentgen_adapters.reranking.apis import COHERE
from contentgen_core.model.ids import NicheId, TenantId, UserId
from contentgen_core.model.schedule import ArticleSchedule
from contentgen_grounded.settings_in_force import table
from contentgen_http.app import description
from contentgen_http.reference.pages import DATA_DIR_DEFAULT, commands
from tests.support.shown import PAGES, ROOT

SPOKEN_OF: Final = re.compile(r"\b[Dd]efaults?\b")
FOLDERS: Final = ("howto", "quickstart", "explanation", "deploy")
READ: Final = [
    page for page in PAGES if page.parent.name in FOLDERS or (page.parent == ROOT and page.stem != "CHANGELOG")
]
NO_DEFAULTS: Final = (
    "| | default | or |",
    "**The default writer copies.**",
    "which it sends by default, are switched",
    "autovacuum's defaults do",
    "A default is read out of the page",
    "`default`, `export CONTENTGEN_",
)
"""What speaks of defaults without a value of one of ours."""
ELSEWHERE: Final = {"CONTENTGEN_RERANKER_MODEL": COHERE.model}
"""Of settings that have none of their own: what stands in for it where the page shows it."""

EARLIEST: Final = {"days": ["mon"], "hour": 0, "timeZone": "UTC"}
"""A schedule that says no more than it must."""

Claim = tuple[str, str, str]
"""(what has the default, the default that is claimed, that of the code)"""


@cache
def settings() -> dict[str, str]:
    return {variable: default for variable, default, _ in table()} | ELSEWHERE


def of_setting(variable: str) -> str:
    return settings()[variable]


def of_field(name: str) -> str:
    """The default of a field of requests, or of a niche's schedule."""
    schedule = ArticleSchedule(TenantId("t"), NicheId("n"), UserId("u"), {"enabled": True, **EARLIEST})
    assert schedule.timing is not None
    known = {
        "minute": schedule.timing.minute,
        "articlesPerRun": schedule.articles_per_run,
        "autopublish": schedule.autopublish,
        "processing": schedule.processing.value,
    }
    return str(known[name] if name in known else _of_requests()[name])


@cache
def _of_requests() -> dict[str, Any]:
    schemas = msgspec.json.decode(description())["components"]["schemas"]
    return {
        name: field["default"]
        for schema in schemas.values()
        for name, field in schema.get("properties", {}).items()
        if "default" in field
    }


def of_option(option: str) -> str:
    """The default of a command's option that one command has alone."""
    name = option.removeprefix("--").replace("-", "_")
    [found] = {
        parameters[name].default
        for _, function in commands()
        if name in (parameters := inspect.signature(function).parameters)
    }
    return str(found)


def claims(page: Path) -> Iterator[tuple[int, str, str, str]]:
    """(line, what has the default, the default that is claimed, that of the code) for each claim of a page."""
    heads: list[str] = []
    named = ""
    for number, line in enumerate(page.read_text("utf-8").splitlines(), start=1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        heads = (heads or cells) if cells else []
        for what, claimed, real in _of_row(heads, cells) if cells and cells is not heads else ():
            yield number, what, claimed, real
        for pattern, of in PATTERNS:
            for found in pattern.finditer(line):
                *names, claimed = found.groups()
                for name in names or [named]:
                    if name:
                        yield number, name, claimed, of(name)
        mentioned = re.findall(r"`(CONTENTGEN_[A-Z_]+|[a-z]+[A-Z]\w+)`", line)
        # The values of a setting stand below the head of their table, or below the sentence that names it.
        named = mentioned[-1] if mentioned and (cells is heads or not cells) else named


def _of_row(heads: list[str], cells: list[str]) -> Iterator[Claim]:
    """A row of a table that has a column of defaults: it begins with the value, where the setting has one."""
    variable = re.search(r"CONTENTGEN_[A-Z_]+", "|".join(cells))
    if variable and "default" in heads:
        claimed = re.match(r"`([^`]*)`", cells[heads.index("default")])
        yield variable[0], claimed[1] if claimed else "", of_setting(variable[0])


def _named(name: str) -> str:
    return of_setting(name) if name.startswith("CONTENTGEN_") else of_field(name)


VALUE: Final = r"`?([\w.:-]*\w)`?"
PATTERNS: Final[list[tuple[re.Pattern[str], Callable[[str], str]]]] = [
    (re.compile(r"`([\w.-]+)` \(default\)"), _named),
    (re.compile(r"`([\w.-]+)`, the default,"), _named),
    (re.compile(r"`(CONTENTGEN_[A-Z_]+)` is `([^`]+)` by default"), of_setting),
    (re.compile(r"`(CONTENTGEN_[A-Z_]+)` \((\d[\d.,]*)"), of_setting),
    (re.compile(r"`(CONTENTGEN_[A-Z_]+)`: (\d[\d.,]*)"), of_setting),
    (re.compile(r"^export (CONTENTGEN_[A-Z_]+)=(\S+) +# the default"), of_setting),
    (re.compile(r"^export (CONTENTGEN_[A-Z_]+)=.*# (\S+) by default"), of_setting),
    (re.compile(r"^\| (?:`\w+`, )*`(\w+)` \|.*\bdefault " + VALUE), of_field),
    (re.compile(r"`(--[a-z-]+)` is .*?(\d+) at most by default"), of_option),
    (re.compile(r"The (default place) is (`.*)$"), lambda _: DATA_DIR_DEFAULT),
]


@pytest.mark.parametrize("page", READ, ids=lambda page: str(page.relative_to(ROOT)))
def test_each_default_that_a_page_claims_is_the_codes(page: Path) -> None:
    wrong = [
        f"{page.relative_to(ROOT)}:{line}: the default of {what} is {real or 'none'}, not {claimed or 'none'}"
        for line, what, claimed, real in claims(page)
        if _told(claimed) != _told(real)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("page", READ, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_line_that_speaks_of_a_default_is_read(page: Path) -> None:
    read = {line for line, *_ in claims(page)}
    for number, line in enumerate(page.read_text("utf-8").splitlines(), start=1):
        if SPOKEN_OF.search(line) and not any(words in line for words in NO_DEFAULTS):
            assert number in read, f"{page.relative_to(ROOT)}:{number} names a default in words that no pattern reads"


def _told(value: str) -> str:
    told = {"no": "False", "yes": "True"}.get(value, value)
    return re.sub(r"\.0$", "", told.rstrip(".,"))


LIES: Final = (
    "| | default |\n|---|---|\n| embeddings (`CONTENTGEN_EMBEDDINGS`) | `hashed`: built in |\n",
    "| `CONTENTGEN_EMBEDDINGS` | what |\n|---|---|\n| `hashed` (default) | built in |\n",
    "`CONTENTGEN_CONTENT_MODEL` is `extractive` by default: no model.\n",
    "up to `CONTENTGEN_DATABASE_POOL` (12) connections\n",
    "| `CONTENTGEN_HISTORY_DAYS`: 100, from when they began |\n",
    "export CONTENTGEN_OPENAI_MODEL=gpt-4        # the default\n",
    "export CONTENTGEN_MODEL_CURRENCY=GBP        # EUR by default\n",
    "`POST /writer/generate-plan` takes `privateDocsMode`:\n\n| mode |\n|---|\n| `auto` (default) | all |\n",
    "| `hour`, `minute` | 0 to 23, 0 to 59 (default 30) |\n",
    "| `autopublish` | whether (default yes) |\n",
    "- `--size` is the cases of a kind, 100 at most by default\n",
    "| `CONTENTGEN_WEB_SEARCH` | searches |\n|---|---|\n\n`brave`, the default, takes the first.\n",
)


@pytest.mark.parametrize("lie", LIES)
def test_a_wrong_default_is_noticed(lie: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(lie)
    assert [what for _, what, claimed, real in claims(page) if _told(claimed) != _told(real)], lie
