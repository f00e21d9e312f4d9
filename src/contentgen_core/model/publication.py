"""Publications: one post at one target, what is known of it, and the table of its states.

A target offers no exactly-once delivery, and an answer may be lost after the call had its effect. So each call is
recorded before it is made; after a call without a known outcome the target is asked for the post, and where it cannot
be asked the state is `unknown`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from attrs import evolve, field, frozen

from contentgen_core.errors import IllegalTransition
from contentgen_core.model.ids import ArticleId, IntegrationId, JobId, PublicationId, TenantId


class PublicationStatus(StrEnum):
    """pending: under way; published: read back at the target (also as a draft or for a later time, if that was
    requested); failed: the target does not have it; unknown: it can only be found out by looking at the target;
    removed: the target does not have it any more, as it was asked to."""

    PENDING = "pending"
    PUBLISHED = "published"
    FAILED = "failed"
    UNKNOWN = "unknown"
    REMOVED = "removed"


_S = PublicationStatus

TRANSITIONS: Final[dict[PublicationStatus, frozenset[PublicationStatus]]] = {
    _S.PENDING: frozenset({_S.PUBLISHED, _S.FAILED, _S.UNKNOWN}),
    _S.PUBLISHED: frozenset({_S.PENDING, _S.FAILED, _S.REMOVED}),
    _S.FAILED: frozenset({_S.PENDING, _S.PUBLISHED, _S.REMOVED}),
    _S.UNKNOWN: frozenset({_S.PENDING, _S.PUBLISHED, _S.FAILED, _S.REMOVED}),
    _S.REMOVED: frozenset({_S.PENDING, _S.PUBLISHED}),
}
"""Back to pending by publishing again; from published to failed when a check finds that the post was removed at the
target; from failed or unknown to published, and from unknown to failed, by a check or by a person who has looked; to
removed by deleting the post from here, and back to published when somebody took it out of the trash."""

CHECKED_EVERY: Final = timedelta(days=1)
CHECKED_LATER_EVERY: Final = timedelta(days=7)
CHECKED_LATER_AFTER: Final = timedelta(days=30)
"""Posts older than this are looked at every CHECKED_LATER_EVERY."""
SOONEST_CHECK: Final = timedelta(minutes=1)
MOST_WARNINGS: Final = 20
MOST_STEPS: Final = 40
MAX_DETAIL: Final = 500
SOUGHT_FOR: Final = timedelta(days=2)
"""How long the target is asked for a post of which nobody knows whether it was made."""


class PostStatus(StrEnum):
    """The state of a post that is requested, or found, at the target."""

    DRAFT = "draft"
    PUBLISHED = "published"
    SCHEDULED = "scheduled"


class Finding(StrEnum):
    """The result of the last look at the target, compared with what was published there. intact: unchanged; changed:
    its text was changed there; unpublished: it is no longer public; deleted: it is gone, or in the trash; overdue: its
    time has passed, and the target has not published it."""

    INTACT = "intact"
    CHANGED = "changed"
    UNPUBLISHED = "unpublished"
    DELETED = "deleted"
    OVERDUE = "overdue"


class StepKind(StrEnum):
    """requested: it was asked for again; sent: a call was started (`detail`: its kind); put_off: the target was away or
    busy (why); read_back: the target has it (the state that was read); failed, unknown: the attempts ended (why);
    found: a look at the target found something else than the look before (a Finding); removed: it was deleted on
    request; marked: a person said what became of it (a PublicationStatus)."""

    REQUESTED = "requested"
    SENT = "sent"
    PUT_OFF = "put_off"
    READ_BACK = "read_back"
    FAILED = "failed"
    UNKNOWN = "unknown"
    FOUND = "found"
    REMOVED = "removed"
    MARKED = "marked"


@frozen
class Step:
    """An event in a publication's history; `detail`: depends on its kind."""

    kind: StepKind
    at: datetime
    detail: str = ""


class CallKind(StrEnum):
    CREATE = "create"
    UPDATE = "update"


@frozen
class Attempt:
    """A call that was started and whose outcome is not known (yet). `answered`: the target said that it took the post,
    which was not read back yet."""

    kind: CallKind
    started_at: datetime
    content_hash: str
    answered: bool = False


@frozen
class Resend:
    """A post was made once more after a call of which nobody knew whether it had made one: held up on its way, that
    call may still arrive and make a second. `fingerprint`: of the post as it was then, which tells our second one from
    a copy that a person made."""

    at: datetime
    fingerprint: str | None = None


@frozen
class PostRequest:
    """A request to publish. None is taken from the article; without an article, `title` and `content` are given.
    `options`: as the provider declares them. `overwrite`: also a post that was changed at the target; `anew`: make the
    post again if it was removed there. `ai_mark`: whether the article bears the mark of a text that a language model
    wrote, where one did; None: as its niche has it."""

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
    overwrite: bool = False
    anew: bool = False
    ai_mark: bool | None = None


