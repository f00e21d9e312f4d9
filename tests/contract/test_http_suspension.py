"""A suspended tenant is told so, whatever it asks for, and loses nothing."""

from __future__ import annotations

import pytest

from contentgen_core.errors import NotFound
from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import Quota
from tests.contract.test_http_niches import code
from tests.contract.test_http_surface import ok
from tests.support.house import open_house
from tests.support.http import open_api, problem_of


async def test_its_keys_are_refused_within_a_second_and_work_again_once_it_is_resumed() -> None:
    async with open_api() as api:
        people, tenant_id = api.house.services.people, api.house.caller.tenant_id
        before = await ok(api, "GET", "/tenant")
        await people.tenants.suspend(tenant_id)
        since = (await people.tenant.overview(tenant_id)).tenant.suspended_at
        api.house.clock.advance(minutes=1)
        await people.tenants.suspend(tenant_id)
        assert (await people.tenant.overview(tenant_id)).tenant.suspended_at == since is not None
        while (refused := await api.call("GET", "/tenant")).status_code == 200:
            pass  # half a second: what was remembered of the key
        assert (refused.status_code, problem_of(refused)["code"]) == (403, "tenant_suspended")
        assert await code(api, "POST", "/writer/generate-plan", {}) == (403, "tenant_suspended")
        assert await code(api, "POST", "/mcp/sse", {}) == (403, "tenant_suspended")
        assert await code(api, "GET", "/agents/events") == (403, "tenant_suspended")
        await people.tenants.resume(tenant_id)
        assert await ok(api, "GET", "/tenant") == before


async def test_an_operator_sees_who_uses_what() -> None:
    async with open_house() as house:
        people, tenant_id = house.services.people, house.caller.tenant_id
        assert tenant_id in [tenant.id for tenant in await people.tenants.every()]
        found = await people.tenant.overview(tenant_id)
        assert (found.members, [owner.id for owner in found.owners]) == (1, [house.caller.user_id])
        assert found.quotas == await house.services.people.tenant.quotas(house.caller)
        assert found.quotas[Quota.TEAM_MEMBERS].used == 1
        for refused in (people.tenant.overview, people.tenants.suspend, people.tenants.resume):
            with pytest.raises(NotFound):
                await refused(TenantId("nobody"))
