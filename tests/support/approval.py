"""Articles, places and people of tests of approval."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_core.model.approval import ApprovalState
from contentgen_core.model.article import Article, ArticleSource, ArticleStatus, Usage
from contentgen_core.model.ids import ArticleId, UserId
from contentgen_core.model.knowledge import KbView
from contentgen_core.model.publication import PostRequest, Publication
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.testing import builders
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.integrations.manage_integrations import NewIntegration
from contentgen_core.use_cases.knowledge.retitle_document import RetitleDocument
from contentgen_core.use_cases.publishing.start import PublishCommand
from tests.support.house import NICHE, House

EDITOR = UserId("an editor")


async def an_article(house: House, content: str = "Heat moves.\n") -> ArticleId:
    article = builders.article(
        tenant_id=house.caller.tenant_id, niche_key=NICHE, status=ArticleStatus.GENERATED, content=content
    )
    async with house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(article)
    return article.id


async def with_a_source(house: House) -> Article:
    """An article that cites a document of the knowledge base."""
    async with house.services.ports.unit_of_work() as tx:
        view = KbView(NICHE, house.caller.tenant_id)
        document = (await tx[Knowledge].sample(view, 1))[0].document
        source = ArticleSource(1, document.title, document.id, 0, document.url)
        id = await an_article(house, "Heat moves.[1]\n")
        article = evolve(await tx[Articles].get(house.caller.tenant_id, id), sources=(source,))
        return await tx[Articles].save(evolve(article, usage=Usage("a model", 1, 1)))


async def retitled(house: House, article: Article, title: str) -> None:
    async with house.services.ports.unit_of_work() as tx:
        retitle = RetitleDocument(house.services.ports.analysis)
        await retitle(tx, article.sources[0].parent_id, title)


async def published(house: House, article_id: ArticleId, request: PostRequest, place: Any) -> Publication:
    command = PublishCommand(editor(house), place.id, article_id, request)
    publication = await house.services.publishing.publish.to_integration(command)
    await house.work()
    return await house.services.publishing.publications.get(house.caller, publication.id)


async def demanded(house: House, **rules: Any) -> None:
    await house.services.writing.approval_policies.set(house.caller, NICHE, **{"required": True} | rules)


async def connected(house: House) -> Any:
    made = NewIntegration(house.caller, "memory", "Blog", True, {"token": TOKEN, "blog": "heat"}, {})
    return await house.services.publishing.integrations.create(made)


async def edited(house: House, article_id: ArticleId, **changes: Any) -> Article:
    return await house.services.writing.edit(EditArticleCommand(house.caller, article_id, **changes))


def editor(house: House) -> Caller:
    return evolve(house.caller, user_id=EDITOR, role=Role.EDITOR)


async def state(house: House, article_id: ArticleId) -> ApprovalState:
    return (await house.article(article_id)).approval_state
