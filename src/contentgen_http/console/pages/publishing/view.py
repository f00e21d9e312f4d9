"""What a post's page says of its publication, and what can be done about it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from contentgen_core.model.integration import Integration
from contentgen_core.model.publication import Finding, PostStatus, Publication, PublicationStatus
from contentgen_core.model.publishing_target import Feature, ProviderInfo
from contentgen_core.use_cases.publishing.start import is_scheduled, waits


class Action(StrEnum):
    """What a person can have done with a publication. again: sent once more, which updates its post; overwrite: also
    where somebody changed it at the target; anew: made once more, since it is gone there; published, unpublished: said
    after a look at the target."""

    CHECK = "check"
    AGAIN = "again"
    OVERWRITE = "overwrite"
    ANEW = "anew"
    CANCEL = "cancel"
    DRAFT = "draft"
    DELETE = "delete"
    MARK_PUBLISHED = "published"
    MARK_FAILED = "failed"


ASKED_FIRST: Final = frozenset({Action.OVERWRITE, Action.DELETE})
"""What cannot be undone."""
_GONE: Final = frozenset({Finding.DELETED})


def possible(
    publication: Publication, target: Integration | None, info: ProviderInfo | None, now: datetime
) -> list[Action]:
    """What can be done, in the order in which a page offers it. `target`: None when it is not connected any more."""
    marks = {
        PublicationStatus.UNKNOWN: [Action.MARK_PUBLISHED, Action.MARK_FAILED],
        PublicationStatus.FAILED: [Action.MARK_PUBLISHED],
    }.get(publication.status, [])
    if publication.status is PublicationStatus.PENDING:
        later = waits(publication, now) and target is not None
        return [*([Action.AGAIN] if later else []), Action.CANCEL]
    if target is None or info is None or not target.enabled:
        return marks
    return [*_at_the_target(publication, info.features), *marks]


def _at_the_target(publication: Publication, features: tuple[Feature, ...]) -> list[Action]:
    there = publication.remote_id is not None and not is_gone(publication)
    offered = {
        Action.CHECK: Feature.FIND in features and (publication.remote_id is not None or publication.in_doubt),
        Action.ANEW: is_gone(publication),
        Action.OVERWRITE: publication.finding is Finding.CHANGED,
        Action.AGAIN: not is_gone(publication)
        and publication.finding is not Finding.CHANGED
        and (publication.status is not PublicationStatus.PUBLISHED or Feature.UPDATE in features),
        Action.DRAFT: there and Feature.UNPUBLISH in features and publication.post_status is not PostStatus.DRAFT,
        Action.DELETE: there and Feature.DELETE in features,
    }
    return [action for action, possible in offered.items() if possible]


def is_gone(publication: Publication) -> bool:
    """Whether the target does not have the post any more."""
    return publication.finding is Finding.DELETED or publication.status is PublicationStatus.REMOVED


def meaning(publication: Publication, now: datetime) -> str:
    """Which sentence says how the publication stands, and what to do about it: the end of a text's id."""
    if publication.status is PublicationStatus.PENDING:
        if is_scheduled(publication, now):
            return "waits"
        return "put-off" if publication.retry_at is not None else "under-way"
    if publication.status in (PublicationStatus.UNKNOWN, PublicationStatus.REMOVED):
        return publication.status.value
    if publication.finding not in (None, Finding.INTACT):
        return publication.finding.value
    if publication.status is PublicationStatus.FAILED:
        return "failed"
    return {PostStatus.DRAFT: "draft", PostStatus.SCHEDULED: "scheduled"}.get(
        publication.post_status or PostStatus.PUBLISHED, "public"
    )
