"""Tenants, users, keys, invitations, reviews and callers."""

from __future__ import annotations

from typing import Any

from contentgen_core.model.ids import ApiKeyId, InvitationId, JobId, ReviewId, TenantId, UserId
from contentgen_core.model.review import Review
from contentgen_core.model.team import INVITATION_LASTS, Invitation
from contentgen_core.model.tenant import ApiKey, Caller, PlanName, Role, Tenant, User
from contentgen_core.testing.builders.base import new_id, sha256, short, with_tenant
from contentgen_core.testing.runtime import MOMENT


def tenant(**changes: Any) -> Tenant:
    id = TenantId(new_id())
    defaults: dict[str, Any] = {"name": f"Tenant {short(id)}", "plan": PlanName.PRO, "created_at": MOMENT}
    return Tenant(**{"id": id} | defaults | changes)


def user(**changes: Any) -> User:
    id = UserId(new_id())
    defaults = {"id": id, "name": f"User {short(id)}", "role": Role.OWNER, "created_at": MOMENT}
    return User(**with_tenant(defaults, changes))


def api_key(**changes: Any) -> ApiKey:
    id = ApiKeyId(new_id())
    defaults: dict[str, Any] = {"id": id, "name": "A key", "digest": sha256(id), "hint": "ab12", "created_at": MOMENT}
    if "user_id" not in changes:
        defaults["user_id"] = UserId(new_id())
    return ApiKey(**with_tenant(defaults, changes))


def invitation(**changes: Any) -> Invitation:
    id = InvitationId(new_id())
    defaults: dict[str, Any] = {
        "id": id,
        "email": f"someone-{short(id)}@example.com",
        "role": Role.EDITOR,
        "invited_by": UserId(new_id()),
        "invited_at": MOMENT,
        "expires_at": MOMENT + INVITATION_LASTS,
        "nonce": sha256(id),
        "job_id": JobId(new_id()),
    }
    return Invitation(**with_tenant(defaults, changes))


def caller(**changes: Any) -> Caller:
    defaults = {"user_id": UserId(new_id()), "plan": PlanName.PRO, "role": Role.OWNER}
    return Caller(**with_tenant(defaults, changes))


def review(**changes: Any) -> Review:
    """A listed review of some user."""
    id = ReviewId(new_id())
    defaults: dict[str, Any] = {
        "id": id,
        "user_id": UserId(new_id()),
        "rating": 4,
        "title": "It cites its sources",
        "comment": f"Each sentence says where it comes from. {short(id)}",
        "created_at": MOMENT,
        "updated_at": MOMENT,
    }
    return Review(**defaults | changes)
