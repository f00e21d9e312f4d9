"""An article's image and its other forms over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from contentgen_adapters.images.catalog import SETTINGS
from contentgen_adapters.memory.images import MemoryImages
from contentgen_core.model.tenant import PlanName
from contentgen_core.ports.images import Images
from tests.support.house import PICTURES
from tests.support.http import Api, faults_of, open_api, problem_of


async def admin_key(api: Api) -> str:
    made = await api.house.services.tenants.create("Platform", PlanName.BUSINESS, platform_admin=True)
    await api.house.activate(made.caller)
    return await api.key_of(made.caller)


async def article_of(api: Api, key: str, **fields: Any) -> str:
    plan = {"agentKey": "home-energy-GB", "topic": "Heat pump efficiency in winter", "allowLowCoverage": True}
    article_id: str = (await api.call("POST", "/writer/generate-plan", plan, key=key)).json()["articleId"]
    fields = {"title": "Heat pump efficiency in winter", "content": "It moves heat."} | fields
    assert (await api.call("PATCH", f"/writer/{article_id}", fields, key=key)).status_code == 200
    return article_id


async def test_a_platform_admin_has_an_image_found() -> None:
    async with open_api() as api:
        key = await admin_key(api)
        path = f"/writer/{await article_of(api, key)}"
        answer = await api.call("POST", f"{path}/auto-image", key=key)
        assert answer.status_code == 200
        found = answer.json()
        credit = {
            "provider": "memory",
            "providerName": "Sample Pictures",
            "providerUrl": PICTURES[0].provider_url,
            "photographer": "Ada Ohm",
            "photographerUrl": PICTURES[0].photographer_url,
            "pageUrl": PICTURES[0].page_url,
            "alt": PICTURES[0].alt,
        }
        assert found == {
            "success": True,
            "featuredImage": PICTURES[0].address,
            "photographer": "Ada Ohm",
            "imageCredit": credit,
        }
        article = (await api.call("GET", path, key=key)).json()
        assert (article["featuredImage"], article["imageCredit"]) == (PICTURES[0].address, credit)
        page = (await api.call("GET", f"{path}/export-pdf", key=key)).text
        assert f'alt="{PICTURES[0].alt}"' in page
        assert f'<a href="{PICTURES[0].provider_url}" rel="noopener"><bdi>Sample Pictures</bdi></a>' in page
        again = (await api.call("POST", f"{path}/auto-image", key=key)).json()
        assert again == {"success": True, "featuredImage": PICTURES[0].address}
        other = (await api.call("POST", f"{path}/auto-image?force=true", key=key)).json()
        assert (other["success"], other["photographer"]) == (True, "Bo Volt")
        cleared = (await api.call("PATCH", path, {"featuredImage": None}, key=key)).json()
        assert {"featuredImage", "imageCredit"}.isdisjoint(cleared)


@pytest.mark.parametrize("force", ["false", "1", "True", "", "yes"])
async def test_any_other_force_is_refused_before_anything_else(force: str) -> None:
    async with open_api() as api:
        assert "force" in faults_of(await api.call("POST", f"/writer/nowhere/auto-image?force={force}"))


async def test_others_than_platform_admins_are_refused() -> None:
    async with open_api() as api:
        article = await api.planned()
        for article_id in (article["articleId"], "nowhere"):
            answer = await api.call("POST", f"/writer/{article_id}/auto-image")
            assert (answer.status_code, problem_of(answer)["code"]) == (403, "not_permitted")


async def test_an_article_of_another_tenant_is_not_there_for_a_platform_admin() -> None:
    async with open_api() as api:
        key = await admin_key(api)
        theirs = (await api.planned())["articleId"]
        answer = await api.call("POST", f"/writer/{theirs}/auto-image", key=key)
        assert (answer.status_code, problem_of(answer)["code"]) == (404, "not_found")


async def test_without_a_service_the_settings_are_named() -> None:
    async with open_api() as api:
        key = await admin_key(api)
        article_id = await article_of(api, key)
        object.__setattr__(api.house.services.auto_image, "images", Images(None, SETTINGS))
        answer = await api.call("POST", f"/writer/{article_id}/auto-image", key=key)
        assert answer.status_code == 503
        assert "CONTENTGEN_UNSPLASH_API_KEY or CONTENTGEN_PEXELS_API_KEY" in problem_of(answer)["detail"]


async def test_nothing_found_is_no_success_and_no_failure() -> None:
    async with open_api() as api:
        key = await admin_key(api)
        article_id = await article_of(api, key, title="Zygomorphic quux")
        none = MemoryImages()
        object.__setattr__(api.house.services.auto_image, "images", Images(none, SETTINGS))
        answer = await api.call("POST", f"/writer/{article_id}/auto-image", key=key)
        assert (answer.status_code, answer.json()) == (200, {"success": False})
