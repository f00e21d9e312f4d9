"""The page on conventions says what the operations do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from contentgen_http.app import description

PAGE = (Path(__file__).parents[2] / "docs" / "conventions.md").read_text("utf-8")
STYLES = {
    "after": {"after"},
    "before": {"before"},
    "page number": {"page"},
    "offset": {"offset"},
    "the first few": set(),
}
"""Parameters of a style, beside `limit`."""


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(description())
    return found


def paged(document: dict[str, Any]) -> dict[str, set[str]]:
    """The lists that take a limit, each with its other parameters of pages."""
    found = {}
    for path, operations in document["paths"].items():
        named = {p["name"] for p in operations.get("get", {}).get("parameters", ()) if p["in"] == "query"}
        if "limit" in named:
            found[f"GET {path}"] = named & set().union(*STYLES.values())
    return found


def test_each_list_stands_in_the_style_that_it_has(document: dict[str, Any]) -> None:
    rows = re.findall(r"^\| ([^|,:]+)[,:]?[^|]*\|[^|]*`limit`[^|]*\|[^|]*\|([^|]*)\|$", PAGE, re.MULTILINE)
    told = {name: STYLES[style.strip()] for style, names in rows for name in re.findall(r"`(GET [^`]+)`", names)}
    assert told == paged(document)


def test_an_answer_of_the_style_for_what_is_new_says_where_the_next_page_begins(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    for name in [name for name, asked in paged(document).items() if asked == {"after"}]:
        answer = document["paths"][name.removeprefix("GET ")]["get"]["responses"]["200"]["content"]["application/json"]
        assert "after" in schemas[answer["schema"]["$ref"].rpartition("/")[2]]["properties"], name


def test_what_is_not_configured_asks_for_no_repetition(document: dict[str, Any]) -> None:
    refusals = [
        operation["responses"]["501"]
        for operations in document["paths"].values()
        for operation in operations.values()
        if "501" in operation.get("responses", {})
    ]
    assert refusals
    assert all("Retry-After" not in refusal.get("headers", {}) for refusal in refusals)
    for operations in document["paths"].values():
        for operation in operations.values():
            codes = operation["responses"].get("503", {}).get("content", {}).get("application/problem+json", {})
            assert "not_configured" not in codes.get("examples", {})
