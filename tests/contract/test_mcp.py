"""What an agent finds without a key, by the protocol's own client."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import pytest
from mcp.shared.exceptions import MCPError

from contentgen_core.model.article import PublicCategory
from contentgen_core.model.vocabulary import Language
from contentgen_core.testing import builders
from contentgen_http.mcp.bounds import MAX_TEXT
from contentgen_http.mcp.toolbox import OVER_HTTP
from tests.support.http import open_api
from tests.support.mcp import add_article, add_trend, agent, answer_of, post, refused, rpc, source, trend

FOR_EVERYBODY = [
    "list_trends",
    "get_trend",
    "search_trends",
    "list_niches",
    "list_articles",
    "get_article",
    "search_articles",
]
FOR_TENANTS = [
    *("check_coverage", "plan_article", "write_article", "article_status", "search_kb", "verify_text"),
    "edit_plan",
    *("list_agents", "my_articles", "freshness", "patch_article", "publish_article"),
    *("updates", "propose_update", "accept_update", "reject_update"),
    *("similar_articles", "article_links", "propose_links", "accept_link", "reject_link"),
    *("submit_article", "approve_article", "send_article_back"),
]


@pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])
async def test_an_agent_begins_lists_and_calls(mode: str) -> None:
    async with open_api() as api:
        await add_trend(api, trend())
        async with agent(api, mode=mode) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == FOR_EVERYBODY
            assert (await answer_of(client, "list_trends"))["total"] == 1


@pytest.mark.parametrize("version", ["2025-03-26", "2025-06-18", "2025-11-25"])
async def test_each_version_since_2025_03_26_is_spoken(version: str) -> None:
    hello = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    async with open_api() as api:
        answer = (await rpc(api, "initialize", hello)).json()["result"]
        assert answer["protocolVersion"] == version
        assert set(answer["capabilities"]) == {"tools"}
        assert answer["serverInfo"]["name"] == "contentgen"
        listed = (await rpc(api, "tools/list", headers={"MCP-Protocol-Version": version})).json()["result"]["tools"]
        assert [tool["name"] for tool in listed] == FOR_EVERYBODY


async def test_tools_for_tenants_are_listed_with_a_key_alone() -> None:
    async with open_api() as api, agent(api, api.key) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == FOR_EVERYBODY + FOR_TENANTS


async def test_a_tool_for_tenants_says_without_a_key_how_to_get_one() -> None:
    async with open_api() as api, agent(api) as client:
        for name in FOR_TENANTS:
            assert "X-API-Key" in await refused(client, name)


async def test_every_tool_describes_itself_and_all_that_it_reads_and_answers() -> None:
    async with open_api() as api, agent(api, api.key) as client:
        tools = (await client.list_tools()).tools
    for tool in tools:
        assert tool.title
        assert tool.description is not None
        assert len(tool.description) > 60
        assert tool.annotations is not None
        changes = (
            *("check_coverage", "plan_article", "edit_plan", "write_article", "patch_article", "publish_article"),
            *("propose_update", "accept_update", "reject_update", "propose_links", "accept_link", "reject_link"),
            *("submit_article", "approve_article", "send_article_back"),
        )
        assert tool.annotations.read_only_hint is not (tool.name in changes)
        assert tool.annotations.destructive_hint is False
        for schema in (tool.input_schema, tool.output_schema):
            assert schema is not None
            assert schema["type"] == "object"
            jsonschema_rs.Draft202012Validator(schema)
            assert "$ref" not in str(schema)
            for name, argument in schema["properties"].items():
                assert argument.get("description"), f"{tool.name}.{name}"
        assert tool.input_schema["additionalProperties"] is False


async def test_trends_are_listed_by_score_and_by_niche() -> None:
    async with open_api() as api:
        await add_trend(api, trend("low", score=10))
        await add_trend(api, trend("high", score=90.04))
        await add_trend(api, trend("elsewhere", score=95, niche_key="ecommerce"))
        async with agent(api) as client:
            assert [t["slug"] for t in (await answer_of(client, "list_trends"))["trends"]] == [
                "elsewhere",
                "high",
                "low",
            ]
            listed = await answer_of(client, "list_trends", nicheKey="home-energy", limit=1)
    assert listed["total"] == 2
    assert not listed["truncated"]
    [shown] = listed["trends"]
    assert (shown["slug"], shown["score"], shown["sourceCount"], shown["publishers"]) == ("high", 90.0, 2, 2)
    assert shown["sources"][0] == {
        "title": "Report 1 on heat pumps",
        "publisher": "Paper 1",
        "url": "https://news.example.org/1",
        "publishedAt": "2026-11-20T07:00:00Z",
    }


async def test_trends_are_searched_by_the_beginnings_of_words() -> None:
    async with open_api() as api:
        await add_trend(api, trend("solar", title="Solar roofs", summary="Cheaper panels."))
        await add_trend(api, trend("pumps", title="Heat pumps", summary="More of them."))
        async with agent(api) as client:
            assert [t["slug"] for t in (await answer_of(client, "search_trends", query="sol pan"))["trends"]] == [
                "solar"
            ]
            assert (await answer_of(client, "search_trends", query="wind"))["trends"] == []
            assert "query" in await refused(client, "search_trends", query="   ")


async def test_a_trend_comes_with_the_texts_of_its_sources() -> None:
    texts = {"https://news.example.org/1": "# One\n\nText one.", "https://news.example.org/2": "Text two."}
    async with open_api() as api:
        await add_trend(api, trend(sources=(source(1), source(2), source(3))), texts)
        async with agent(api) as client:
            found = await answer_of(client, "get_trend", slug="heat-pump-sales")
            assert [s["content"] for s in found["sources"]] == ["# One\n\nText one.", "Text two.", ""]
            assert [s["number"] for s in found["sources"]] == [1, 2, 3]
            assert (found["truncated"], found["sourceCount"]) == (False, 3)
            [second] = (await answer_of(client, "get_trend", slug="heat-pump-sales", source=2))["sources"]
            assert (second["number"], second["content"]) == (2, "Text two.")
            assert "3 sources" in await refused(client, "get_trend", slug="heat-pump-sales", source=4)


async def test_the_rest_of_a_cut_text_is_got_by_the_number_of_its_source() -> None:
    long = "A sentence about heat pumps. " * 680
    texts = {f"https://news.example.org/{n}": long for n in (1, 2, 3)}
    async with open_api() as api:
        await add_trend(api, trend(sources=(source(1), source(2), source(3))), texts)
        async with agent(api) as client:
            found = await answer_of(client, "get_trend", slug="heat-pump-sales")
            assert found["truncated"]
            assert "source=<number>" in found["note"]
            assert sum(len(s["content"]) for s in found["sources"]) <= MAX_TEXT
            for cut in found["sources"]:
                assert cut["truncated"]
                assert cut["contentChars"] == len(long)
                [whole] = (await answer_of(client, "get_trend", slug="heat-pump-sales", source=cut["number"]))[
                    "sources"
                ]
                assert whole["content"] == long
                assert not whole["truncated"]


async def test_niches_tell_how_many_trends_they_have() -> None:
    async with open_api() as api:
        await add_trend(api, trend("one", score=40))
        await add_trend(api, trend("two", score=60))
        async with agent(api) as client:
            found = await answer_of(client, "list_niches")
    assert found["total"] == len(found["niches"]) == 10
    first, second = found["niches"][:2]
    assert (first["nicheKey"], first["name"], first["trends"], first["topScore"]) == (
        "home-energy",
        "Home energy",
        2,
        60.0,
    )
    assert (second["trends"], "topScore" in second) == (0, False)


async def test_public_articles_are_listed_by_category_and_language_and_searched() -> None:
    async with open_api() as api:
        await add_article(api, slug="fr-other", title="Pompes")
        await add_article(
            api,
            slug="en-bias",
            title="Biased pumps",
            brief=builders.brief(language=Language.EN),
            public_category=PublicCategory.BIAS,
        )
        await add_article(api, slug="hidden", title="Secret pumps", is_public=False)
        async with agent(api) as client:
            assert {a["slug"] for a in (await answer_of(client, "list_articles"))["articles"]} == {
                "fr-other",
                "en-bias",
            }
            [biased] = (await answer_of(client, "list_articles", category="bias"))["articles"]
            assert (biased["slug"], biased["category"], biased["language"]) == ("en-bias", "bias", "en")
            [french] = (await answer_of(client, "list_articles", language="fr"))["articles"]
            assert french["slug"] == "fr-other"
            [searched] = (await answer_of(client, "search_articles", query="bias", language="en"))["articles"]
            assert searched["slug"] == "en-bias"
            assert (await answer_of(client, "search_articles", query="secret"))["total"] == 0
            second = await answer_of(client, "list_articles", limit=1, page=2)
            assert (len(second["articles"]), second["total"]) == (1, 2)
            assert "one of trend-radar" in await refused(client, "list_articles", category="nonsense")


async def test_an_article_is_read_with_its_sources_piece_by_piece() -> None:
    content = "\n\n".join(f"Paragraph {n} says that a heat pump moves heat. [1]" for n in range(1_500))
    async with open_api() as api:
        await add_article(api, slug="long", content=content)
        async with agent(api) as client:
            first = await answer_of(client, "get_article", slug="long")
            assert first["sources"] == [
                {
                    "number": 1,
                    "title": "A source",
                    "url": "https://example.com/a",
                    "author": "Bob Volt",
                    "published": "2026-03-10",
                }
            ]
            assert (first["contentChars"], first["truncated"]) == (len(content), True)
            read, offset = first["content"], first["nextOffset"]
            while offset is not None:
                piece = await answer_of(client, "get_article", slug="long", offset=offset)
                assert 0 < len(piece["content"]) <= MAX_TEXT
                read, offset = read + piece["content"], piece.get("nextOffset")
            assert read == content
            assert f"{len(content)} characters" in await refused(client, "get_article", slug="long", offset=10**6)


async def test_what_is_not_public_cannot_be_read() -> None:
    async with open_api() as api:
        await add_article(api, slug="hidden", is_public=False)
        await add_article(api, slug="empty", content="")
        async with agent(api) as client:
            for slug in ("hidden", "empty", "nothing"):
                assert "not_found" in await refused(client, "get_article", slug=slug)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "slug: is required"),
        ({"slug": 5}, "slug: must be string, got integer"),
        ({"slug": ""}, "slug: at least 1 characters"),
        ({"slug": "x" * 201}, "slug: at most 200 characters"),
        ({"slug": "a\0b"}, "slug: must hold whole characters and no NUL"),
        ({"slug": "a", "source": 0}, "source: at least 1"),
        ({"slug": "a", "source": 10**40}, "source"),
        ({"slug": "a", "colour": "blue"}, "colour: is not a field of this operation"),
        ({"slug": {"a": ["b"]}}, "slug: must be string"),
        (
            {"slug": 5, "source": 0, "colour": "blue"},
            "- source: at least 1\n- colour: is not a field of this operation",
        ),
        ({"slug": "nothing"}, "There is no trend 'nothing'."),
        ({"slug": "' OR 1=1 --"}, "not_found"),
    ],
)
async def test_arguments_that_do_not_fit_are_told_to_the_agent(arguments: dict[str, Any], said: str) -> None:
    async with open_api() as api:
        answer = (await rpc(api, "tools/call", {"name": "get_trend", "arguments": arguments})).json()["result"]
    assert answer["isError"]
    assert said in answer["content"][0]["text"]


async def test_half_a_character_is_refused_in_every_version() -> None:
    envelope = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    body = (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_trends",'
        b'"arguments":{"query":"\\ud800"},"_meta":%b}}'
    )
    headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "search_trends"}
    async with open_api() as api:
        old = await post(api, body % b"{}")
        new = await post(api, body % json.dumps(envelope).encode(), headers=headers)
    assert (old.status_code, old.json()["error"]["code"]) == (400, -32700)
    assert (new.status_code, new.json()["error"]["code"]) == (400, -32700)


async def test_an_unknown_tool_is_an_error_of_the_protocol() -> None:
    async with open_api() as api, agent(api, mode="legacy") as client:
        with pytest.raises(MCPError, match="no such tool"):
            await client.call_tool("drop_tables", {})


async def test_what_breaks_inside_is_told_without_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    from contentgen_core.use_cases.public.read_public import ReadPublic

    async def broken(_: ReadPublic) -> None:
        raise RuntimeError("password=hunter2")

    monkeypatch.setattr(ReadPublic, "niches", broken)
    async with open_api() as api, agent(api) as client:
        said = await refused(client, "list_niches")
    assert "went wrong" in said
    assert "hunter2" not in said


def test_the_toolbox_holds_each_tool_once() -> None:
    assert [tool.name for tool in OVER_HTTP] == FOR_EVERYBODY + FOR_TENANTS
