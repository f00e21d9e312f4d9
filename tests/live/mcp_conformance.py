"""Agents' software against a real `contentgen serve --demo` and a real `contentgen mcp`: the public conformance suite
for servers, the protocol's inspector, and the official client. `agents_protocol()` runs it all; so does this file."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import httpx2
from attrs import frozen
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from rich.console import Console

from tests.live.peers import CannotInstall, _install
from tests.process.service import CONTENTGEN, Service, data_directory, environment

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
SAY: Final = Console()


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


async def agents_protocol() -> int:
    """How many checks failed, or could not be made."""
    with tempfile.TemporaryDirectory(prefix="contentgen-mcp") as folder, data_directory() as data_dir:
        try:
            tools = await _installed(Path(folder))
        except CannotInstall as error:
            SAY.print(f"[yellow]NOT CHECKED[/] agents' protocol: {error}")
            return 1
        service = Service(data_dir)
        try:
            await asyncio.to_thread(service.start)
            served = Served(f"http://127.0.0.1:{service.port}/mcp/sse", service.demo_key, data_dir)
            return sum([await _failed(name, check, tools, served) for name, check in _checks()])
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
    await _install(npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), *packages)
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


def _checks() -> list[tuple[str, Check]]:
    scenarios: list[tuple[str, Check]] = [(f"conformance: {name}", _scenario(name)) for name in SCENARIOS]
    return [
        *scenarios,
        ("inspector: tools/list, strictly", _lists),
        ("inspector: tools/call", _calls),
        ("inspector: more tools with a key", _lists_with_a_key),
        ("inspector: standard input and output", _over_stdio),
        ("official client: an article is written", _writes),
    ]


async def _failed(name: str, check: Check, tools: Tools, served: Served) -> bool:
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            await check(tools, served)
    except (AssertionError, TimeoutError) as error:
        SAY.print(f"[red]FAILED[/] {name}: {error!r}")
        return True
    SAY.print(f"[green]passed[/] {name}")
    return False


def _scenario(name: str) -> Check:
    async def check(tools: Tools, served: Served) -> None:
        said = await _output(tools.node, tools.conformance, "server", "--url", served.address, "--scenario", name)
        counted = re.search(r"Passed: (\d+)/(\d+), 0 failed, 0 warnings", said)
        assert counted is not None, said[-2_000:]
        assert counted.group(1) == counted.group(2) != "0", said[-2_000:]

    return check


async def _lists(tools: Tools, served: Served) -> None:
    listed = await _inspected(tools, served.address, "--transport", "http", "--method", "tools/list", "--strict")
    assert len(listed["tools"]) == FOR_EVERYBODY, listed


async def _calls(tools: Tools, served: Served) -> None:
    call = ("--method", "tools/call", "--tool-name", "list_trends", "--tool-arg", "limit=3")
    answer = await _inspected(tools, served.address, "--transport", "http", *call)
    assert json.loads(answer["content"][0]["text"]) == answer["structuredContent"], answer
    assert len(answer["structuredContent"]["trends"]) <= 3, answer


async def _lists_with_a_key(tools: Tools, served: Served) -> None:
    key = ("--header", f"X-API-Key: {served.key}")
    listed = await _inspected(tools, served.address, "--transport", "http", "--method", "tools/list", "--strict", *key)
    assert {"plan_article", "write_article"} < {tool["name"] for tool in listed["tools"]}, listed


async def _over_stdio(tools: Tools, served: Served) -> None:
    """Beside the running service, on its data directory."""
    command = [CONTENTGEN, "mcp", "-e", f"CONTENTGEN_DATA_DIR={served.data_dir}"]
    if path := os.environ.get("PYTHONPATH"):  # the inspector gives the command few variables of its own accord
        command += ["-e", f"PYTHONPATH={path}"]
    listed = await _inspected(tools, *command, "--transport", "stdio", "--method", "tools/list", "--strict")
    assert [tool["name"] for tool in listed["tools"]] == FOR_TRENDS, listed


async def _writes(_: Tools, served: Served) -> None:
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
            output, complaints = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    assert process.returncode == 0, (output + complaints).decode(errors="replace")[-2_000:]
    return output.decode(errors="replace")


if __name__ == "__main__":
    sys.exit(1 if asyncio.run(agents_protocol()) else 0)
