"""Rights to change members of a team. A team always has an owner."""

from __future__ import annotations

from collections.abc import Iterable

from contentgen_core.errors import LastOwner, NotPermitted
from contentgen_core.model.ids import UserId
from contentgen_core.model.team import Invitation
from contentgen_core.model.tenant import Role, User


def check_manages(actor: Role) -> None:
    """Check that the role manages the team. Raises NotPermitted."""
    if not actor.includes(Role.ADMIN):
        raise NotPermitted(f"The team is managed by admins and owners; your key's user is {actor}.")


def check_grants(actor: Role, role: Role) -> None:
    """Check that the role to grant is not above the actor's own, so that nobody can raise themselves either. Raises
    NotPermitted."""
    check_manages(actor)
    if not actor.includes(role):
        raise NotPermitted(f"A role above one's own cannot be given; your key's user is {actor}.")


def check_may_change(actor: Role, target: Role) -> None:
    """Check that the member's role is not above the actor's. Raises NotPermitted."""
    check_manages(actor)
    if not actor.includes(target):
        raise NotPermitted(f"Only an {target} can change an {target}; your key's user is {actor}.")


def check_owner_stays(users: Iterable[User], leaving: UserId) -> None:
    """Check that an owner is left without this member. Raises LastOwner."""
    owners = {user.id for user in users if user.role is Role.OWNER}
    if owners == {leaving}:
        raise LastOwner


def void_invitations(invitations: Iterable[Invitation], inviter: UserId, role: Role | None) -> list[Invitation]:
    """The inviter's invitations that the inviter may no longer make, having this role now (None: having left). The
    inviter knows their links, and could use one to come back."""
    return [
        one
        for one in invitations
        if one.invited_by == inviter and (role is None or not (role.includes(Role.ADMIN) and role.includes(one.role)))
    ]
