"""Publications: one post at one target, what is known of it, and the table of its states.

A target offers no exactly-once delivery, and an answer may be lost after the call had its effect. So each call is
recorded before it is made; after a call without a known outcome the target is asked for the post, and where it cannot
be asked the state is `unknown`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from attrs import evolve, field, frozen

from contentgen_core.errors import IllegalTransition
from contentgen_core.model.ids import ArticleId, IntegrationId, JobId, PublicationId, TenantId


class PublicationStatus(StrEnum):
    """pending: under way; published: read back at the target (also as a draft or for a later time, if that was
    requested); failed: the target does not have it; unknown: it can only be found out by looking at the target."""

    PENDING = "pending"
    PUBLISHED = "published"
    FAILED = "failed"
    UNKNOWN = "unknown"


_S = PublicationStatus

TRANSITIONS: Final[dict[PublicationStatus, frozenset[PublicationStatus]]] = {
    _S.PENDING: frozenset({_S.PUBLISHED, _S.FAILED, _S.UNKNOWN}),
    _S.PUBLISHED: frozenset({_S.PENDING}),
    _S.FAILED: frozenset({_S.PENDING, _S.PUBLISHED}),
    _S.UNKNOWN: frozenset({_S.PENDING, _S.PUBLISHED, _S.FAILED}),
}
"""Back to pending by publishing again; from failed or unknown to published, and from unknown to failed, by a person who
has looked at the target."""


class PostStatus(StrEnum):
    """The state of a post that is requested, or found, at the target."""

    DRAFT = "draft"
    PUBLISHED = "published"
    SCHEDULED = "scheduled"


class CallKind(StrEnum):
    CREATE = "create"
    UPDATE = "update"


@frozen
class Attempt:
    """A call that was started and whose outcome is not known (yet)."""

    kind: CallKind
    started_at: datetime
    content_hash: str


@frozen
class PostRequest:
    """What a caller wants published. None is taken from the article; without an article, `title` and `content` are
    given. `options`: as the provider declares them."""

    title: str | None = None
    content: str | None = None
    excerpt: str | None = None
    slug: str | None = None
    tags: tuple[str, ...] | None = None
    categories: tuple[str, ...] | None = None
    status: PostStatus = PostStatus.PUBLISHED
    scheduled_for: datetime | None = None
    featured_image: str | None = None
    canonical_url: str | None = None
    options: Mapping[str, Any] = field(factory=dict)


@frozen
class Publication:
    """A post at a target. `article_id`: None for content that is no article. `external_key`: our name for the post, for
    targets that store one. `attempt`: a call under way, or one whose outcome is unknown. `content_hash`: of what the
    target has. `post_status`: the state that was read back. `revision` grows with each stored change."""

    id: PublicationId
    tenant_id: TenantId
    integration_id: IntegrationId
    provider: str
    request: PostRequest
    created_at: datetime
    updated_at: datetime
    article_id: ArticleId | None = None
    status: PublicationStatus = PublicationStatus.PENDING
    attempt: Attempt | None = None
    content_hash: str | None = None
    remote_id: str | None = None
    url: str | None = None
    post_status: PostStatus | None = None
    error: str | None = None
    published_at: datetime | None = None
    job_id: JobId | None = None
    revision: int = 0

    @property
    def external_key(self) -> str:
        """The name of the post that is given to targets which can store one."""
        return f"contentgen-{self.id}"

    @property
    def in_doubt(self) -> bool:
        """Whether a post may have been created whose id we do not know."""
        return self.attempt is not None and self.attempt.kind is CallKind.CREATE

    def moved_to(self, status: PublicationStatus, now: datetime) -> Publication:
        """The publication in another state. Raises IllegalTransition."""
        if status not in TRANSITIONS[self.status]:
            raise IllegalTransition(f"A publication that is {self.status} cannot become {status}.")
        return evolve(self, status=status, updated_at=now)

    def requested_again(self, request: PostRequest, job_id: JobId, now: datetime) -> Publication:
        """The publication, pending (again) with this request."""
        asked = self if self.status is _S.PENDING else self.moved_to(_S.PENDING, now)
        return evolve(asked, request=request, job_id=job_id, error=None, updated_at=now)

    def attempt_started(self, content_hash: str, now: datetime) -> Publication:
        """The publication as it is recorded right before a call."""
        kind = CallKind.UPDATE if self.remote_id is not None else CallKind.CREATE
        return evolve(self, attempt=Attempt(kind, now, content_hash), updated_at=now)

    def without_effect(self) -> Publication:
        """The publication after a call that certainly had no effect."""
        return evolve(self, attempt=None)

    def known_as(self, remote_id: str, url: str | None) -> Publication:
        """The publication with the id of its post at the target: from now on it is updated, never created."""
        return evolve(self, remote_id=remote_id, url=url or self.url)

    def succeeded(
        self, remote_id: str, url: str | None, post_status: PostStatus, content_hash: str | None, now: datetime
    ) -> Publication:
        """The publication, published. Raises IllegalTransition."""
        return evolve(
            self.moved_to(_S.PUBLISHED, now),
            remote_id=remote_id,
            url=url,
            post_status=post_status,
            content_hash=content_hash,
            attempt=None,
            error=None,
            job_id=None,
            published_at=(self.published_at or now) if post_status is PostStatus.PUBLISHED else self.published_at,
        )

    def ended(self, reason: str, now: datetime) -> Publication:
        """The publication after its last attempt failed: failed, or unknown where a post may have been created. Raises
        IllegalTransition."""
        status = _S.UNKNOWN if self.in_doubt and self.remote_id is None else _S.FAILED
        return evolve(self.moved_to(status, now), error=reason, job_id=None)
