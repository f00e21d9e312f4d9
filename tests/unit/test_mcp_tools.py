"""The tools as they are declared, and as the documentation lists them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from contentgen_http.mcp.tool import Tool
from contentgen_http.mcp.toolbox import OVER_HTTP, OVER_STDIO

PAGE = Path(__file__).parents[2] / "docs/howto/mcp.md"

each = pytest.mark.parametrize("tool", OVER_HTTP, ids=lambda tool: tool.name)


def test_the_page_lists_every_tool_with_all_that_it_reads() -> None:
    rows = [
        f"| `{tool.name}` | {'key' if tool.with_key else '–'} | "
        f"{', '.join(f'`{name}`' for name in tool.input_schema['properties'])} | {tool.title} |"
        for tool in OVER_HTTP
    ]
    assert [row for row in PAGE.read_text("utf-8").splitlines() if re.match(r"\| `\w+` \|", row)] == rows


def test_standard_input_and_output_has_the_tools_for_trends_alone() -> None:
    assert [tool.name for tool in OVER_STDIO] == ["list_trends", "get_trend", "search_trends", "list_niches"]
    assert not any(tool.with_key for tool in OVER_STDIO)


@each
def test_names_are_such_as_every_client_takes(tool: Tool) -> None:
    assert re.fullmatch(r"[a-z_]{1,64}", tool.name)
    assert len(tool.description) <= 600


@each
def test_schemas_stand_for_themselves(tool: Tool) -> None:
    assert "$ref" not in str(tool.input_schema)
    assert "$defs" not in str(tool.output_schema)
    assert tool.input_schema["additionalProperties"] is False
