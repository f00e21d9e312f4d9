"""POST /mcp and /mcp/sse as HTTP: hosts, keys, limits, bodies, batches, and what is logged."""

from __future__ import annotations

import json

import pytest
import structlog

from contentgen_core.errors import NotPermitted
from contentgen_http.mcp.endpoint import MAX_BATCH
from contentgen_http.mcp.hosts import AllowedHosts
from tests.support.http import Generous, open_api, problem_of
from tests.support.mcp import PATH, add_trend, post, rpc, trend

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.mark.parametrize("accept", ["application/json", "application/json, text/event-stream", "*/*", ""])
async def test_every_answer_is_json(accept: str) -> None:
    async with open_api() as api:
        answer = await rpc(api, "tools/list", headers={"Accept": accept} if accept else {"Accept": "*/*"})
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
        assert "mcp-session-id" not in answer.headers
        assert answer.json()["result"]["tools"]


async def test_who_takes_events_alone_gets_a_406() -> None:
    async with open_api() as api:
        assert (await rpc(api, "ping", headers={"Accept": "text/event-stream"})).status_code == 406


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH"])
async def test_there_are_no_streams_and_no_sessions(method: str) -> None:
    async with open_api() as api:
        answer = await api.call(method, PATH, key=None, headers={"Accept": "text/event-stream"})
        assert answer.status_code == 405
        assert "POST" in answer.headers["allow"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "localhost.evil.example"},
        {"Host": "evil.example:8000"},
        {"Host": "[::1"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://localhost.evil.example:3000"},
        {"Origin": "http://evil.example\\@localhost"},
        {"Origin": "http://localhost\\.evil.example"},
        {"Origin": "http://evil.example@localhost"},
        {"Origin": "http://localhost/path"},
        {"Host": "evil.example@localhost"},
    ],
)
async def test_a_foreign_host_or_origin_is_refused_whatever_the_key(headers: dict[str, str]) -> None:
    async with open_api() as api:
        for key in (None, api.key):
            answer = await rpc(api, "ping", headers=headers, key=key)
            assert answer.status_code == 403
            assert problem_of(answer)["code"] == "not_permitted"


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "localhost:8000"},
        {"Host": "127.0.0.1"},
        {"Host": "[::1]:8000"},
        {"Host": "LOCALHOST"},
        {"Origin": "http://localhost:6274"},
        {"Host": "agents.example.org", "Origin": "https://agents.example.org"},
    ],
)
async def test_loopback_and_listed_hosts_are_taken(headers: dict[str, str]) -> None:
    async with open_api(mcp_allowed_hosts="testserver.local, agents.example.org") as api:
        assert (await rpc(api, "ping", headers=headers)).json() == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_the_host_of_the_public_address_is_taken_and_any_can_be() -> None:
    hosts = AllowedHosts.of("https://content.example.org/base", "")
    hosts.check([(b"host", b"content.example.org"), (b"origin", b"https://content.example.org")])
    with pytest.raises(NotPermitted):
        hosts.check([(b"host", b"other.example.org")])
    with pytest.raises(NotPermitted):
        hosts.check([])
    with pytest.raises(NotPermitted):
        hosts.check([(b"host", b"localhost"), (b"host", b"evil.example")])
    AllowedHosts.of(None, "*").check([(b"host", b"other.example.org"), (b"origin", b"null")])
    with pytest.raises(ValueError, match="is no host"):
        AllowedHosts.of(None, "fine.example, [::")


async def test_a_notification_is_taken_without_an_answer() -> None:
    async with open_api() as api:
        answer = await rpc(api, "notifications/initialized", id=None)
        assert (answer.status_code, answer.content) == (202, b"")
        answer = await rpc(api, "notifications/cancelled", {"requestId": 7}, id=None)
        assert (answer.status_code, answer.content) == (202, b"")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", -32700),
        (b"{", -32700),
        (b"not json", -32700),
        (b'{"a":' * 5_000, -32700),
        (b"\xff\xfe", -32700),
        (b"null", -32600),
        (b"5", -32600),
        (b"{}", -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1}', -32600),
        (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":5}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600),
        (b"[]", -32600),
        (b"[" * 5_000, -32700),
    ],
)
async def test_what_is_no_message_is_said_to_be_none(body: bytes, code: int) -> None:
    async with open_api() as api:
        answer = await post(api, body)
        assert answer.status_code == 400
        assert answer.json()["error"]["code"] == code
        assert answer.json()["id"] is None
        assert "pydantic" not in answer.text


async def test_an_unknown_method_is_not_found() -> None:
    async with open_api() as api:
        for method in ("server/discover", "resources/list", "prompts/list", "nonsense", "x" * 10_000):
            answer = await rpc(api, method)
            assert (answer.status_code, answer.json()["error"]["code"]) == (200, -32601)


