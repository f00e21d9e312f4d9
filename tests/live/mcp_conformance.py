"""Agents' software against a real `contentgen serve --demo` and a real `contentgen mcp`: the public conformance suite
for servers, the protocol's inspector, and the official client."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import httpx2
from attrs import frozen
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from tests.live.peers import CannotInstall, install
from tests.live.report import Report
from tests.process.service import CONTENTGEN, Service, data_directory, environment

NAME: Final = "agents"
CONFORMANCE: Final = "@modelcontextprotocol/conformance@0.1.16"
INSPECTOR: Final = "@modelcontextprotocol/inspector@2.12.0"
NODE: Final = "node@22"  # both need functions that Node 20 does not have
NODE_NEEDED: Final = (22, 19)
# The others call tools, prompts and resources that a server has for the suite alone, or need sessions and streams.
SCENARIOS: Final = ("server-initialize", "ping", "tools-list", "dns-rebinding-protection")
FOR_EVERYBODY: Final = 7
FOR_TRENDS: Final = ["list_trends", "get_trend", "search_trends", "list_niches"]
CHECK_SECONDS: Final = 90.0
WRITING_SECONDS: Final = 90.0


@frozen
class Tools:
    """Where what was installed is."""

    node: str
    conformance: str
    inspector: str


@frozen
class Served:
    """A running service."""

    address: str
    key: str
    data_dir: Path


Check = Callable[[Tools, Served], Awaitable[None]]


async def check_agents(installed: Path, report: Report) -> None:
    """`installed`: where packages are kept."""
    with report.needs(NAME), data_directory() as data_dir:
        with report.takes(NAME, "to install"):
            tools = await _installed(installed / "agents")
        service = Service(data_dir)
        try:
            await asyncio.to_thread(service.start)
            served = Served(f"http://127.0.0.1:{service.port}/mcp/sse", service.demo_key, data_dir)
            await report.run(NAME, CHECKS, tools, served)
        finally:
            await asyncio.to_thread(service.close)


async def _installed(folder: Path) -> Tools:
    npm = shutil.which("npm")
    if npm is None:
        raise CannotInstall("npm is not on PATH")
    packages = [CONFORMANCE, INSPECTOR]
    node = await _new_enough(shutil.which("node"))
    if node is None:
        packages.append(NODE)
    await install(npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), *packages)
    modules = folder / "node_modules"
    return Tools(
        node or str(modules / "node" / "bin" / "node"),
        str(modules / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"),
        str((modules / ".bin" / "mcp-inspector").resolve()),
    )


async def _new_enough(node: str | None) -> str | None:
    if node is None:
        return None
    version = re.match(r"v(\d+)\.(\d+)", await _output(node, "--version"))
    return node if version is not None and tuple(map(int, version.groups())) >= NODE_NEEDED else None


def _scenario(name: str) -> Check:
    async def check(tools: Tools, served: Served) -> None:
        said = await _output(tools.node, tools.conformance, "server", "--url", served.address, "--scenario", name)
        counted = re.search(r"Passed: (\d+)/(\d+), 0 failed, 0 warnings", said)
        assert counted is not None, said[-2_000:]
        assert counted.group(1) == counted.group(2) != "0", said[-2_000:]

    check.__name__ = f"the conformance suite passes {name}"
    return check


async def the_inspector_lists_the_tools_strictly(tools: Tools, served: Served) -> None:
    listed = await _inspected(tools, served.address, "--transport", "http", "--method", "tools/list", "--strict")
    assert len(listed["tools"]) == FOR_EVERYBODY, listed


async def the_inspector_calls_a_tool(tools: Tools, served: Served) -> None:
    call = ("--method", "tools/call", "--tool-name", "list_trends", "--tool-arg", "limit=3")
    answer = await _inspected(tools, served.address, "--transport", "http", *call)
    assert json.loads(answer["content"][0]["text"]) == answer["structuredContent"], answer
    assert len(answer["structuredContent"]["trends"]) <= 3, answer


async def the_inspector_lists_more_tools_with_a_key(tools: Tools, served: Served) -> None:
    key = ("--header", f"X-API-Key: {served.key}")
    listed = await _inspected(tools, served.address, "--transport", "http", "--method", "tools/list", "--strict", *key)
    assert {"plan_article", "write_article"} < {tool["name"] for tool in listed["tools"]}, listed


async def the_inspector_uses_standard_input_and_output(tools: Tools, served: Served) -> None:
    """Beside the running service, on its data directory."""
    command = [CONTENTGEN, "mcp", "-e", f"CONTENTGEN_DATA_DIR={served.data_dir}"]
    if path := os.environ.get("PYTHONPATH"):  # the inspector gives the command few variables of its own accord
        command += ["-e", f"PYTHONPATH={path}"]
    listed = await _inspected(tools, *command, "--transport", "stdio", "--method", "tools/list", "--strict")
    assert [tool["name"] for tool in listed["tools"]] == FOR_TRENDS, listed


async def the_official_client_has_an_article_written(_: Tools, served: Served) -> None:
    about = {"agentKey": "home-energy-GB", "topic": "Choosing a heat pump for an older house"}
    async with (
        httpx2.AsyncClient(headers={"X-API-Key": served.key}, timeout=60) as http,
        Client(streamable_http_client(served.address, http_client=http)) as client,
    ):
        assert (await _told(client, "check_coverage", about))["canGenerate"]
        plan = {**about, "language": "en", "articleLength": "short"}
        article = {"articleId": (await _told(client, "plan_article", plan))["articleId"]}
        await _told(client, "write_article", article)
        async with asyncio.timeout(WRITING_SECONDS):
            while (found := await _told(client, "article_status", article))["status"] == "generating":
                await asyncio.sleep(0.5)
        assert found["status"] == "generated", found
        assert found["content"], found
        assert found["grounding"]["level"] == "full", found["grounding"]


async def _told(client: Client, tool: str, arguments: dict[str, object]) -> dict[str, Any]:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    content: dict[str, Any] = answer.structured_content
    return content


async def _inspected(tools: Tools, *arguments: str) -> dict[str, Any]:
    said = await _output(tools.node, tools.inspector, "--cli", *arguments)
    try:
        answer: dict[str, Any] = json.loads(said)
    except ValueError:
        raise AssertionError(said[-2_000:]) from None
    return answer


async def _output(*command: str) -> str:
    """What it prints; with what it complains of, when it fails."""
    with tempfile.TemporaryDirectory(prefix="contentgen-home") as home:  # the inspector keeps a catalogue at home
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment({"HOME": home, "PATH": os.environ.get("PATH", "")}),
        )
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                output, complaints = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    assert process.returncode == 0, (output + complaints).decode(errors="replace")[-2_000:]
    return output.decode(errors="replace")


CHECKS: Final[tuple[Check, ...]] = (
    *map(_scenario, SCENARIOS),
    the_inspector_lists_the_tools_strictly,
    the_inspector_calls_a_tool,
    the_inspector_lists_more_tools_with_a_key,
    the_inspector_uses_standard_input_and_output,
    the_official_client_has_an_article_written,
)
