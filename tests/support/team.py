"""A team of a house, one person of each role."""

from __future__ import annotations

from itertools import count

from attrs import evolve

from contentgen_core.model.tenant import Caller, Role
from contentgen_core.use_cases.team.accept import Joined
from tests.support.house import House

_numbers = count(1)


def address() -> str:
    return f"person-{next(_numbers)}@example.org"


async def joined(house: House, role: Role, by: Caller | None = None) -> tuple[Joined, Caller]:
    """Return a member who was invited and has accepted."""
    invited = await house.services.people.invite(by or house.caller, address(), role)
    done = await house.services.people.accept_invitation(invited.token, "Ada")
    return done, evolve(house.caller, user_id=done.user.id, role=role)


async def everybody(house: House) -> dict[Role, Caller]:
    return {role: (await joined(house, role))[1] for role in Role}


async def emails(house: House) -> list[str | None]:
    team = await house.services.people.team.list(house.caller)
    return [*(member.user.email for member in team.members), *(one.email for one in team.invitations)]