@frozen
class Publication:
    """A post at a target. `article_id`: None for content that is no article. `external_key`: our name for the post, for
    targets that store one. `attempt`: a call under way, or one whose outcome is unknown. `content_hash`: of what the
    target has. `post_status`: the state that was read back. `fingerprint`: of the post as the target gave it back then.
    `finding`, `checked_at`, `check_error`: what the last look at the target found, when it was, and why it failed.
    `check_at`: when to look next. `adopted_key`: the external key of a post that an earlier publication made, when the
    account was connected before. `retries`: attempts that failed because the target was away or busy; `retry_at`: when
    the next one is due. `resent`: as long as a second post of ours is to be looked for; `twins_removed`: how many of
    them were deleted. `warnings`: what the post had to do without, in sentences
    for a person. `history`: the last MOST_STEPS steps, the oldest first. `revision` grows with each stored change."""

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
    fingerprint: str | None = None
    finding: Finding | None = None
    checked_at: datetime | None = None
    check_error: str | None = None
    check_at: datetime | None = None
    adopted_key: str | None = None
    retries: int = 0
    retry_at: datetime | None = None
    resent: Resend | None = None
    twins_removed: int = 0
    warnings: tuple[str, ...] = ()
    history: tuple[Step, ...] = ()
    revision: int = 0

    @property
    def external_key(self) -> str:
        """The name of the post that is given to targets which can store one."""
        return self.adopted_key or f"contentgen-{self.id}"

    @property
    def is_public(self) -> bool:
        """Whether people can read the post, as far as is known."""
        return self.post_status is PostStatus.PUBLISHED and self.finding is not Finding.DELETED

    @property
    def is_entered_by_hand(self) -> bool:
        """Whether a person said last that it is published, and where, and no look at the target has confirmed it."""
        said = [step.kind for step in self.history if step.kind in (StepKind.MARKED, StepKind.READ_BACK)]
        return said[-1:] == [StepKind.MARKED]

    @property
    def due_at(self) -> datetime | None:
        """When the post is to appear, while it waits for that; None for one that does not wait."""
        waits = self.status is _S.PENDING or (
            self.status is _S.PUBLISHED
            and self.post_status is PostStatus.SCHEDULED
            and self.finding is not Finding.DELETED
        )
        return self.request.scheduled_for if waits and self.request.status is PostStatus.SCHEDULED else None

    @property
    def in_doubt(self) -> bool:
        """Whether a post may have been created whose id we do not know."""
        return self.attempt is not None and self.attempt.kind is CallKind.CREATE

    def moved_to(self, status: PublicationStatus, now: datetime) -> Publication:
        """The publication in another state. Raises IllegalTransition."""
        if status not in TRANSITIONS[self.status]:
            raise IllegalTransition(f"A publication that is {self.status} cannot become {status}.")
        return evolve(self, status=status, updated_at=now)

    def noted(self, kind: StepKind, now: datetime, detail: str = "") -> Publication:
        """The publication with another step in its history."""
        step = Step(kind, now, detail[:MAX_DETAIL])
        return evolve(self, history=(*self.history, step)[-MOST_STEPS:])

    def requested_again(self, request: PostRequest, job_id: JobId, now: datetime) -> Publication:
        """The publication, pending (again) with this request."""
        asked = self if self.status is _S.PENDING else self.moved_to(_S.PENDING, now)
        return evolve(
            asked.noted(StepKind.REQUESTED, now),
            request=request,
            job_id=job_id,
            error=None,
            check_at=None,
            retries=0,
            retry_at=None,
            updated_at=now,
        )

    def attempt_started(self, content_hash: str, now: datetime) -> Publication:
        """Return the publication with an attempt, as it is recorded right before a call."""
        kind = CallKind.UPDATE if self.remote_id is not None else CallKind.CREATE
        resent = Resend(now) if self.in_doubt and kind is CallKind.CREATE else self.resent
        noted = self.noted(StepKind.SENT, now, kind)
        return evolve(noted, attempt=Attempt(kind, now, content_hash), resent=resent, updated_at=now)

    def put_off(self, reason: str, retry_at: datetime, now: datetime) -> Publication:
        """The publication after an attempt that failed for now, and is to be repeated."""
        noted = self.noted(StepKind.PUT_OFF, now, reason)
        return evolve(noted, error=reason, retries=self.retries + 1, retry_at=retry_at, updated_at=now)

    def without_effect(self) -> Publication:
        """The publication after a call that certainly had no effect."""
        return evolve(self, attempt=None)

    def known_as(self, remote_id: str, url: str | None) -> Publication:
        """The publication with the id of its post at the target: from now on it is updated, never created."""
        return evolve(self, remote_id=remote_id, url=url or self.url)

    def answered(self, remote_id: str, url: str | None) -> Publication:
        """The publication after the target said that it took the post."""
        attempt = None if self.attempt is None else evolve(self.attempt, answered=True)
        return evolve(self.known_as(remote_id, url), attempt=attempt)

    def adopting(self, former: Publication) -> Publication:
        """The publication with the post that a former one made at the same account: it is updated, and no second one
        is made."""
        return evolve(
            self,
            remote_id=former.remote_id,
            url=former.url,
            adopted_key=former.external_key,
            fingerprint=former.fingerprint,
            published_at=former.published_at,
        )

    @property
    def perhaps_done(self) -> bool:
        """Whether the last call got no answer and may have had its effect."""
        attempt = self.attempt
        if attempt is None or attempt.answered:
            return False
        return attempt.kind is CallKind.UPDATE or self.remote_id is None

    def forgotten(self) -> Publication:
        """The publication without its post, which is gone at the target: the next call makes another."""
        return evolve(self, remote_id=None, url=None, post_status=None, fingerprint=None, attempt=None)

    def found_gone(self, now: datetime) -> Publication:
        """The publication after its post was found to be removed at the target."""
        return evolve(self.found(Finding.DELETED, now), checked_at=now, check_error=None, attempt=None)

    def unpublished(self) -> Publication:
        """Return the publication as a draft, into which its post was turned on request."""
        return evolve(self, request=evolve(self.request, status=PostStatus.DRAFT, scheduled_for=None))

    def removed(self, now: datetime) -> Publication:
        """The publication after its post was deleted on request. Raises IllegalTransition."""
        gone = self if self.status is _S.REMOVED else self.moved_to(_S.REMOVED, now).noted(StepKind.REMOVED, now)
        found = evolve(gone, finding=Finding.DELETED, checked_at=now, check_error=None, attempt=None)
        done = evolve(found, post_status=None, url=None, error=None, updated_at=now)
        return evolve(done, check_at=done.next_check(now))

    def found_changed(self, now: datetime) -> Publication:
        """The publication after its post was found to be changed at the target."""
        return evolve(self.found(Finding.CHANGED, now), checked_at=now, check_error=None, attempt=None)

    def found(self, finding: Finding, now: datetime) -> Publication:
        """Return the publication after a look, with a new step if the finding differs from the last one."""
        noted = self if finding is self.finding else self.noted(StepKind.FOUND, now, finding)
        return evolve(noted, finding=finding)

    def succeeded(
        self,
        remote_id: str,
        url: str | None,
        post_status: PostStatus,
        content_hash: str | None,
        now: datetime,
        fingerprint: str | None = None,
        warnings: tuple[str, ...] = (),
    ) -> Publication:
        """The publication, published. Raises IllegalTransition."""
        done = evolve(
            self.moved_to(_S.PUBLISHED, now).noted(StepKind.READ_BACK, now, post_status),
            remote_id=remote_id,
            url=url,
            post_status=post_status,
            content_hash=content_hash,
            fingerprint=fingerprint,
            warnings=warnings[:MOST_WARNINGS],
            attempt=None,
            error=None,
            job_id=None,
            retry_at=None,
            finding=Finding.INTACT,
            checked_at=now,
            check_error=None,
            published_at=(self.published_at or now) if post_status is PostStatus.PUBLISHED else self.published_at,
            resent=self.resent and evolve(self.resent, fingerprint=self.resent.fingerprint or fingerprint),
        )
        return evolve(done, check_at=done.next_check(now))

    def ended(self, reason: str, now: datetime) -> Publication:
        """The publication after its last attempt failed: failed, or unknown where the call may have had an effect
        nevertheless. Raises IllegalTransition."""
        status = _S.UNKNOWN if self.perhaps_done else _S.FAILED
        noted = self.moved_to(status, now).noted(StepKind(status), now, reason)
        ended = evolve(noted, error=reason, job_id=None, retry_at=None)
        return evolve(ended, check_at=ended.next_check(now))

    def next_check(self, now: datetime) -> datetime | None:
        """Return when to look at the target next: None for never. A post whose time has come is looked for at once, and
        ever more rarely while it is overdue; so are a post whose creation is uncertain, and its twin."""
        if self.status is _S.UNKNOWN and self.attempt is not None:
            elapsed = now - self.attempt.started_at
            return now + max(elapsed, SOONEST_CHECK) if elapsed < SOUGHT_FOR else None
        if self.status is _S.REMOVED:
            return next(iter(_looks_for_a_twin(self.resent, now)), None)
        if self.remote_id is None or self.status is _S.PENDING or self.finding is Finding.DELETED:
            return None
        return min([self._next_look(now), *_looks_for_a_twin(self.resent, now)])

    def _next_look(self, now: datetime) -> datetime:
        due = self.request.scheduled_for if self.post_status is PostStatus.SCHEDULED else None
        if due is not None:
            return now + min(max(now - due, SOONEST_CHECK), CHECKED_EVERY) if due <= now else due + SOONEST_CHECK
        return now + (CHECKED_EVERY if now - self.created_at < CHECKED_LATER_AFTER else CHECKED_LATER_EVERY)


def _looks_for_a_twin(resent: Resend | None, now: datetime) -> tuple[datetime, ...]:
    """When to look for it next, if it is still to be expected."""
    if resent is None:
        return ()
    elapsed = now - resent.at
    return (now + max(elapsed, SOONEST_CHECK),) if elapsed < SOUGHT_FOR else ()
