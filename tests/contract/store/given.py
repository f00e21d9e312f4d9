"""Arranging data for the tests of this suite."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import pytest

from contentgen_core.model.agent import Agent
from contentgen_core.model.article import Article
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.knowledge import KbDocument, Passage
from contentgen_core.model.niche import Niche
from contentgen_core.model.team import Invitation
from contentgen_core.model.tenant import ApiKey, Tenant, User
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.team import Invitations
from contentgen_core.ports.repositories.tenants import ApiKeys, Tenants, Users
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT

Given = Tenant | User | ApiKey | Invitation | Niche | Agent | Article | Job | tuple[KbDocument, list[Passage]]

ALIEN_IDS: Final = {
    "empty": "",
    "a_word": "nope",
    "nul": "\x00",
    "nul_after_a_uuid": "01957fd5-0f80-7000-8000-000000000001\x00",
    "too_long": "0" * 10_000,
    "sql": "'; DROP TABLE articles; --",
    "other_script": "Ⅷ-第一",
    "unknown_uuid": "00000000-0000-7000-8000-000000000000",
}
"""Ids that name nothing, most of them no UUIDs at all: a client may send any text in their place."""

alien_ids: Final = pytest.mark.parametrize("alien", ALIEN_IDS.values(), ids=ALIEN_IDS.keys())


async def given(unit_of_work: UnitOfWork, *things: Given) -> None:
    """Store objects of any kind, in the order given, in one transaction."""
    async with unit_of_work() as tx:
        for thing in things:
            match thing:
                case Tenant():
                    await tx[Tenants].add(thing)
                case User():
                    await tx[Users].add(thing)
                case ApiKey():
                    await tx[ApiKeys].add(thing)
                case Invitation():
                    await tx[Invitations].add(thing)
                case Niche():
                    await tx[Niches].add(thing)
                case Agent():
                    await tx[Agents].add(thing)
                case Article():
                    await tx[Articles].add(thing)
                case Job():
                    await tx[Jobs].enqueue(thing)
                case _:
                    await tx[Knowledge].add([thing])


async def given_tenant(unit_of_work: UnitOfWork) -> Tenant:
    tenant = builders.tenant()
    await given(unit_of_work, tenant)
    return tenant


async def given_held_job(unit_of_work: UnitOfWork) -> Job:
    """A job that a worker has claimed."""
    await given(unit_of_work, builders.job(tenant_id=(await given_tenant(unit_of_work)).id))
    async with unit_of_work() as tx:
        [job] = await tx[Jobs].claim("worker", frozenset(JobKind), MOMENT, MOMENT + timedelta(minutes=1), 1)
    return job


async def given_tenants(unit_of_work: UnitOfWork) -> tuple[Tenant, Tenant]:
    return await given_tenant(unit_of_work), await given_tenant(unit_of_work)
