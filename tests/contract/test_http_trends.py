"""The trend of an article, on the wire."""

from __future__ import annotations

from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.trends import Trends
from contentgen_core.testing import builders
from tests.contract.test_http_surface import ok
from tests.support.http import faults_of, open_api


async def test_an_article_is_tied_to_a_trend_there_is_and_untied_by_null() -> None:
    async with open_api() as api:
        article, trend = builders.article(tenant_id=api.house.caller.tenant_id), builders.trend()
        async with api.house.services.ports.unit_of_work() as tx:
            await tx[Articles].add(article)
        path = f"/writer/{article.id}"
        unknown = await api.call("PATCH", path, {"trendSlug": trend.slug})
        assert unknown.status_code == 400
        assert faults_of(unknown) == {"trendSlug": "there is no such trend"}
        async with api.house.services.ports.unit_of_work() as tx:
            await tx[Trends].save(trend)
        assert (await ok(api, "PATCH", path, {"trendSlug": trend.slug}))["trendSlug"] == trend.slug
        assert (await ok(api, "GET", path))["trendSlug"] == trend.slug
        assert "trendSlug" not in await ok(api, "PATCH", path, {"trendSlug": None})
