"""Approval on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType, field

from contentgen_core.model import approval as model
from contentgen_core.model import article
from contentgen_core.model.approval import MAX_APPROVERS, MAX_REASON, ApprovalState
from contentgen_core.model.tenant import Role
from contentgen_core.policies.articles import publishing as policy
from contentgen_http.wire.base import NOT_BLANK, AnswerOf, Body, Id, absent_as_none
from contentgen_http.wire.publications import Terms, WebAddress

TextHash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]


class PostDetails(AnswerOf[model.PostDetails], kw_only=True):
    """What goes out with an article's text, and is approved with it."""

    slug: Annotated[str | UnsetType, Meta(description="Its name in addresses; absent: the article's.")] = UNSET
    tags: Annotated[tuple[str, ...] | UnsetType, Meta(description="Absent: the article's keywords.")] = UNSET
    categories: Annotated[tuple[str, ...] | UnsetType, Meta(description="Absent: none.")] = UNSET
    canonical_url: Annotated[str | UnsetType, Meta(description="Where the text is at home.")] = UNSET
    options: Annotated[dict[str, dict[str, Any]], Meta(description="Options of a kind of target, by its id.")] = field(
        default_factory=dict
    )

    @classmethod
    def of(cls, details: model.PostDetails) -> PostDetails:
        return cls.copy_from(
            details, options={provider: dict(options) for provider, options in details.options.items()}
        )


class ChosenDetails(Body, kw_only=True):
    """What is to go out with the article's text, and is approved with it. What is absent is the article's own."""

    slug: Annotated[
        Annotated[str, Meta(max_length=policy.MAX_SLUG)] | UnsetType, Meta(description="Its name in addresses.")
    ] = UNSET
    tags: Annotated[Terms | UnsetType, Meta(description="Instead of the article's keywords.")] = UNSET
    categories: Annotated[Terms | UnsetType, Meta(description="Made there when missing, where it can.")] = UNSET
    canonical_url: Annotated[WebAddress | UnsetType, Meta(description="Where the text is at home.")] = UNSET
    options: Annotated[
        dict[str, dict[str, Any]] | UnsetType,
        Meta(description="Options of a kind of target, by its id.", examples=[{"wordpress": {"sticky": True}}]),
    ] = UNSET

    def to_model(self) -> model.PostDetails:
        return model.PostDetails(
            slug=absent_as_none(self.slug) or None,
            tags=None if self.tags is UNSET else tuple(self.tags),
            categories=None if self.categories is UNSET else tuple(self.categories),
            canonical_url=absent_as_none(self.canonical_url),
            options={} if self.options is UNSET else self.options,
        )


class Submission(Body, kw_only=True):
    """What is submitted."""

    details: Annotated[
        ChosenDetails | UnsetType, Meta(description="What is to go out with the text; absent: what was chosen before.")
    ] = UNSET


class ArticleApproval(AnswerOf[model.Approval | None], kw_only=True):
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

    reader_hash: Annotated[
        str | UnsetType,
        Meta(
            description="SHA-256 of everything that readers get of the article as it is now, which an approval can "
            "name; absent where textHash is."
        ),
    ] = UNSET
    details: Annotated[
        PostDetails | UnsetType, Meta(description="What goes out with the text; absent where nobody has chosen it.")
    ] = UNSET

    @classmethod
    def of(cls, said: model.Approval | None) -> ArticleApproval:
        if said is None:
            return cls(state=ApprovalState.NONE)
        return cls.copy_from(said, text_hash=UNSET, reader_hash=UNSET)

    @classmethod
    def with_hash(cls, article: article.Article) -> ArticleApproval:
        """Return the approval with the hashes of the article, which has the titles of its sources that readers get."""
        shown = cls.of(article.present_approval)
        if article.content:
            shown.text_hash, shown.reader_hash = article.text_hash, article.reader_hash
        return shown


class ApprovalRequest(Body, kw_only=True):
    """What is approved."""

    text_hash: Annotated[
        TextHash | UnsetType,
        Meta(description="approval.textHash of the article as you have read it: other words are not approved."),
    ] = UNSET
    reader_hash: Annotated[
        TextHash | UnsetType,
        Meta(description="approval.readerHash of the article as you have read it: nothing else is approved."),
    ] = UNSET
    details: Annotated[
        ChosenDetails | UnsetType, Meta(description="What is to go out with the text; absent: what was chosen before.")
    ] = UNSET


class ChangesRequest(Body, kw_only=True):
    """What is to be changed."""

    reason: Annotated[
        Annotated[str, Meta(min_length=1, max_length=MAX_REASON, pattern=NOT_BLANK)],
        Meta(description="For whoever changes it."),
    ]


class ApprovalRules(AnswerOf[model.ApprovalRules], kw_only=True):
    """Who may approve the articles of a niche, and whether that is demanded."""

    required: Annotated[bool, Meta(description="Whether nothing of the niche goes out unapproved.")]
    roles: Annotated[list[Role], Meta(description="Users with one of these roles, or a higher one, may approve.")]
    user_ids: Annotated[list[str], Meta(description="Users who may approve, whatever their role.")]


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
