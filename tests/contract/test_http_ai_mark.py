"""The mark of what a language model wrote, in exports, posts and public pages: on request alone."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_core.model.ai_use import AiUse
from contentgen_core.model.article import EXTRACTIVE, Usage
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.ai_mark import SCHEMA_TYPES, SENTENCES, SOURCE_TYPES
from contentgen_core.ports.repositories.articles import Articles
from tests.support.http import NICHE, Api, faults_of, open_api

SENTENCE, ADDRESS = SENTENCES[Language.EN][0], SOURCE_TYPES[AiUse.GENERATED]
SETTINGS = f"/niches/{NICHE}/settings"


async def ok(api: Api, method: str, path: str, body: object = None) -> Any:
    answer = await api.call(method, path, body)
    assert answer.status_code == 200, answer.text
    return answer


async def exported(api: Api, id: str, format: str, **asked: str) -> str:
    query = "".join(f"&{name}={value}" for name, value in asked.items())
    text: str = (await ok(api, "GET", f"/writer/{id}/export-pdf?format={format}{query}")).text
    return text


async def sent(api: Api, id: str, **asked: object) -> str:
    """The text that a target gets, at a new integration."""
    body = {"provider": "memory", "name": "Blog", "credentials": {"token": TOKEN, "blog": f"b{len(asked)}"}}
    integration = (await ok(api, "POST", "/integrations", body)).json()["integration"]
    await ok(api, "POST", f"/integrations/{integration['id']}/publish", {"articleId": id, **asked})
    await api.house.work()
    post = list(api.house.target.posts.values())[-1]
    markdown: str = post.markdown
    return markdown


@pytest.mark.parametrize("format", ["html", "markdown"])
async def test_an_export_has_the_mark_on_request_alone(format: str) -> None:
    async with open_api() as api:
        id = (await api.written())["id"]
        plain = await exported(api, id, format)
        assert "digitalsource" not in plain.lower()
        assert await exported(api, id, format, aiMark="false") == plain
        marked = await exported(api, id, format, aiMark="true")
        assert SENTENCE in marked
        assert ADDRESS in marked
        assert (SCHEMA_TYPES[AiUse.GENERATED] in marked) == (format == "html")
        assert faults_of(await api.call("GET", f"/writer/{id}/export-pdf?aiMark=yes")).keys() == {"aiMark"}


async def test_a_niche_has_its_articles_marked_everywhere_until_a_request_says_otherwise() -> None:
    async with open_api() as api:
        id = (await api.written())["id"]
        plain = await exported(api, id, "markdown")
        before = (await ok(api, "GET", SETTINGS)).json()
        assert "aiMark" not in before
        assert (await ok(api, "PATCH", SETTINGS, {"aiMark": True})).json() == before | {"aiMark": True}
        assert SENTENCE in await exported(api, id, "markdown")
        assert await exported(api, id, "markdown", aiMark="false") == plain
        assert (await ok(api, "PATCH", SETTINGS, {"tones": ["casual"]})).json()["aiMark"] is True
        assert "aiMark" not in (await ok(api, "PATCH", SETTINGS, {"aiMark": False})).json()
        assert await exported(api, id, "markdown") == plain
        assert faults_of(await api.call("PATCH", SETTINGS, {"aiMark": "yes"})).keys() == {"aiMark"}


async def test_a_post_has_the_mark_on_request_alone() -> None:
    async with open_api() as api:
        id = (await api.written())["id"]
        assert SENTENCE not in await sent(api, id)
        assert (await sent(api, id, aiMark=True)).startswith(f"*[{SENTENCE}]({ADDRESS})*\n\n")


async def test_what_no_model_wrote_has_no_mark() -> None:
    async with open_api() as api:
        id = (await api.written())["id"]
        async with api.house.services.ports.unit_of_work() as tx:
            article = await tx[Articles].get(api.house.caller.tenant_id, ArticleId(id))
            await tx[Articles].save(evolve(article, usage=Usage(EXTRACTIVE)))
        assert await exported(api, id, "markdown", aiMark="true") == await exported(api, id, "markdown")


async def test_public_pages_have_the_mark_of_the_articles_niche() -> None:
    async with open_api() as api:
        id = ArticleId((await api.written())["id"])
        async with api.house.services.ports.unit_of_work() as tx:
            article = await tx[Articles].get(api.house.caller.tenant_id, id)
            await tx[Articles].save(evolve(article, slug="heat", is_public=True))
        public = api.house.services.public.read
        plain = await public.article("heat")
        site = api.house.services.options.site
        assert plain.content == article.content
        assert "digitalSourceType" not in (await public.article_html(plain, None, site)).head
        await ok(api, "PATCH", SETTINGS, {"aiMark": True})
        marked = await public.article("heat")
        assert marked.content.startswith(f"*[{SENTENCE}]({ADDRESS})*")
        page = await public.article_html(marked, None, site)
        assert f'"digitalSourceType": "{SCHEMA_TYPES[AiUse.GENERATED]}"' in page.head
        assert page.body.count(SENTENCE) == 1
