"""Second posts that a call made which was held up on its way: found by our key in them, and deleted again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import cast

from attrs import evolve

from contentgen_core.model.publication import SOUGHT_FOR, Publication, PublicationStatus
from contentgen_core.model.publishing_target import Feature, Post, ProviderInfo, RemotePost
from contentgen_core.policies.articles.publication_check import TWIN_LEFT, is_twin
from contentgen_core.ports.publishing import Deletes, FindsTwins, LookupUnsupported, Publisher


def are_expected(publication: Publication, info: ProviderInfo, now: datetime) -> bool:
    """Whether a second post of this publication may appear at its target, and can be recognised."""
    resent = publication.resent
    return resent is not None and Feature.TWINS in info.features and now - resent.at < SOUGHT_FOR


async def without_twins(publication: Publication, publisher: Publisher, post: Post, name: str) -> Publication:
    """The publication after its second posts were deleted; says which were not. The post that is known here stays.
    Where it is not among those that bear our key, and was not deleted from here, nothing is deleted. Raises
    PublishFailed."""
    try:
        copies = await cast(FindsTwins, publisher).copies(post)
    except LookupUnsupported:
        return publication
    others = [copy for copy in copies if copy.id != publication.remote_id]
    removed_here = publication.status is PublicationStatus.REMOVED
    if not others or (len(others) == len(copies) and not removed_here):
        return publication
    left = await _delete_own(publication, publisher, others)
    removed = publication.twins_removed + len(others) - len(left)
    posts = ", ".join(copy.url or copy.id for copy in left)
    error = TWIN_LEFT.format(name=name, posts=posts) if left else publication.error
    return evolve(publication, twins_removed=removed, error=error)


async def _delete_own(publication: Publication, publisher: Publisher, others: Sequence[RemotePost]) -> list[RemotePost]:
    """Delete the posts that are certainly ours; return the others, and what is still there when it is read back."""
    left = []
    for copy in others:
        if is_twin(publication, copy):
            await cast(Deletes, publisher).delete(copy.id)
            if await publisher.read(copy.id) is None:
                continue
        left.append(copy)
    return left
