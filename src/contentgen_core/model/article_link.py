"""Links from the text of one article to another of the same tenant."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.model.article import ArticleStatus, PublicCategory
from contentgen_core.model.ids import ArticleId, ArticleLinkId, TenantId, UserId

MAX_LINKS: Final = 5
"""Of one article, proposed and accepted ones together."""
MAX_ANCHOR: Final = 120


class LinkState(StrEnum):
    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class LinkedBy(StrEnum):
    """The reason for proposing a link. entity: the anchor is a name, and the other article is about it; words: the
    anchor has at least half of its topic's words; meaning: the anchor is near its topic."""

    ENTITY = "entity"
    WORDS = "words"
    MEANING = "meaning"


@frozen
class ArticleLink:
    """A link. `anchor`: the words of the article that lead to the target, as they stand there; `sentence`: that they
    stood in when it was proposed. `score`: how well they name the target's topic, in 0..1."""

    id: ArticleLinkId
    tenant_id: TenantId
    article_id: ArticleId
    target_id: ArticleId
    anchor: str
    sentence: str
    linked_by: LinkedBy
    score: float
    created_at: datetime
    state: LinkState = LinkState.PROPOSED
    decided_at: datetime | None = None
    decided_by: UserId | None = None
    revision: int = 0


@frozen
class LinkTarget:
    """The article that a link leads to, as it is now."""

    id: ArticleId
    title: str
    topic: str
    status: ArticleStatus
    slug: str | None
    is_public: bool
    public_category: PublicCategory | None = None


@frozen
class TargetedLink:
    """A link with its target."""

    link: ArticleLink
    target: LinkTarget
