"""All processes of an installation seal under the same keys, and one that has others says so."""

from __future__ import annotations

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.sealing import FernetBox
from contentgen_core.errors import NotConfigured
from contentgen_core.model.synced_source import SourceKind
from contentgen_core.ports.repositories.integrations import Integrations
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.testing import builders
from contentgen_core.use_cases.integrations.connect import purpose_of
from contentgen_core.use_cases.integrations.sealing_keys import AgreeOnSealingKeys
from contentgen_core.use_cases.synced_sources.manage_sources import NewSource
from contentgen_core.use_cases.synced_sources.secrets import SourceSecrets
from tests.support.house import NICHE, open_house

KEYS = ["first key " * 4, "second key " * 4, "third key " * 4]
RINGS = st.lists(st.sampled_from(KEYS), min_size=1, max_size=3, unique=True)


@given(RINGS, RINGS)
async def test_a_process_is_ready_where_it_has_the_key_that_the_first_one_seals_with(
    first: list[str], second: list[str]
) -> None:
    unit_of_work = MemoryUnitOfWork()
    await AgreeOnSealingKeys(unit_of_work, FernetBox(lambda: first))()
    check = AgreeOnSealingKeys(unit_of_work, FernetBox(lambda: second))
    if first[0] in second:
        await check()
        return
    with pytest.raises(NotConfigured, match=r"secrets accept-keys.*Set CONTENTGEN_SEALING_KEYS") as refused:
        await check()
    assert not any(key in refused.value.detail for key in KEYS)
    await check.accept()
    await check()


async def test_keys_that_open_nothing_of_what_is_stored_do_not_become_the_installations() -> None:
    """A database of before the keys were agreed on: what it holds decides, not who starts first."""
    unit_of_work = MemoryUnitOfWork()
    right, wrong = (FernetBox(lambda key=key: [key]) for key in KEYS[:2])
    tenant = builders.tenant()
    sealed = right.seal('{"token": "t"}', purpose_of(tenant.id))
    async with unit_of_work() as tx:
        await tx[Tenants].add(tenant)
        await tx[Integrations].add(evolve(builders.integration(tenant_id=tenant.id), sealed=sealed))
    with pytest.raises(NotConfigured):
        await AgreeOnSealingKeys(unit_of_work, wrong)()
    await AgreeOnSealingKeys(unit_of_work, right)()
    with pytest.raises(NotConfigured):
        await AgreeOnSealingKeys(unit_of_work, wrong)()


async def test_a_rotation_lets_the_former_key_go() -> None:
    keys = [KEYS[0]]
    async with open_house() as house:
        ports = evolve(house.services.ports, secret_box=FernetBox(lambda: keys))
        services = type(house.services).observed(ports, house.services.telemetry)
        await services.upkeep.sealing_keys()
        settings = {"accessKeyId": "AKIA", "secretAccessKey": "s3cret"}
        new = NewSource(house.caller, NICHE, SourceKind.S3, "Bucket", "s3://handbooks", settings=settings)
        source = await services.knowledge.sources.create(new)
        account = '{"client_email": "reader@example.org"}'
        await services.knowledge.search_console.connect(house.caller, NICHE, "sc-domain:example.org", account)
        keys.insert(0, KEYS[1])
        assert (await services.upkeep.reseal_secrets()).resealed == 2
        assert (await services.upkeep.reseal_secrets()).current == 2
        demand = (await services.knowledge.search_demand.get(house.caller, NICHE)).demand
        assert demand is not None
        assert demand.console is not None
        purpose = f"search console of {house.caller.tenant_id}"
        assert FernetBox(lambda: keys[:1]).open(demand.console.sealed, purpose) == account
        source = await services.knowledge.sources.get(house.caller, source.id)
        opened = SourceSecrets(FernetBox(lambda: keys[:1])).opened(source)
        assert opened == {"secretAccessKey": "s3cret"}
        await AgreeOnSealingKeys(ports.unit_of_work, FernetBox(lambda: keys[:1]))()
        with pytest.raises(NotConfigured):
            await AgreeOnSealingKeys(ports.unit_of_work, FernetBox(lambda: keys[1:]))()
