"""One's own account on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import tenant as model
from contentgen_core.model.tenant import PlanName, Role
from contentgen_core.policies.tenancy.access import Permission
from contentgen_core.use_cases.account import profile
from contentgen_http.wire.base import AnswerOf, Body
from contentgen_http.wire.team import PersonName


class Profile(AnswerOf[model.User], kw_only=True):
    """Who you are."""

    id: Annotated[str, Meta(description="Your id.")]
    name: Annotated[str, Meta(description="Your name.", examples=["Ada"])]
    email: Annotated[str | UnsetType, Meta(description="Your mail address.", examples=["ada@example.org"])] = UNSET
    role: Annotated[Role, Meta(description="Your role.")]
    platform_admin: Annotated[bool, Meta(description="Whether you run the platform.")]
    created_at: Annotated[datetime, Meta(description="Since when you belong to the team.")]


class TenantSummary(AnswerOf[model.Tenant], kw_only=True):
    """Where you belong."""

    id: Annotated[str, Meta(description="The tenant's id.")]
    name: Annotated[str, Meta(description="Its name.", examples=["Acme"])]
    plan: Annotated[PlanName, Meta(description="Its plan.")]


class Account(AnswerOf[profile.Account], kw_only=True):
    """You, your tenant and what you may do in it."""

    user: Annotated[Profile, Meta(description="You.")]
    tenant: Annotated[TenantSummary, Meta(description="Your tenant.")]
    role: Annotated[Role, Meta(description="Your role.")]
    permissions: Annotated[list[Permission], Meta(description="What your role allows.")]

    @classmethod
    def of(cls, account: profile.Account) -> Account:
        return cls.copy_from(account, role=account.user.role)


class ProfilePatch(Body, kw_only=True):
    """What to change; what is absent stays."""

    name: Annotated[PersonName | UnsetType, Meta(description="Your name.", examples=["Ada Lovelace"])] = UNSET
