"""Publishing targets: the operations on a post, and the meaning of their failures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Protocol

from contentgen_core.errors import ProviderFailed
from contentgen_core.model.article import PublicCategory
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.model.publishing_target import Post, ProviderInfo, PublicArticle, PublishOptionField, RemotePost


class Refusal(StrEnum):
    """The reason of a failed call, as far as the next step depends on it."""

    CREDENTIALS = "credentials"
    PERMISSION = "permission"
    INVALID = "invalid"
    GONE = "gone"
    CONFLICT = "conflict"
    LIMITED = "limited"
    TRANSIENT = "transient"


class PublishFailed(ProviderFailed):
    """A target did not do what was requested. `outcome_unknown`: whether the call may have had its effect (no answer,
    or one of a broken server)."""

    def __init__(
        self,
        provider: str,
        message: str,
        refusal: Refusal,
        *,
        outcome_unknown: bool = False,
        retry_after: float | None = None,
    ) -> None:
        retryable = refusal in (Refusal.LIMITED, Refusal.TRANSIENT)
        super().__init__(provider, message, retryable=retryable, retry_after=retry_after)
        self.refusal, self.outcome_unknown = refusal, outcome_unknown


class LookupUnsupported(Exception):
    """The target has no way to look a post up."""


class Publisher(Protocol):
    """One target with one tenant's credentials. Every method raises PublishFailed. None repeats a call that may have
    had an effect."""

    async def test(self) -> str:
        """Check the credentials; what they give access to, in words for a person (`Blog "Heat at home", as Ada`)."""
        ...

    async def find(self, post: Post) -> RemotePost | None:
        """The post that an earlier attempt created from this one, if any. Raises LookupUnsupported."""
        ...

    async def create(self, post: Post) -> RemotePost:
        """Create the post. An answer without a known outcome is PublishFailed with `outcome_unknown`."""

    async def update(self, remote_id: str, post: Post) -> RemotePost:
        """Raises PublishFailed with GONE when the target no longer has it."""
        ...

    async def read(self, remote_id: str) -> RemotePost | None:
        """The post at the target; None when it is gone. Raises LookupUnsupported."""
        ...

    async def options(self) -> Sequence[PublishOptionField]:
        """The options of this target: categories, authors, collections, … with their values."""
        ...


class Unpublishes(Protocol):
    """The publisher of a target that declares `Feature.UNPUBLISH`."""

    async def unpublish(self, remote_id: str) -> None:
        """Make a public or scheduled post a draft; one that is a draft stays so. Raises PublishFailed."""
        ...


class Deletes(Protocol):
    """The publisher of a target that declares `Feature.DELETE`."""

    async def delete(self, remote_id: str) -> None:
        """Delete a post, or move it to the target's trash. Raises PublishFailed, with GONE when there is none."""
        ...


class FindsTwins(Protocol):
    """The publisher of a target that declares `Feature.TWINS`, and so `Feature.DELETE`."""

    async def copies(self, post: Post) -> Sequence[RemotePost]:
        """Return all posts that bear our key, the known one among them. Raises PublishFailed, LookupUnsupported."""
        ...


class TenantPublicArticles(Protocol):
    """One tenant's articles on the platform's public pages."""

    async def publish(self, article_id: ArticleId, slug: str, category: PublicCategory | None) -> PublicArticle:
        """Make an article public, or change its slug and category; idempotent. `slug` gets a number where another
        public article has it; `category`: None keeps the present one. Raises NotFound, Conflict while it is being
        written, ConcurrentChange when it keeps changing."""
        ...

    async def withdraw(self, article_id: ArticleId) -> None:
        """Take an article back from the public ones; idempotent. Raises NotFound, ConcurrentChange when it keeps
        changing."""
        ...

    async def read(self, article_id: ArticleId) -> PublicArticle | None:
        """Return the article; None when there is no such article, or it is not public."""
        ...


class PublishingTargets(Protocol):
    """The available providers, built in or from other packages."""

    def all(self) -> Sequence[ProviderInfo]:
        """Return the targets ordered by id."""
        ...

    def get(self, provider: str) -> ProviderInfo:
        """Raises NotFound."""
        ...

    def connect(
        self, provider: str, credentials: Mapping[str, Any], settings: Mapping[str, Any], tenant_id: TenantId
    ) -> Publisher:
        """A publisher for the tenant. `credentials`: with the secret ones in clear text. Raises NotFound, InvalidInput
        naming a field."""
        ...
