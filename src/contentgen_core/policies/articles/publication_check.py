"""Update a publication by what a look at its post finds."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from attrs import evolve

from contentgen_core.model.publication import Attempt, Finding, PostStatus, Publication, PublicationStatus
from contentgen_core.model.publishing_target import RemotePost

OVERDUE_AFTER: Final = timedelta(minutes=15)
"""How long after its time a post may still be scheduled at the target: some publish in rounds."""
FAILED_CHECK_AGAIN: Final = timedelta(hours=1)
MAX_ERROR: Final = 500

GONE: Final = (
    "{name} no longer has the post: it was removed there, or is in the trash. Publish it again with anew: true to make"
    " it once more."
)
CHANGED: Final = (
    "The post was changed at {name} since it was published from here. Publish it again with overwrite: true to replace"
    " what was changed, or keep what is there."
)
OVERDUE: Final = (
    "{name} was to publish the post at {due:%Y-%m-%d %H:%M} UTC and has not. Look there whether it publishes scheduled"
    " posts at all, or publish it now."
)
UNPUBLISHED: Final = "The post is a draft at {name}: somebody took it back there, or it was never published."
TWIN_LEFT: Final = (
    "{name} has a second post of this text ({posts}): a call that was held up made it, or somebody copied the post. It"
    " is not as it was sent and was left alone; look there, and delete one of both."
)
NOT_APPLIED: Final = "{name} still has the post as it was before this change. Publish it again."


def is_changed(known: str | None, seen: RemotePost) -> bool:
    """Whether somebody changed the post at the target. `known`: the fingerprint of what was published from here; where
    one of both is unknown, nothing is claimed."""
    return known is not None and seen.fingerprint is not None and seen.fingerprint != known


def apply_check(publication: Publication, seen: RemotePost | None, name: str, now: datetime) -> Publication:
    """Return the publication after a look at its post. `seen`: None when it is gone; `name`: of the target."""
    if publication.status is PublicationStatus.UNKNOWN and publication.attempt is not None:
        publication = _resolve_unknown(publication, publication.attempt, seen, name, now)
    if seen is None and publication.status is PublicationStatus.REMOVED:
        return publication.removed(now)
    if seen is None:
        gone = _as(publication, PublicationStatus.FAILED, now).found_gone(now)
        return _check_scheduled(evolve(gone, post_status=None, error=GONE.format(name=name)), now)
    finding, error = _finding(publication, seen, name, now)
    there = publication
    if publication.finding is Finding.DELETED:  # taken back from the trash
        there = _as(publication, PublicationStatus.PUBLISHED, now)
    public = seen.status is PostStatus.PUBLISHED
    if there.status is PublicationStatus.FAILED:
        error = there.error
    changed = evolve(
        there.found(finding, now),
        checked_at=now,
        check_error=None,
        error=error,
        post_status=seen.status,
        url=seen.url or (None if seen.status is PostStatus.DRAFT else there.url),
        published_at=there.published_at or (now if public else None),
        fingerprint=there.fingerprint or seen.fingerprint,
    )
    return _check_scheduled(changed, now)


def is_twin(publication: Publication, copy: RemotePost) -> bool:
    """Whether a post with our key was certainly made by a call of ours that was held up: as it was sent, and not as a
    draft, which is how people copy posts."""
    resent = publication.resent
    if resent is None or resent.fingerprint is None or copy.fingerprint != resent.fingerprint:
        return False
    return copy.status is not PostStatus.DRAFT or publication.request.status is PostStatus.DRAFT


def failed_check(publication: Publication, reason: str, again: datetime | None, now: datetime) -> Publication:
    """The publication after a look that failed; nothing new is known of its post. `again`: when to look next."""
    return evolve(publication, check_error=reason[:MAX_ERROR], checked_at=now, check_at=again)


def _resolve_unknown(
    publication: Publication, attempt: Attempt, seen: RemotePost | None, name: str, now: datetime
) -> Publication:
    """Resolve a publication whose last call got no answer: its post has the new text, or the former."""
    if seen is None:
        return publication
    if publication.fingerprint is not None and seen.fingerprint == publication.fingerprint:
        ended = publication.without_effect().moved_to(PublicationStatus.FAILED, now)
        return evolve(ended, error=NOT_APPLIED.format(name=name))
    done = publication.succeeded(seen.id, seen.url, seen.status, attempt.content_hash, now, seen.fingerprint)
    return evolve(done, url=seen.url or publication.url)


def _finding(publication: Publication, seen: RemotePost, name: str, now: datetime) -> tuple[Finding, str | None]:
    request = publication.request
    due = request.scheduled_for if request.status is PostStatus.SCHEDULED else None
    if seen.status is PostStatus.SCHEDULED and due is not None and now >= due + OVERDUE_AFTER:
        return Finding.OVERDUE, OVERDUE.format(name=name, due=due)
    if seen.status is PostStatus.DRAFT and request.status is not PostStatus.DRAFT:
        return Finding.UNPUBLISHED, UNPUBLISHED.format(name=name)
    return (Finding.CHANGED if is_changed(publication.fingerprint, seen) else Finding.INTACT), None


def _as(publication: Publication, status: PublicationStatus, now: datetime) -> Publication:
    return publication if publication.status is status else publication.moved_to(status, now)


def _check_scheduled(publication: Publication, now: datetime) -> Publication:
    return evolve(publication, check_at=publication.next_check(now), updated_at=now)
