"""Sites whose changed pages are told to search engines."""

from __future__ import annotations

from litestar import Controller
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_core.model.ids import IndexNowSiteId
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, path_id, read_body
from contentgen_http.routes.integrations import TAG
from contentgen_http.services import Services
from contentgen_http.wire.base import Done
from contentgen_http.wire.index_now import IndexNowSite, IndexNowSites, NewIndexNowSite


def site_id(text: str) -> IndexNowSiteId:
    return IndexNowSiteId(path_id("IndexNow site", text))


class IndexNowRoutes(Controller):
    services: Services

    @operation("GET", "/index-now", tag=TAG, answer=IndexNowSites)
    async def list_index_now_sites(self, request: TenantRequest) -> IndexNowSites:
        """List sites whose changed pages are told.

        With what came of the last submission of each.
        """
        found = await self.services.publishing.index_now.list(request.user)
        return IndexNowSites(sites=[IndexNowSite.of(site) for site in found])

    @operation(
        "POST",
        "/index-now",
        tag=TAG,
        body=NewIndexNowSite,
        example={"site": "https://blog.example.com"},
        answer=IndexNowSite,
        raises=(errors.NotPermitted, errors.Conflict, errors.AlreadyExists),
    )
    async def create_index_now_site(self, request: TenantRequest) -> IndexNowSite:
        """Have changed pages of a site told to search engines.

        By the IndexNow protocol: put a file with the key at `keyAddress`. From then on each page of this host that a
        post is published at, changed at or withdrawn from is submitted, once a change. What is not taken is submitted
        again later, and costs no publication anything. For administrators.
        """
        body = await read_body(request, NewIndexNowSite)
        return IndexNowSite.of(await self.services.publishing.index_now.create(request.user, body.site))

    @operation(
        "POST",
        "/index-now/{id:str}/submit",
        tag=TAG,
        answer=IndexNowSite,
        raises=(errors.NotPermitted, errors.NotFound, errors.ConcurrentChange),
    )
    async def submit_index_now_site(self, request: TenantRequest, id: FromPath[str]) -> IndexNowSite:
        """Submit changed pages now.

        Once the key is in its place, for example.
        """
        return IndexNowSite.of(await self.services.publishing.index_now.submit(request.user, site_id(id)))

    @operation("DELETE", "/index-now/{id:str}", tag=TAG, answer=Done, raises=(errors.NotPermitted, errors.NotFound))
    async def delete_index_now_site(self, request: TenantRequest, id: FromPath[str]) -> Done:
        """Tell search engines of a site's pages no more."""
        await self.services.publishing.index_now.delete(request.user, site_id(id))
        return Done()
