"""The tools available over each transport."""

from __future__ import annotations

from typing import Final

from contentgen_http.mcp.approval_tools import APPROVAL_TOOLS
from contentgen_http.mcp.article_tools import ARTICLE_TOOLS
from contentgen_http.mcp.link_tools import LINK_TOOLS
from contentgen_http.mcp.plan_tools import PLAN_TOOLS
from contentgen_http.mcp.tenant_tools import TENANT_TOOLS
from contentgen_http.mcp.tool import Tool
from contentgen_http.mcp.trend_tools import TREND_TOOLS
from contentgen_http.mcp.update_tools import UPDATE_TOOLS
from contentgen_http.mcp.upkeep_tools import UPKEEP_TOOLS

OVER_HTTP: Final[tuple[Tool, ...]] = (
    *TREND_TOOLS,
    *ARTICLE_TOOLS,
    *TENANT_TOOLS,
    *PLAN_TOOLS,
    *UPKEEP_TOOLS,
    *UPDATE_TOOLS,
    *LINK_TOOLS,
    *APPROVAL_TOOLS,
)
OVER_STDIO: Final[tuple[Tool, ...]] = TREND_TOOLS
