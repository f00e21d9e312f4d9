"""Approval: what people say of an article's text before it goes out, and who may approve in a niche."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.errors import Conflict
from contentgen_core.model.ids import ApprovalPolicyId, NicheId, TenantId, UserId
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
class Approval:
    """What was last said of an article. `by`: None when nobody did, but a schedule or an agent. `text_hash`: of the
    text that was approved. `reason`: why it is in this state, in words for a person."""

    state: ApprovalState
    at: datetime
    by: UserId | None = None
    text_hash: str | None = None
    reason: str | None = None

    def of_text(self, text_hash: Callable[[], str], changed_at: datetime) -> Approval:
        """What holds of a text: an approval of another text is a review that is to be done again. `text_hash`: gives
        the text's. `changed_at`: when the article was last changed."""
        if self.state is not ApprovalState.APPROVED or self.text_hash == text_hash():
            return self
        return Approval(ApprovalState.IN_REVIEW, changed_at, reason=LAPSED)


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
