"""Connections are tried before they are stored: bounded in time and number, and nothing is kept."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from attrs import evolve

from contentgen_adapters.memory.publishing import INFO, TOKEN, MemoryPublisher
from contentgen_core.errors import InvalidInput, NotFound, NotPermitted, RateLimited
from contentgen_core.model.publishing_target import FieldType, SettingField
from contentgen_core.model.tenant import Role
from contentgen_core.use_cases.integrations import manage_integrations
from contentgen_core.use_cases.integrations.manage_integrations import (
    ChangedIntegration,
    ConnectionTest,
    NewIntegration,
)
from tests.support.house import House, open_house


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


def new(house: House, **changes: Any) -> NewIntegration:
    made = NewIntegration(house.caller, "memory", "", True, {"token": TOKEN}, {})
    return evolve(made, **changes)


async def test_what_is_tried_is_not_stored_and_needs_no_name(house: House) -> None:
    manage = house.services.publishing.integrations
    assert await manage.try_new(new(house)) == ConnectionTest(True, "Memory works.")
    refused = await manage.try_new(new(house, credentials={"token": "wrong"}))
    assert (refused.success, "the token is wrong" in refused.message) == (False, True)
    assert await manage.list(house.caller) == []


async def test_a_change_is_tried_with_the_secret_that_is_kept(house: House) -> None:
    manage = house.services.publishing.integrations
    stored = await manage.create(new(house, name="Blog"))
    command = ChangedIntegration(house.caller, stored.id, credentials={"blog": "cold"})
    assert (await manage.try_change(command)).success
    refused = await manage.try_change(evolve(command, credentials={"token": "wrong"}))
    assert not refused.success
    assert await manage.get(house.caller, stored.id) == stored
    with pytest.raises(NotFound):
        await manage.try_change(evolve(command, caller=await house.other_tenant()))


async def test_secrets_are_not_sent_to_another_host_than_they_were_entered_for(house: House) -> None:
    site = SettingField("site", "Site", FieldType.URL)
    house.target.info = evolve(INFO, credential_fields=(*INFO.credential_fields, site))
    manage = house.services.publishing.integrations
    stored = await manage.create(new(house, name="Blog", credentials={"token": TOKEN, "site": "https://ours.example"}))
    tried = len(house.target.calls)
    for elsewhere in ("https://theirs.example", "http://ours.example", "https://ours.example:8443", None):
        command = ChangedIntegration(house.caller, stored.id, credentials={"site": elsewhere})
        for change in (manage.change, manage.try_change):
            with pytest.raises(InvalidInput, match="is needed again"):
                await change(command)
    assert (len(house.target.calls), await manage.get(house.caller, stored.id)) == (tried, stored)
    moved = ChangedIntegration(house.caller, stored.id, credentials={"site": "https://ours.example/blog"})
    assert (await manage.change(moved)).credentials["site"] == "https://ours.example/blog"
    entered = ChangedIntegration(
        house.caller, stored.id, credentials={"site": "https://theirs.example", "token": TOKEN}
    )
    assert (await manage.change(entered)).credentials["site"] == "https://theirs.example"


async def test_who_may_not_connect_may_not_try_and_faults_are_named(house: House) -> None:
    manage = house.services.publishing.integrations
    with pytest.raises(NotPermitted):
        await manage.try_new(new(house, caller=evolve(house.caller, role=Role.EDITOR)))
    house.target.info = evolve(INFO, platform_only=True)
    with pytest.raises(NotPermitted):
        await manage.try_new(new(house))
    with pytest.raises(InvalidInput):
        await manage.try_new(new(house, credentials={}))
    assert house.target.calls == []


async def test_a_target_that_does_not_answer_is_left_and_a_minute_has_its_tries(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silent(_: MemoryPublisher) -> str:
        await asyncio.sleep(60)
        return ""

    connections = house.services.publishing.integrations
    with monkeypatch.context() as patched:
        patched.setattr(manage_integrations, "TRIED_FOR", 0.01)
        patched.setattr(MemoryPublisher, "test", silent)
        assert "no answer" in (await connections.try_new(new(house))).message
    for _ in range(manage_integrations.TRIES_PER_MINUTE - 1):
        await connections.try_new(new(house))
    with pytest.raises(RateLimited):
        await connections.try_new(new(house))
    assert (await connections.try_new(new(house, caller=await house.other_tenant()))).success