async def test_a_batch_is_answered_with_a_list_of_the_answers() -> None:
    async with open_api() as api:
        await add_trend(api, trend())
        call = {"name": "list_trends", "arguments": {}}
        batch = [
            PING,
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": "two", "method": "tools/call", "params": call},
            7,
        ]
        answer = await post(api, batch)
        assert answer.status_code == 200
        first, second, third = answer.json()
        assert first == {"jsonrpc": "2.0", "id": 1, "result": {}}
        assert (second["id"], second["result"]["structuredContent"]["total"]) == ("two", 1)
        assert third["error"]["code"] == -32600
        told_nothing = await post(api, [{"jsonrpc": "2.0", "method": "notifications/initialized"}] * 2)
        assert (told_nothing.status_code, told_nothing.content) == (202, b"")


async def test_batches_are_bounded_and_of_one_version_alone() -> None:
    hello = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    async with open_api() as api:
        assert (await post(api, [PING] * (MAX_BATCH + 1))).json()["error"]["code"] == -32600
        newer = await post(api, [PING], headers={"MCP-Protocol-Version": "2025-06-18"})
        assert (newer.status_code, newer.json()["error"]["code"]) == (400, -32600)
        same = await post(api, [PING], headers={"MCP-Protocol-Version": "2025-03-26"})
        assert same.json() == [{"jsonrpc": "2.0", "id": 1, "result": {}}]
        [refused] = (await post(api, [{**PING, "method": "initialize", "params": hello}])).json()
        assert "initialize" in refused["error"]["message"]


async def test_every_message_counts_against_the_address_or_the_tenant() -> None:
    limiter = Generous()
    async with open_api(limiter=limiter) as api:
        limiter.taken.clear()
        await post(api, [PING] * 3)
        assert [subject.partition(":")[0] for subject in limiter.taken] == ["mcp"] * 3
        limiter.taken.clear()
        await post(api, [PING] * 2, key=api.key)
        assert limiter.taken == [f"tenant:{api.house.caller.tenant_id}"] * 2
        limiter.allowed = 2
        answer = await post(api, [PING] * 3)
        assert (answer.status_code, problem_of(answer)["code"]) == (429, "rate_limited")
        assert answer.headers["retry-after"]
        assert (await post(api, PING)).status_code == 429


async def test_a_key_that_does_not_work_is_a_401_and_not_nobody() -> None:
    async with open_api() as api:
        for headers in ({"X-API-Key": "wrong"}, {"Authorization": "Bearer wrong"}, {"Authorization": "Bearer"}):
            answer = await rpc(api, "tools/list", headers=headers)
            assert (answer.status_code, problem_of(answer)["code"]) == (401, "unauthenticated")
        both = await rpc(api, "tools/list", key=api.key, headers={"Authorization": "Bearer other"})
        assert both.status_code == 401
        bearer = await rpc(api, "tools/list", headers={"Authorization": f"Bearer {api.key}"})
        assert len(bearer.json()["result"]["tools"]) == 31
        proxy = await rpc(api, "tools/list", headers={"Authorization": "Basic dTpw"})
        assert len(proxy.json()["result"]["tools"]) == 7


async def test_a_body_is_bounded_and_must_be_json() -> None:
    async with open_api() as api:
        huge = {"name": "search_trends", "arguments": {"query": "x" * 70_000}}
        assert (await rpc(api, "tools/call", huge)).status_code == 413
        large = {"name": "search_trends", "arguments": {"query": "x" * 50_000}}
        answer = (await rpc(api, "tools/call", large)).json()["result"]
        assert "query: at most 200 characters" in answer["content"][0]["text"]
        wrong = await api.call("POST", PATH, key=None, content=json.dumps(PING), headers={"Content-Type": "text/plain"})
        assert wrong.status_code == 415


async def test_logs_name_the_tool_and_nothing_that_was_said(caplog: pytest.LogCaptureFixture) -> None:
    async with open_api() as api:
        with structlog.testing.capture_logs() as logs:
            for arguments in ({"query": "confidential"}, {"query": "confidential", "secret": 1}, "confidential"):
                await rpc(api, "tools/call", {"name": "search_trends", "arguments": arguments})
            await rpc(api, "tools/call", {"name": "get_trend", "arguments": {"slug": "confidential"}})
            await rpc(api, "tools/call", {"name": "confidential"})
            await rpc(api, "confidential", {"confidential": 1}, id="confidential")
            await rpc(api, "notifications/progress", {"progressToken": {"confidential": 1}}, id=None)
            await post(api, b'{"confidential')
    called = [line for line in logs if line["event"] == "tool"]
    assert [(line["tool"], line["outcome"]) for line in called] == [
        ("search_trends", "ok"),
        ("search_trends", "invalid_input"),
        ("get_trend", "not_found"),
    ]
    assert "confidential" not in str(logs)
    assert "confidential" not in caplog.text


async def test_the_service_ends_while_an_agent_is_known() -> None:
    async with open_api() as api:
        await rpc(api, "ping")
    async with open_api():
        pass


async def test_both_addresses_are_the_same() -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with open_api() as api:
        one, other = [await api.client.post(path, json=message) for path in ("/mcp", "/mcp/sse")]
        assert one.status_code == 200
        assert one.json() == other.json()
        assert (await api.client.post("/mcp", json=message, headers={"Host": "evil.example"})).status_code == 403
