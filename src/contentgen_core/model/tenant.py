"""Tenants, users, API keys and callers."""

from __future__ import annotations

from datetime import datetime
from enum import IntEnum, StrEnum

from attrs import frozen

from contentgen_core.model.ids import ApiKeyId, TenantId, UserId


class PlanName(StrEnum):
    FREE = "free"
    STARTER = "starter"
    PRO = "pro"
    BUSINESS = "business"


class Role(StrEnum):
    """From the most to the least permissions."""

    OWNER = "owner"
    ADMIN = "admin"
    EDITOR = "editor"
    VIEWER = "viewer"

    @property
    def rank(self) -> RoleRank:
        return RoleRank[self.name]

    def includes(self, other: Role) -> bool:
        """Whether this role may do everything that the other may."""
        return self.rank >= other.rank


class RoleRank(IntEnum):
    """The order of roles, which their names do not have."""

    VIEWER = 0
    EDITOR = 1
    ADMIN = 2
    OWNER = 3


@frozen
class Tenant:
    """A customer. `suspended_at`: since when its keys are refused and its schedules stand still."""

    id: TenantId
    name: str
    plan: PlanName
    created_at: datetime
    time_zone: str | None = None  # of IANA; what article schedules that name none get when they are enabled
    suspended_at: datetime | None = None


@frozen
class User:
    """A member of a tenant. `email`: None for users whom operators created; `platform_admin`: whether it administers
    the platform."""

    id: UserId
    tenant_id: TenantId
    name: str
    role: Role
    created_at: datetime
    email: str | None = None
    platform_admin: bool = False


@frozen
class ApiKey:
    """An API key as stored. `digest`: a keyed hash; the key itself is shown once, when it is made. `hint`: its last
    characters."""

    id: ApiKeyId
    tenant_id: TenantId
    user_id: UserId
    name: str
    digest: str
    hint: str
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None

    def usable(self, now: datetime) -> bool:
        """Whether it is neither revoked nor expired at `now`."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


@frozen
class Caller:
    """The user behind a request: every command of a tenant has one. `authenticate` makes it from a key; clients
    cannot."""

    tenant_id: TenantId
    user_id: UserId
    plan: PlanName
    role: Role
    platform_admin: bool = False


class Quota(StrEnum):
    """A resource counted per tenant. The names are those of GET /tenant/quotas."""

    ARTICLES = "articles"
    AGENTS = "agents"
    COVERAGE_CHECKS = "coverageChecks"
    ENRICHMENTS = "enrichments"
    TRANSLATION_CREDITS = "translationCredits"
    DOCUMENTS = "documents"
    INTEGRATIONS = "integrations"
    TEAM_MEMBERS = "teamMembers"
