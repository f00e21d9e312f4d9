"""Updates of articles whose sources changed, and the policies by which they are looked for."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath
from msgspec import UNSET

from contentgen_core import errors
from contentgen_core.model import article_update as model
from contentgen_core.model.ids import ArticleUpdateId
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, path_id, read_body, read_query
from contentgen_http.routes.articles import article_id
from contentgen_http.services import Services
from contentgen_http.wire.article_updates import (
    AcceptedUpdate,
    ArticleUpdate,
    ArticleUpdateList,
    ArticleUpdateQuery,
    ProposedUpdate,
    RefreshPolicy,
    RefreshSettings,
    UpdateRequest,
)
from contentgen_http.wire.base import Done, absent_as_none

TAG: Final = "Articles"
NICHES: Final = "Niches"


def update_id(text: str) -> ArticleUpdateId:
    return ArticleUpdateId(path_id("update", text))


class ArticleUpdateRoutes(Controller):
    services: Services

    async def _shown(self, request: TenantRequest, update: model.ArticleUpdate) -> ArticleUpdate:
        found = await self.services.writing.updates.of_translations(request.user, [update])
        return ArticleUpdate.of(update, found.get(update.id, ()))

    @operation(
        "POST",
        "/article-updates",
        tag=TAG,
        body=UpdateRequest,
        example={"articleId": "01957fd5-0f80-7000-8000-000000000001"},
        answer=ProposedUpdate,
        raises=(errors.NotPermitted, errors.NotFound, errors.Conflict, errors.ConcurrentChange),
        slow=True,
    )
    async def propose_update(self, request: TenantRequest) -> ProposedUpdate:
        """Propose an update of an article.

        Compares it with its sources as they are now, and keeps what is proposed until it is decided. The same changes
        are proposed once; others make the update before them outdated.
        """
        body = await read_body(request, UpdateRequest)
        update = await self.services.writing.propose_update(request.user, article_id(body.article_id))
        return ProposedUpdate(update=UNSET if update is None else await self._shown(request, update))

    @operation(
        "GET",
        "/article-updates",
        tag=TAG,
        query=ArticleUpdateQuery,
        answer=ArticleUpdateList,
        raises=(errors.NotFound,),
    )
    async def list_updates(self, request: TenantRequest) -> ArticleUpdateList:
        """List updates of articles.

        Those that wait for a decision have the state proposed.
        """
        query = read_query(request, ArticleUpdateQuery)
        state = None if query.state is UNSET else query.state
        before = None if query.before is UNSET else update_id(query.before)
        found = await self.services.writing.updates.page(request.user, state, before, query.limit)
        following = await self.services.writing.updates.of_translations(request.user, found)
        return ArticleUpdateList(updates=[ArticleUpdate.of(one, following.get(one.id, ())) for one in found])

    @operation("GET", "/article-updates/{id:str}", tag=TAG, answer=ArticleUpdate, raises=(errors.NotFound,))
    async def get_update(self, request: TenantRequest, id: FromPath[str]) -> ArticleUpdate:
        """Read an update of an article."""
        return await self._shown(request, await self.services.writing.updates.get(request.user, update_id(id)))

    @operation(
        "POST",
        "/article-updates/{id:str}/accept",
        tag=TAG,
        body=AcceptedUpdate,
        example={"publish": True},
        example_of="With an update that waits for a decision.",
        answer=ArticleUpdate,
        raises=(errors.NotPermitted, errors.NotFound, errors.Conflict, errors.ConcurrentChange),
        slow=True,
    )
    async def accept_update(self, request: TenantRequest, id: FromPath[str]) -> ArticleUpdate:
        """Accept an update of an article.

        Only its sentences change, and only these are checked again. With `publish` the posts that are out follow, each
        read back. The article's translations follow by updates of their own (`translations`), which wait for a decision
        unless `publish` is set. 409 `update_decided` where article or sources changed since.
        """
        body = await read_body(request, AcceptedUpdate)
        accept = self.services.writing.updates.accept
        return await self._shown(
            request, await accept(request.user, update_id(id), body.to_model(), publish=body.publish)
        )

    @operation(
        "POST",
        "/article-updates/{id:str}/reject",
        tag=TAG,
        answer=ArticleUpdate,
        raises=(errors.NotPermitted, errors.NotFound, errors.Conflict, errors.ConcurrentChange),
    )
    async def reject_update(self, request: TenantRequest, id: FromPath[str]) -> ArticleUpdate:
        """Reject an update of an article.

        The article stays as it is; its niche's refresh policy proposes the same changes no more.
        """
        return await self._shown(request, await self.services.writing.updates.reject(request.user, update_id(id)))

    @operation("GET", "/niches/{id:str}/refresh", tag=NICHES, answer=RefreshPolicy, raises=(errors.NotFound,))
    async def get_refresh_policy(self, request: TenantRequest, id: FromPath[str]) -> RefreshPolicy:
        """Read how a niche's articles follow their sources.

        404 for a niche without a refresh policy, whose articles are looked at on request alone.
        """
        return RefreshPolicy.of(await self.services.writing.refresh.get(request.user, path_id("niche", id)))

    @operation(
        "PATCH",
        "/niches/{id:str}/refresh",
        tag=NICHES,
        body=RefreshSettings,
        example={"mode": "review", "everyHours": 24},
        answer=RefreshPolicy,
        raises=(errors.NotPermitted, errors.NotFound, errors.Conflict, errors.ConcurrentChange),
    )
    async def set_refresh_policy(self, request: TenantRequest, id: FromPath[str]) -> RefreshPolicy:
        """Choose how a niche's articles follow their sources.

        Articles that cite a source which changed are compared with it, at once and then every so many hours. With
        review each update waits for a person; with auto what was checked is applied, and posts follow if `publish`
        says so. For administrators.
        """
        body = await read_body(request, RefreshSettings)
        policy = await self.services.writing.refresh.set(
            request.user,
            path_id("niche", id),
            absent_as_none(body.mode),
            absent_as_none(body.every_hours),
            publish=absent_as_none(body.publish),
        )
        return RefreshPolicy.of(policy)

    @operation(
        "DELETE",
        "/niches/{id:str}/refresh",
        tag=NICHES,
        answer=Done,
        raises=(errors.NotPermitted, errors.NotFound),
    )
    async def delete_refresh_policy(self, request: TenantRequest, id: FromPath[str]) -> Done:
        """Stop looking at a niche's articles.

        Updates that were proposed stay.
        """
        await self.services.writing.refresh.delete(request.user, path_id("niche", id))
        return Done()

    @operation(
        "POST",
        "/niches/{id:str}/refresh/run",
        tag=NICHES,
        answer=RefreshPolicy,
        raises=(errors.NotPermitted, errors.NotFound, errors.ConcurrentChange),
    )
    async def run_refresh(self, request: TenantRequest, id: FromPath[str]) -> RefreshPolicy:
        """Look at a niche's articles now.

        As its refresh policy says; `last` has what was found once `running` is false.
        """
        return RefreshPolicy.of(await self.services.writing.refresh.run(request.user, path_id("niche", id)))
