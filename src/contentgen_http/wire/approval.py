"""Approval on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import approval as model
from contentgen_core.model import article
from contentgen_core.model.approval import MAX_APPROVERS, MAX_REASON, ApprovalState
from contentgen_core.model.tenant import Role
from contentgen_http.wire.base import NOT_BLANK, Answer, Body, Id, optional, utc

TextHash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]


class ArticleApproval(Answer, kw_only=True):
    """What was last said of the article's text."""

    state: Annotated[
        ApprovalState,
        Meta(
            description="none (nobody was asked), inReview (an approver is asked, also because the text was changed "
            "after its approval), approved (the present text) or changesRequested (an approver sent it back)."
        ),
    ]
    by: Annotated[
        str | UnsetType, Meta(description="Id of the user who said it; absent when nobody did, but a schedule.")
    ] = UNSET
    at: Annotated[datetime | UnsetType, Meta(description="When (UTC).")] = UNSET
    reason: Annotated[str | UnsetType, Meta(description="Why it is in this state, for a person.")] = UNSET
    text_hash: Annotated[
        str | UnsetType,
        Meta(description="SHA-256 of the present text, which an approval can name; absent in lists, and without one."),
    ] = UNSET

    @classmethod
    def from_model(cls, said: model.Approval | None, text_hash: str | UnsetType = UNSET) -> ArticleApproval:
        if said is None:
            return cls(state=ApprovalState.NONE, text_hash=text_hash)
        return cls(
            state=said.state, by=optional(said.by), at=utc(said.at), reason=optional(said.reason), text_hash=text_hash
        )

    @classmethod
    def with_hash(cls, article: article.Article) -> ArticleApproval:
        return cls.from_model(article.present_approval, article.text_hash if article.content else UNSET)


class ApprovalRequest(Body, kw_only=True):
    """What is approved."""

    text_hash: Annotated[
        TextHash | UnsetType,
        Meta(description="approval.textHash of the article as you have read it: another text is not approved."),
    ] = UNSET


class ChangesRequest(Body, kw_only=True):
    """What is to be changed."""

    reason: Annotated[
        Annotated[str, Meta(min_length=1, max_length=MAX_REASON, pattern=NOT_BLANK)],
        Meta(description="For whoever changes it."),
    ]


class ApprovalRules(Answer, kw_only=True):
    """Who may approve the articles of a niche, and whether that is demanded."""

    required: Annotated[bool, Meta(description="Whether nothing of the niche goes out unapproved.")]
    roles: Annotated[list[Role], Meta(description="Users with one of these roles, or a higher one, may approve.")]
    user_ids: Annotated[list[str], Meta(description="Users who may approve, whatever their role.")]

    @classmethod
    def from_model(cls, rules: model.ApprovalRules) -> ApprovalRules:
        return cls(required=rules.required, roles=list(rules.roles), user_ids=list(rules.user_ids))


class ApprovalSettings(Body, kw_only=True):
    """Who is to approve the articles of a niche; what is absent stays as it is."""

    required: Annotated[bool | UnsetType, Meta(description="Whether nothing goes out unapproved. At first false.")] = (
        UNSET
    )
    roles: Annotated[
        Annotated[list[Role], Meta(max_length=4)] | UnsetType,
        Meta(description="Users with one of these roles, or a higher one, may approve. At first admin."),
    ] = UNSET
    user_ids: Annotated[
        Annotated[list[Id], Meta(max_length=MAX_APPROVERS)] | UnsetType,
        Meta(description="Users who may approve, whatever their role. At first none."),
    ] = UNSET
