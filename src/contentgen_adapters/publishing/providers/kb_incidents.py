"""Publish to the platform's own public articles (incident KB): publishing makes the article itself public."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Final, TypeVar

from attrs import frozen

from contentgen_adapters.publishing.provider import Connection, Provider
from contentgen_core.errors import ConcurrentChange, Conflict, InvalidInput, NotFound
from contentgen_core.model.article import PublicCategory
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.publication import PostStatus
from contentgen_core.model.publishing_target import (
    Choice,
    Feature,
    FieldType,
    IntegrationConstraints,
    Post,
    ProviderInfo,
    PublicArticle,
    PublishOptionField,
    RemotePost,
)
from contentgen_core.ports.publishing import PublishFailed, Refusal, TenantPublicArticles

T = TypeVar("T")

NAME: Final = "kb-incidents"
CATEGORIES: Final = (
    Choice(PublicCategory.HALLUCINATIONS, "Hallucinations"),
    Choice(PublicCategory.RAG_FAILURES, "Failures of retrieval"),
    Choice(PublicCategory.PROMPT_INJECTION, "Prompt injection"),
    Choice(PublicCategory.DATA_LEAKS, "Data leaks"),
    Choice(PublicCategory.BIAS, "Bias"),
    Choice(PublicCategory.REGULATION, "Regulation"),
    Choice(PublicCategory.SAFETY, "Safety"),
    Choice(PublicCategory.OTHER, "Other"),
)
"""All public categories but the trend radar, which has pages of its own."""


@frozen
class IncidentPublisher:
    public_articles: TenantPublicArticles

    async def test(self) -> str:
        return "Articles become public ones of this service."

    async def find(self, post: Post) -> RemotePost | None:
        return await self.read(_article_of(post))

    async def create(self, post: Post) -> RemotePost:
        article, category = _article_of(post), _category_of(post)
        return _remote(await _publish_failures(self.public_articles.publish(article, post.slug, category)))

    async def update(self, remote_id: str, post: Post) -> RemotePost:
        """Updates a public article; one that a platform administrator unpublished stays private."""
        if await self.read(remote_id) is None:
            raise PublishFailed(NAME, "the article is no longer public", Refusal.GONE)
        return _remote(
            await _publish_failures(self.public_articles.publish(ArticleId(remote_id), post.slug, _category_of(post)))
        )

    async def read(self, remote_id: str) -> RemotePost | None:
        article = await self.public_articles.read(ArticleId(remote_id))
        return None if article is None else _remote(article)

    async def delete(self, remote_id: str) -> None:
        """Makes the article private again; it stays in the service."""
        await _publish_failures(self.public_articles.withdraw(ArticleId(remote_id)))

    async def options(self) -> tuple[PublishOptionField, ...]:
        return ()


def _article_of(post: Post) -> ArticleId:
    if post.article_id is None:
        message = "only an article can become public: publish one by its articleId, not a title and content"
        raise PublishFailed(NAME, message, Refusal.INVALID)
    return ArticleId(post.article_id)


def _category_of(post: Post) -> PublicCategory | None:
    chosen = post.options.get("category")
    if chosen and chosen not in {choice.value for choice in CATEGORIES}:
        raise PublishFailed(NAME, f"there is no category {chosen[:50]!r}", Refusal.INVALID)
    return PublicCategory(chosen) if chosen else None


async def _publish_failures(work: Awaitable[T]) -> T:
    """Translates the core's errors into PublishFailed. A failure had no effect: the work is one transaction."""
    try:
        return await work
    except NotFound as error:
        raise PublishFailed(NAME, "there is no such article", Refusal.GONE) from error
    except ConcurrentChange as error:
        raise PublishFailed(NAME, error.detail, Refusal.TRANSIENT) from error
    except Conflict as error:
        raise PublishFailed(NAME, error.detail, Refusal.CONFLICT) from error


def _remote(article: PublicArticle) -> RemotePost:
    return RemotePost(article.id, PostStatus.PUBLISHED, article.url)


def _build(connection: Connection) -> IncidentPublisher:
    if connection.public_articles is None:
        raise InvalidInput.of("provider", "has no public articles here: it works within the service alone")
    return IncidentPublisher(connection.public_articles)


PROVIDER: Final = Provider(
    ProviderInfo(
        id=NAME,
        name="Incident KB",
        icon=(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor"'
            ' stroke-width="2"><path d="M5 3h11l3 3v15H5zM12 8v5"/><circle cx="12" cy="16.5" r=".5"/></svg>'
        ),
        features=(Feature.PUBLISH, Feature.UPDATE, Feature.FIND, Feature.IDEMPOTENT, Feature.SLUG, Feature.DELETE),
        credential_fields=(),
        option_fields=(
            PublishOptionField("category", "Category", FieldType.SELECT, choices=CATEGORIES,
                               help="Where readers find it. Empty: the one it has, else Other."),
        ),
        constraints=IntegrationConstraints(
            body_format="The article itself",
            cannot=(
                "It is the article itself that becomes public: another title, text, excerpt or picture given for the"
                " publishing alone is not shown, and what is changed in the article later shows at once.",
                "Only articles can be published, no other content, and there are no drafts.",
                "It is connected by platform administrators only; they also take an article back (isPublic).",
                "A slug that another public article has gets a number.",
                "The address is known where the operator says where the service is reached (CONTENTGEN_PUBLIC_URL).",
            ),
        ),
        platform_only=True,
    ),
    _build,
)  # fmt: skip
