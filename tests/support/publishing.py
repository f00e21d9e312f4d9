"""Posts that are asked for and delivered, and the faults of their targets."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from attrs import evolve

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.integration import Integration
from contentgen_core.model.publication import (
    PostRequest,
    Publication,
    PublicationStatus,
)
from contentgen_core.ports.publishing import PublishFailed, Refusal
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.testing import builders
from contentgen_core.use_cases.integrations.manage_integrations import NewIntegration
from contentgen_core.use_cases.publishing.start import PublishCommand
from tests.support.house import NICHE, House


async def connected(house: House, name: str = "Blog") -> Integration:
    made = NewIntegration(house.caller, "memory", name, True, {"token": TOKEN, "blog": "heat"}, {})
    return await house.services.publishing.integrations.create(made)


async def an_article(house: House) -> ArticleId:
    article = builders.article(
        tenant_id=house.caller.tenant_id, niche_key=NICHE, status=ArticleStatus.GENERATED, content="Heat moves [1].\n"
    )
    async with house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(article)
    return article.id


async def asked(house: House, integration: Integration, article_id: ArticleId | None, **request: object) -> Publication:
    """Record a publication; nobody waits for its outcome here."""
    command = PublishCommand(house.caller, integration.id, article_id, PostRequest(**request))  # type: ignore[arg-type]
    return await house.services.publishing.publish.to_integration(command)


async def delivered(house: House, publication: Publication, rounds: int = 12) -> Publication:
    """Work until the publication has ended, over all waits."""
    for _ in range(rounds):
        await house.work()
        publication = await house.services.publishing.publications.get(house.caller, publication.id)
        if publication.status is not PublicationStatus.PENDING:
            return publication
        house.clock.advance(minutes=5)
    return publication


def failing(*names: str, error: Callable[[], PublishFailed], times: int | None = 1) -> Callable[[str], None]:
    """Raise when one of these calls comes, so many times (None: always)."""
    left = count(times or 0, -1)

    def before(name: str) -> None:
        if name in names and (times is None or next(left) > 0):
            raise error()

    return before


def no_answer() -> PublishFailed:
    return PublishFailed("memory", "no answer in time", Refusal.TRANSIENT, outcome_unknown=True)


def overloaded() -> PublishFailed:
    return PublishFailed("memory", "HTTP 429", Refusal.LIMITED, retry_after=7.0)


def refused() -> PublishFailed:
    return PublishFailed("memory", "refused the key", Refusal.CREDENTIALS)


def invalid() -> PublishFailed:
    return PublishFailed("memory", "title is too long", Refusal.INVALID)


async def published(house: House, **request: object) -> Publication:
    integration, article_id = await connected(house), await an_article(house)
    return await delivered(house, await asked(house, integration, article_id, **request))


async def again(house: House, publication: Publication, **request: object) -> Publication:
    integration = await house.services.publishing.integrations.get(house.caller, publication.integration_id)
    return await delivered(house, await asked(house, integration, publication.article_id, **request))


async def looked_at(house: House, publication: Publication) -> Publication:
    [seen] = await house.services.publishing.verify.these(house.caller, [publication.id])
    assert seen == await house.services.publishing.publications.get(house.caller, publication.id)
    return seen


async def later(house: House, publication: Publication, **time: float) -> Publication:
    """The publication after a while, with the rounds that fall into it."""
    house.clock.advance(**time)
    await house.services.publishing.verify.due()
    return await house.services.publishing.publications.get(house.caller, publication.id)


def change_there(house: House, **changes: object) -> None:
    [(id, post)] = house.target.posts.items()
    house.target.posts[id] = evolve(post, **changes)
