"""`contentgen mcp` as a process, and agents at a real `contentgen serve`."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from contentgen_core.model.trend import TrendText
from contentgen_core.ports.repositories.trends import Trends
from contentgen_http.commands.console import with_services
from contentgen_http.mcp.stdio import MAX_LINE
from contentgen_http.services import Services
from tests.process.service import CONTENTGEN, Service, environment, run
from tests.support.mcp import answer_of, trend

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
NAMES = ["list_trends", "get_trend", "search_trends", "list_niches"]
END_SECONDS = 20.0


def call(id: object, tool: str, **arguments: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def spoken(data_dir: Path, lines: Sequence[object]) -> tuple[dict[Any, dict[str, Any]], str]:
    """The answers by their ids, and the log, of a command that is told these lines and then that there are no more."""
    said = b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)
    ended = subprocess.run(
        [CONTENTGEN, "mcp", "--data-dir", str(data_dir)],
        env=environment(), input=said, capture_output=True, timeout=90, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr.decode()
    answers = [json.loads(line) for line in ended.stdout.decode().splitlines()]
    return {answer["id"]: answer for answer in answers}, ended.stderr.decode()


def add_trend(data_dir: Path) -> None:
    async def add(services: Services) -> None:
        made = trend("tide-mills", title="Tide mills return", sample=True)
        async with services.ports.unit_of_work() as tx:
            if await tx[Trends].find(made.slug) is None:
                await tx[Trends].save(made)
                await tx[Trends].save_texts(made.slug, [TrendText(made.sources[0].url, "The tide mill grinds rye.")])

    with_services(data_dir, add)


@contextmanager
def speaking(data_dir: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A command that has said hello and waits."""
    pipe = subprocess.PIPE
    command = [CONTENTGEN, "mcp", "--data-dir", str(data_dir)]
    process = subprocess.Popen(command, env=environment(), stdin=pipe, stdout=pipe, stderr=pipe)
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(HELLO).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def test_an_agent_reads_trends_over_standard_input_and_output(shared: Service, tmp_path: Path) -> None:
    add_trend(shared.data_dir)
    arguments = ["mcp", "--data-dir", str(shared.data_dir)]
    command = StdioServerParameters(command=CONTENTGEN, args=arguments, env=environment())

    async def ask(log: TextIO) -> None:
        async with Client(stdio_client(command, errlog=log)) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == NAMES
            listed = await answer_of(client, "search_trends", query="tide")
            assert [one["slug"] for one in listed["trends"]] == ["tide-mills"]
            found = await answer_of(client, "get_trend", slug="tide-mills")
            assert found["sources"][0]["content"] == "The tide mill grinds rye."

    with (tmp_path / "log").open("w") as log:
        asyncio.run(ask(log))
    assert (tmp_path / "log").read_text() == ""


def test_all_that_was_asked_is_answered_before_the_end(shared: Service) -> None:
    asked = [HELLO, READY, *(call(n, "list_niches") for n in range(2, 30))]
    answers, log = spoken(shared.data_dir, asked)
    assert set(answers) == set(range(1, 30))
    assert all(not answer["result"].get("isError") for answer in answers.values())
    assert log == ""


def test_only_trends_are_offered(shared: Service) -> None:
    answers, _ = spoken(
        shared.data_dir,
        [HELLO, READY, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}, call(3, "list_articles"),
         call(4, "write_article")],
    )  # fmt: skip
    assert [tool["name"] for tool in answers[2]["result"]["tools"]] == NAMES
    assert answers[3]["error"]["code"] == answers[4]["error"]["code"] == -32602


def test_what_is_no_message_is_passed_over_and_not_logged(shared: Service) -> None:
    odd: list[object] = [
        b"confidential\n",
        b"\xff\xfe confidential\n",
        b"\n",
        b'{"confidential":' * 3_000 + b"\n",
        b'{"jsonrpc":"2.0","id":9,"method":"' + b"confidential" * (MAX_LINE // 10) + b'"}\n',
        {"jsonrpc": "2.0", "method": "notifications/confidential", "params": {"confidential": 1}},
    ]
    last = json.dumps(call(3, "get_trend", slug="confidential")).encode()  # without a line break
    answers, log = spoken(shared.data_dir, [HELLO, READY, *odd, call(2, "list_niches"), last])
    assert {1, 2, 3} <= set(answers)
    assert answers[2]["result"]["structuredContent"]["total"] == 10
    assert answers[3]["result"]["isError"]
    assert "confidential" not in log


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_when_it_is_told_to(data_dir: Path, number: signal.Signals) -> None:
    with speaking(data_dir) as process:
        began = time.monotonic()
        process.send_signal(number)
        assert process.wait(END_SECONDS) == 0
        assert time.monotonic() - began < END_SECONDS
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()


def test_it_ends_when_its_input_does(data_dir: Path) -> None:
    with speaking(data_dir) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(END_SECONDS) == 0
        process.stdin = None


def test_an_agent_at_a_served_address_is_logged_without_what_it_said(serve: Callable[..., Service]) -> None:
    service = serve(demo=False)
    service.start()
    for arguments in ({"query": "confidential"}, {"query": "confidential", "more": "confidential"}):
        message = call(1, "search_trends", **arguments)
        answer = service.http.post("/mcp/sse", json=message, headers={"Accept": "application/json"})
        assert answer.status_code == 200
    request_id = answer.headers["x-request-id"]
    foreign = service.http.post("/mcp/sse", json=HELLO, headers={"Host": "evil.example"})
    assert foreign.status_code == 403
    assert service.interrupt() < 10
    lines = [json.loads(line) for line in service.log().splitlines() if line.startswith("{")]
    tools = [line for line in lines if line["event"] == "tool"]
    assert [(line["tool"], line["outcome"]) for line in tools] == [
        ("search_trends", "ok"),
        ("search_trends", "invalid_input"),
    ]
    assert tools[-1]["requestId"] == request_id
    assert "confidential" not in service.log()


def test_a_host_that_is_none_stops_the_start(data_dir: Path) -> None:
    ended = run("serve", data_dir=data_dir, env={"CONTENTGEN_MCP_ALLOWED_HOSTS": "[::"})
    assert ended.returncode == 1
    assert "CONTENTGEN_MCP_ALLOWED_HOSTS" in ended.stderr


def test_the_start_does_not_wait_for_the_protocol() -> None:
    """The SDK takes most of a second to load: that is left to the first agent."""
    program = (
        "import sys, contentgen_http.processes.serving; "
        "print(sorted({'mcp', 'mcp_types', 'pydantic'} & set(sys.modules)))"
    )
    loaded = subprocess.run([sys.executable, "-c", program], env=environment(), capture_output=True, check=True)
    assert loaded.stdout.strip() == b"[]"
