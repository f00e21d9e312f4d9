"""Check the rights of a caller's role and plan."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from contentgen_core.errors import NotPermitted, PlanForbids
from contentgen_core.model.tenant import Caller, PlanName, Role, User
from contentgen_core.model.vocabulary import ArticleLength
from contentgen_core.policies.tenancy.plans import PLANS, PlanTerms
from contentgen_core.policies.tenancy.quotas import plan_names


class Permission(StrEnum):
    """The permissions of a user, as GET /account lists them."""

    READ = "read"
    WRITE_CONTENT = "content.write"  # articles, documents, niches, agents
    MANAGE_INTEGRATIONS = "integrations.manage"
    MANAGE_TEAM = "team.manage"
    MANAGE_SETTINGS = "settings.manage"
    MANAGE_KEYS = "keys.manage"
    MANAGE_OWNERS = "owners.manage"
    PLATFORM = "platform.admin"


_NEEDS: Final[dict[Permission, Role]] = {
    Permission.READ: Role.VIEWER,
    Permission.WRITE_CONTENT: Role.EDITOR,
    Permission.MANAGE_INTEGRATIONS: Role.ADMIN,
    Permission.MANAGE_TEAM: Role.ADMIN,
    Permission.MANAGE_SETTINGS: Role.ADMIN,
    Permission.MANAGE_KEYS: Role.ADMIN,
    Permission.MANAGE_OWNERS: Role.OWNER,
}


def permissions_of(user: User) -> tuple[Permission, ...]:
    """The permissions of the user's role, and that of the platform if the user has the flag."""
    own = tuple(permission for permission, role in _NEEDS.items() if user.role.includes(role))
    return (*own, Permission.PLATFORM) if user.platform_admin else own


def require_role(caller: Caller, role: Role) -> None:
    """Require this role or one that includes it. Raises NotPermitted."""
    if not caller.role.includes(role):
        raise NotPermitted(f"This needs the role {role} or higher; your key's user is {caller.role}.")


def require_platform_admin(caller: Caller) -> None:
    """Require the platform_admin flag of the caller's user (no role implies it). Raises NotPermitted."""
    if not caller.platform_admin:
        raise NotPermitted("This is for platform administrators only.")


def check_length(plan: PlanName, length: ArticleLength) -> None:
    """Check that the plan includes articles of this length. Raises PlanForbids."""
    _require(plan, lambda terms: length in terms.lengths, f"articles of length {length}")


def check_mermaid(plan: PlanName) -> None:
    """Check that the plan includes diagrams. Raises PlanForbids."""
    _require(plan, lambda terms: terms.mermaid, "Mermaid diagrams")


def check_custom_niches(plan: PlanName) -> None:
    """Check that the plan includes custom niches. Raises PlanForbids."""
    _require(plan, lambda terms: terms.custom_niches, "custom niches")


def has_premium_search(plan: PlanName) -> bool:
    """Whether the plan includes the premium web search, whatever the switches of niche and agent say."""
    return PLANS[plan].premium_web_search


def check_premium_search(plan: PlanName) -> None:
    """Check that the plan includes the premium web search. Raises PlanForbids."""
    _require(plan, lambda terms: terms.premium_web_search, "the premium web search")


def _require(plan: PlanName, included: Callable[[PlanTerms], bool], feature: str) -> None:
    if not included(PLANS[plan]):
        offering = plan_names([name for name in PlanName if included(PLANS[name])])
        raise PlanForbids(f"The {plan.capitalize()} plan does not include {feature}. Plans that do: {offering}.")
