"""A deleted tenant leaves nothing behind, and takes nothing of anybody else along."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from attrs import evolve

from contentgen_adapters.memory.objects import MemoryObjects
from contentgen_adapters.postgres.repositories import erasure
from contentgen_core.errors import Conflict, NotFound, Unavailable
from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import PlanName
from contentgen_core.ports.repositories.installation import Installation
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.free_articles.from_link import TENANT_FACT
from contentgen_core.use_cases.tenants import delete
from tests.contract.isolation import RECIPES, Tenancy, tenancy
from tests.contract.rows import Rows, Snapshot
from tests.support.house import House, findable, open_house
from tests.support.http import open_api


async def _with_everything(of: Tenancy) -> None:
    """Everything that an id can name, and what has none."""
    for kind in RECIPES:
        await of.id_of(kind)
    agent, niche = await of.id_of("agent"), await of.id_of("niche")
    timing = {"enabled": True, "days": ["mon"], "hour": 8, "timeZone": "Europe/Paris", "articlesPerRun": 1}
    await of.call("PATCH", f"/niches/{niche}/article-schedule", timing)
    await of.call("POST", f"/agents/{agent}/execute", {"articles": 1})
    await of.call("POST", f"/seo/topic-coverage?nicheKey={of.niche_key}")
    await of.call("POST", "/team/invite", {"email": "ann@example.org", "role": "editor"})
    await of.call("POST", "/niches/request", {"name": "Balloons"})
    await of.call("POST", f"/niches/{niche}/websearch-premium", {"enabled": False})
    article = await of.call("POST", "/writer/generate-plan", _plan(of), headers={"Idempotency-Key": of.niche_key})
    await of.call("POST", "/writer/generate-from-plan", {"articleId": article["articleId"]})
    for _ in range(3):
        await of.api.house.work()


def _plan(of: Tenancy) -> dict[str, object]:
    return {"agentKey": f"{of.niche_key}-GB", "topic": "Noise of heat pumps", "allowLowCoverage": True}


def _naming(rows: Rows, ids: set[str]) -> Rows:
    return Rows({row: n for row, n in rows.items() if any(id in row[1] for id in ids)})


@pytest.mark.parametrize("at_once", [delete.ERASED_AT_ONCE, 1])
async def test_nothing_names_it_any_more_and_others_have_what_they_had(
    stored: tuple[UnitOfWork, Snapshot], at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delete, "ERASED_AT_ONCE", at_once)
    data, snapshot = stored
    async with open_api(PlanName.BUSINESS, data=data) as api:
        people = api.house.services.people
        other = await tenancy(api, api.house.caller, "Quicksilver")
        await _with_everything(other)
        made = await people.tenants.create("Doomed", PlanName.BUSINESS)
        await api.house.activate(made.caller)
        doomed = await tenancy(api, made.caller, "Balloons of lead")
        await _with_everything(doomed)
        others_review = await other.id_of("review")
        await doomed.call("POST", f"/reviews/{others_review}/helpful")
        ids = {made.tenant.id, made.owner.id, made.key.key.id, *doomed.ids}
        await findable(api.house.services)
        before = await snapshot()
        tables = {table for table, _ in _naming(before, ids)}
        assert len(tables) > 15, tables
        await people.delete_tenant(made.tenant.id)
        after = await snapshot()
        assert _naming(after, ids) == Rows()
        marked = {others_review, other.caller.user_id}  # a review that has one helpful mark less now
        kept = {other.caller.tenant_id, *other.ids} - marked - {other.niche_key}
        assert _naming(after, kept) == _naming(before, kept)
        objects: Any = api.house.services.ports.objects
        assert {key.partition("/")[0] for key in objects._objects} == {other.caller.tenant_id}
        with pytest.raises(NotFound):
            await people.delete_tenant(made.tenant.id)


async def test_every_table_of_tenants_is_erased(stored: tuple[UnitOfWork, Snapshot], postgres_conninfo: str) -> None:
    """A new table has to take its place there."""
    async with await psycopg.AsyncConnection.connect(postgres_conninfo) as connection:
        rows = await (
            await connection.execute(
                "SELECT table_name FROM information_schema.columns"
                " WHERE column_name = 'tenant_id' AND table_schema = 'public'"
            )
        ).fetchall()
    assert {name for (name,) in rows} == {*erasure.owned_tables(), "kb_scopes"}


class Refusing(MemoryObjects):
    refusing = True

    async def delete(self, key: str) -> None:
        if self.refusing:
            raise Unavailable("The store is away.")
        await super().delete(key)


async def test_a_store_that_is_away_stops_it_and_it_goes_on_later() -> None:
    async with open_api() as api:
        store = Refusing()
        of = await tenancy(api, api.house.caller, "Quicksilver")
        await of.id_of("document")
        people = api.house.services.people
        delete_tenant = evolve(people.delete_tenant, objects=store)
        with pytest.raises(Unavailable):
            await delete_tenant(of.caller.tenant_id)
        assert (await people.tenant.overview(of.caller.tenant_id)).tenant.suspended_at is not None
        store.refusing = False
        await delete_tenant(of.caller.tenant_id)
        with pytest.raises(NotFound):
            await people.tenant.overview(of.caller.tenant_id)


async def test_the_tenant_of_the_free_articles_stays() -> None:
    async with open_house() as house:
        home = await _free(house)
        with pytest.raises(Conflict, match="free articles"):
            await house.services.people.delete_tenant(home)
        assert (await house.services.people.tenant.overview(home)).tenant.suspended_at is None


async def _free(house: House) -> TenantId:
    made = await house.services.people.tenants.create("Free articles", PlanName.FREE)
    async with house.services.ports.unit_of_work() as tx:
        await tx[Installation].put(TENANT_FACT, made.tenant.id)
    return made.tenant.id
