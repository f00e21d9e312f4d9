"""The team and invitations on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import team as model
from contentgen_core.model.tenant import Role
from contentgen_core.policies.text.names import MAX_NAME
from contentgen_core.use_cases.team.accept import Joined
from contentgen_core.use_cases.team.manage_team import Team
from contentgen_http.wire.base import NOT_BLANK, AnswerOf, Body, Query, optional, utc

MAX_EMAIL = 254
MAX_TOKEN = 2_000

PersonName = Annotated[str, Meta(min_length=1, max_length=MAX_NAME, pattern=NOT_BLANK)]


class TeamMember(AnswerOf[model.Member | model.Invitation], kw_only=True):
    """A member of the team, or a person invited into it."""

    id: Annotated[str, Meta(description="The member's id; while status is invited, that of the invitation.")]
    role: Annotated[Role, Meta(description="owner, admin, editor or viewer; each may do all that the next ones may.")]
    status: Annotated[Literal["active", "invited"], Meta(description="invited until the invitation is accepted.")]
    email: Annotated[str | UnsetType, Meta(description="Mail address.", examples=["ada@example.org"])] = UNSET
    name: Annotated[str | UnsetType, Meta(description="Name; members have one.", examples=["Ada"])] = UNSET
    platform_admin: Annotated[bool | UnsetType, Meta(description="Whether a member runs the platform.")] = UNSET
    created_at: Annotated[datetime | UnsetType, Meta(description="Since when a member belongs to the team.")] = UNSET
    last_active_at: Annotated[
        datetime | UnsetType, Meta(description="When a member's keys were last used, to about a minute.")
    ] = UNSET
    invited_at: Annotated[datetime | UnsetType, Meta(description="When the invitation was last sent.")] = UNSET
    expires_at: Annotated[datetime | UnsetType, Meta(description="Until when the invitation can be accepted.")] = UNSET
    delivery: Annotated[
        model.Delivery | UnsetType,
        Meta(
            description="What became of the invitation's mail: pending, sent, failed, or logged (no mail server is set "
            "up: hand inviteUrl over yourself)."
        ),
    ] = UNSET
    delivery_error: Annotated[str | UnsetType, Meta(description="Why the mail is not sent, or not yet.")] = UNSET

    @classmethod
    def of(cls, one: model.Member | model.Invitation) -> TeamMember:
        return _invited(one) if isinstance(one, model.Invitation) else _active(one)


class InvitedMember(TeamMember, kw_only=True):
    """An invitation with its link."""

    invite_url: Annotated[
        str, Meta(description="What accepts the invitation: it works once, and is shown in this answer alone.")
    ]

    @classmethod
    def with_url(cls, invitation: model.Invitation, url: str) -> InvitedMember:
        return cls.copy_from(_invited(invitation), invite_url=url)


class TeamList(AnswerOf[Team], kw_only=True):
    """The team."""

    members: Annotated[list[TeamMember], Meta(description="Members, then open invitations; each oldest first.")]
    total: Annotated[int, Meta(description="How many: what the quota teamMembers counts.")]

    @classmethod
    def of(cls, team: Team) -> TeamList:
        members = [*map(_active, team.members), *map(_invited, team.invitations)]
        return cls(members=members, total=len(members))


class NewInvitation(Body, kw_only=True):
    """Whom to invite."""

    email: Annotated[
        str, Meta(min_length=3, max_length=MAX_EMAIL, description="Mail address.", examples=["ada@example.org"])
    ]
    role: Annotated[Role, Meta(description="What the person will be; not above your own role.")]


class RolePatch(Body, kw_only=True):
    """The role to give."""

    role: Annotated[Role, Meta(description="Not above your own role.")]


class AcceptQuery(Query, kw_only=True):
    """Which invitation."""

    token: Annotated[Annotated[str, Meta(max_length=MAX_TOKEN)] | UnsetType, Meta(description="The link's token.")] = (
        UNSET
    )


class Acceptance(Body, kw_only=True):
    """An invitation's token, and who accepts it."""

    token: Annotated[str, Meta(min_length=1, max_length=MAX_TOKEN, description="What stands in the link as token.")]
    name: Annotated[PersonName, Meta(description="Your name, as the team will see it.", examples=["Ada"])]


class Accepted(AnswerOf[Joined], kw_only=True):
    """You belong to the team now."""

    user_id: Annotated[str, Meta(description="Your id.")]
    tenant_id: Annotated[str, Meta(description="The tenant's id.")]
    tenant_name: Annotated[str, Meta(description="The tenant's name.", examples=["Acme"])]
    role: Annotated[Role, Meta(description="Your role.")]
    key: Annotated[str, Meta(description="Your first API key. It is not kept and cannot be shown again.")]

    @classmethod
    def of(cls, joined: Joined) -> Accepted:
        return cls(
            user_id=joined.user.id,
            tenant_id=joined.tenant.id,
            tenant_name=joined.tenant.name,
            role=joined.user.role,
            key=joined.key.secret,
        )


def _active(member: model.Member) -> TeamMember:
    user = member.user
    return TeamMember(
        id=user.id,
        role=user.role,
        status="active",
        email=optional(user.email),
        name=user.name,
        platform_admin=user.platform_admin,
        created_at=utc(user.created_at),
        last_active_at=UNSET if member.last_active_at is None else utc(member.last_active_at),
    )


def _invited(invitation: model.Invitation) -> TeamMember:
    return TeamMember(
        id=invitation.id,
        role=invitation.role,
        status="invited",
        email=invitation.email,
        invited_at=utc(invitation.invited_at),
        expires_at=utc(invitation.expires_at),
        delivery=invitation.delivery,
        delivery_error=optional(invitation.delivery_error),
    )
