"""Publishing targets: what can be done with a post at one, and what a failure there means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Protocol

from contentgen_core.errors import ProviderFailed
from contentgen_core.model.article import PublicCategory
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.model.publishing_target import Post, ProviderInfo, PublicArticle, PublishOptionField, RemotePost


class Refusal(StrEnum):
    """Why a call failed, as far as it matters for what comes next."""

    CREDENTIALS = "credentials"
    PERMISSION = "permission"
    INVALID = "invalid"
    GONE = "gone"
    CONFLICT = "conflict"
    LIMITED = "limited"
    TRANSIENT = "transient"


class PublishFailed(ProviderFailed):
    """A target did not do what was asked. `perhaps_done`: the call may have had its effect all the same (no answer, or
    one of a broken server)."""

    def __init__(
        self,
        provider: str,
        message: str,
        refusal: Refusal,
        *,
        perhaps_done: bool = False,
        retry_after: float | None = None,
    ) -> None:
        retryable = refusal in (Refusal.LIMITED, Refusal.TRANSIENT)
        super().__init__(provider, message, retryable=retryable, retry_after=retry_after)
        self.refusal, self.perhaps_done = refusal, perhaps_done


class CannotTell(Exception):
    """The target has no way to ask it for a post."""


class Publisher(Protocol):
    """One target with one tenant's credentials. Every method raises PublishFailed. None of them repeats a call that
    may have had an effect."""

    async def test(self) -> str:
        """Whether the credentials work: what they lead to, for a person (`Blog "Heat at home", as Ada`)."""
        ...

    async def find(self, post: Post) -> RemotePost | None:
        """The post that an earlier attempt made of this one, if any. Raises CannotTell."""
        ...

    async def create(self, post: Post) -> RemotePost: ...

    async def update(self, remote_id: str, post: Post) -> RemotePost:
        """Raises PublishFailed with GONE when the target no longer has it."""
        ...

    async def read(self, remote_id: str) -> RemotePost | None:
        """The post as it stands; None when it is gone. Raises CannotTell."""
        ...

    async def options(self) -> Sequence[PublishOptionField]:
        """What can be chosen there: categories, authors, collections, … with their values."""
        ...


class PublicShelf(Protocol):
    """The platform's own public articles, as far as they are one tenant's."""

    async def publish(self, article_id: ArticleId, slug: str, category: PublicCategory | None) -> PublicArticle:
        """Make an article public, or change how it is; repeating that changes nothing. `slug` gets a number where
        another public article has it. None: its category stays. Raises NotFound, Conflict while it is being written,
        ConcurrentChange when it is changed all the time."""
        ...

    async def read(self, article_id: ArticleId) -> PublicArticle | None:
        """None: there is no such article, or it is not public."""
        ...


class PublishingTargets(Protocol):
    """The providers at hand, built in or of other packages."""

    def all(self) -> Sequence[ProviderInfo]:
        """By id."""
        ...

    def get(self, provider: str) -> ProviderInfo:
        """Raises NotFound."""
        ...

    def connect(
        self, provider: str, credentials: Mapping[str, Any], settings: Mapping[str, Any], tenant_id: TenantId
    ) -> Publisher:
        """`credentials`: with the secret ones in clear. `tenant_id`: whose they are. Raises NotFound, InvalidInput
        naming a field."""
        ...
