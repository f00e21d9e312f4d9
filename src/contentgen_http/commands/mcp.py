"""The command `contentgen mcp`: offer the trends as tools to an agent that runs this command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contentgen_http.commands.console import DataDir, with_services

if TYPE_CHECKING:
    from contentgen_http.services import Services


def mcp(data_dir: DataDir = None) -> None:
    """Answer an agent by the Model Context Protocol, over standard input and output: the tools for trends.

    Ends when standard input does. Beside a running service or without one; logs go to standard error."""

    async def run(services: Services) -> None:
        from contentgen_http.mcp.stdio import serve_stdio

        await serve_stdio(services)

    with_services(data_dir, run)
