"""Sources as somebody makes, changes and deletes them, with their secrets and schedules."""

from __future__ import annotations

import pytest
from attrs import evolve

from contentgen_core.errors import InvalidInput, NotFound, NotPermitted, QuotaExceeded
from contentgen_core.model.ids import SyncedSourceId
from contentgen_core.model.synced_source import (
    SourceKind,
    SyncedSource,
    SyncOutcome,
)
from contentgen_core.model.tenant import PlanName, Role
from contentgen_core.ports.repositories.synced_sources import SyncedSources
from contentgen_core.use_cases.synced_sources.manage_sources import ChangedSource, NewSource
from tests.support.followed_place import (
    FakeReader,
    again,
    followed,
    held,
    synced,
    text,
    tried,
    with_reader,
)
from tests.support.house import NICHE, open_house


async def test_a_deleted_source_takes_its_documents_along() -> None:
    async with open_house() as house:
        source = await followed(house, FakeReader({"a": text("fan"), "b": text("pump")}))
        await house.services.knowledge.sources.delete(house.caller, source.id)
        assert await held(house) == {}
        with pytest.raises(NotFound):
            await again(house, source)


async def test_due_sources_are_synced_by_themselves_unless_they_are_paused() -> None:
    async with open_house() as house:
        reader = FakeReader({"a": text("fan")})
        source = await followed(house, reader, every_hours=5)
        reader.texts["b"] = text("pump")
        await house.services.upkeep.sources.fire_due()
        assert await house.work() == 0
        house.clock.advance(hours=5)
        for _ in range(2):
            await house.services.upkeep.sources.fire_due()
        assert await house.work() == 1
        assert set(await held(house)) == {"a", "b"}
        change = ChangedSource(house.caller, source.id, paused=True)
        await house.services.knowledge.sources.change(change)
        house.clock.advance(days=3)
        await house.services.upkeep.sources.fire_due()
        assert await house.work() == 0
        await house.services.knowledge.sources.change(evolve(change, paused=False))
        await house.services.upkeep.sources.fire_due()
        assert await house.work() == 1


async def test_what_cannot_be_followed_is_refused() -> None:
    async with open_house(PlanName.STARTER) as house:
        with_reader(house, FakeReader())
        command = NewSource(house.caller, NICHE, SourceKind.FOLDER, "Handbook", "/srv/handbook")
        create = house.services.knowledge.sources.create
        for wrong in ({"place": "/etc"}, {"place": " "}, {"name": ""}, {"every_hours": 0}, {"grace_days": 91}):
            with pytest.raises(InvalidInput):
                await create(evolve(command, **wrong))  # type: ignore[arg-type]
        with pytest.raises(NotFound):
            await create(evolve(command, niche="nothing"))
        with pytest.raises(NotPermitted):
            await create(evolve(command, caller=evolve(house.caller, role=Role.EDITOR)))
        for _ in range(3):
            source = await create(command)
        with pytest.raises(QuotaExceeded):
            await create(command)
        other = await house.other_tenant()
        manage = house.services.knowledge.sources
        for call in (
            manage.get(other, source.id),
            manage.sync(other, source.id),
            manage.delete(other, source.id),
            manage.items(other, source.id, None, None, 10),
            manage.change(ChangedSource(other, source.id, name="Mine")),
            manage.get(house.caller, SyncedSourceId("none")),
        ):
            with pytest.raises(NotFound):
                await call


async def test_secrets_are_sealed_and_bound_to_where_they_were_entered_for() -> None:
    async with open_house() as house:
        reader = FakeReader({"a": text("fan")})
        with_reader(house, reader)
        manage, caller = house.services.knowledge.sources, house.caller
        command = NewSource(
            caller, NICHE, SourceKind.NOTION, "Wiki", "/srv/wiki", settings={"site": "https://a.example"}
        )
        for wrong in ({}, {"token": ""}, {"token": "t" * 5_001}, {"token": "t", "other": "x"}, {"token": 1}):
            with pytest.raises(InvalidInput):
                await manage.create(evolve(command, settings=wrong))
        source = await manage.create(evolve(command, settings={**command.settings, "token": "s3cret"}))
        assert (source.settings, source.secret_fields) == ({"site": "https://a.example"}, ("token",))
        assert "s3cret" not in f"{source!r} {source.sealed} {command!r}"
        await house.work()
        assert reader.opened_with == [{"token": "s3cret"}]
        change = ChangedSource(caller, source.id)
        for elsewhere in (
            evolve(change, place="/srv/other"),
            evolve(change, settings={"site": "https://b.example"}),
            evolve(change, settings={"site": None}),
            evolve(change, settings={"token": None}),
        ):
            with pytest.raises(InvalidInput):
                await manage.change(elsewhere)
        await manage.change(evolve(change, name="Our wiki"))
        await manage.change(evolve(change, place="/srv/other", settings={"token": "0ther"}))
        assert (await again(house, source)).settings == {"site": "https://a.example"}
        await synced(house, source)
        assert reader.opened_with[-1] == {"token": "0ther"}
        resealed = await house.services.upkeep.reseal_secrets()
        assert (resealed.resealed, resealed.unreadable) == (0, ())


async def test_secrets_whose_key_is_gone_make_the_sync_fail_and_say_so() -> None:
    async with open_house() as house:
        reader = FakeReader({"a": text("fan")})
        with_reader(house, reader)
        manage = house.services.knowledge.sources
        command = NewSource(house.caller, NICHE, SourceKind.NOTION, "Wiki", "/srv/wiki", settings={"token": "s3cret"})
        source = await manage.create(command)
        await house.work()
        async with house.services.ports.unit_of_work() as tx:
            stored = await tx[SyncedSources].get(source.tenant_id, source.id)
            await tx[SyncedSources].save(evolve(stored, sealed="nothing that opens"))
        found = await tried(house, source)
        assert found.last is not None
        assert (found.last.outcome, "Enter them again" in (found.last.error or "")) == (SyncOutcome.FAILED, True)
        assert set(await held(house)) == {"a"}
        assert (await house.services.upkeep.reseal_secrets()).unreadable == (source.id,)
        await manage.change(ChangedSource(house.caller, source.id, settings={"token": "new"}))
        assert (await synced(house, source)).outcome is SyncOutcome.DONE


async def test_an_endpoint_is_looked_at_with_the_settings_that_are_sent_not_those_that_were() -> None:
    async with open_house() as house:
        looked_at = []

        class Looking(FakeReader):
            def fault_of(self, source: SyncedSource) -> str | None:
                looked_at.append(dict(source.settings))
                return "leads inside" if "inside" in str(source.settings.get("site")) else None

        with_reader(house, Looking())
        manage = house.services.knowledge.sources
        new = NewSource(house.caller, NICHE, SourceKind.NOTION, "Wiki", "/srv/wiki", settings={"token": "t0p"})
        with pytest.raises(InvalidInput, match="leads inside"):
            await manage.create(evolve(new, settings={"token": "t0p", "site": "https://inside.example"}))
        source = await manage.create(evolve(new, settings={"token": "t0p", "site": "https://a.example"}))
        change = {"token": "t0p", "site": "https://inside.example"}
        with pytest.raises(InvalidInput, match="leads inside"):
            await manage.change(ChangedSource(house.caller, source.id, settings=change))
        assert not any("token" in settings for settings in looked_at), "an adapter is shown no secret to check a place"
