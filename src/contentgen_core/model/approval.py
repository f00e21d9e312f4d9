"""Approval of an article's text before it is published, and the members of a niche who may approve."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from attrs import field, frozen

from contentgen_core.errors import Conflict
from contentgen_core.model.ai_use import AiUse
from contentgen_core.model.ids import ApprovalPolicyId, DocumentId, NicheId, TenantId, UserId
from contentgen_core.model.tenant import Caller, Role

MAX_APPROVERS: Final = 50
"""Users whom a policy names."""
MAX_REASON: Final = 2_000

LAPSED: Final = "The text was changed after it was approved."


class ApprovalRequired(Conflict):
    """The article's niche demands approval, and what was to go out has none."""

    code = "approval_required"


class ApprovalState(StrEnum):
    """none: nobody was asked; inReview: an approver is asked, also because the text was changed after its approval;
    approved: the present text; changesRequested: an approver sent it back."""

    NONE = "none"
    IN_REVIEW = "inReview"
    APPROVED = "approved"
    CHANGES_REQUESTED = "changesRequested"


@frozen
class PostDetails:
    """Details published with an article's text, as its editors and approvers choose them. None: the article's own slug,
    its keywords as tags, no categories, no canonical address. `options`: those of a kind of target, by its id."""

    slug: str | None = None
    tags: tuple[str, ...] | None = None
    categories: tuple[str, ...] | None = None
    canonical_url: str | None = None
    options: Mapping[str, Mapping[str, Any]] = field(factory=dict)


@frozen
class Approval:
    """What was last said of an article. `by`: None when nobody did, but a schedule or an agent. `reason`: why it is in
    this state, in words for a person. `details`: what is to go out with the text.

    Of an approval: `text_hash` of the words, and `reader_hash` of everything that readers get; None for an approval of
    an earlier release, which named the words alone. `source_titles`: the titles of the article's sources as they were
    approved; `ai_mark`: the mark that the article bears. Neither follows later changes."""

    state: ApprovalState
    at: datetime
    by: UserId | None = None
    text_hash: str | None = None
    reason: str | None = None
    details: PostDetails | None = None
    reader_hash: str | None = None
    source_titles: Mapping[DocumentId, str] = field(factory=dict)
    ai_mark: AiUse | None = None

    def lapsed(self, changed_at: datetime) -> Approval:
        """Return the lapsed approval, whose review is to be repeated because the article changed. `changed_at`: when
        the article was last changed."""
        return Approval(ApprovalState.IN_REVIEW, changed_at, reason=LAPSED, details=self.details)


@frozen
class ApprovalRules:
    """`required`: whether nothing goes out unapproved. Who may approve: users with one of `roles`, or a role that
    includes one, and those of `user_ids`, whatever their role. The defaults hold where nobody has chosen."""

    required: bool = False
    roles: tuple[Role, ...] = (Role.ADMIN,)
    user_ids: tuple[UserId, ...] = ()

    def may_approve(self, caller: Caller) -> bool:
        return caller.user_id in self.user_ids or any(caller.role.includes(role) for role in self.roles)


@frozen
class ApprovalPolicy:
    """The rules of a niche of a tenant."""

    id: ApprovalPolicyId
    tenant_id: TenantId
    niche_id: NicheId
    niche_key: str
    created_at: datetime
    updated_at: datetime
    rules: ApprovalRules = ApprovalRules()
    revision: int = 1
