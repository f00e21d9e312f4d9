"""Links between articles: proposed, and accepted or rejected by a person."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_core.model.ids import ArticleLinkId
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, path_id
from contentgen_http.routes.articles import article_id
from contentgen_http.services import Services
from contentgen_http.wire.article_links import ArticleLink, ArticleLinkList

TAG: Final = "Articles"
_DECIDES: Final = (errors.NotPermitted, errors.NotFound, errors.ConcurrentChange)


def link_id(text: str) -> ArticleLinkId:
    return ArticleLinkId(path_id("link", text))


class ArticleLinkRoutes(Controller):
    services: Services

    @operation("GET", "/articles/{id:str}/links", tag=TAG, answer=ArticleLinkList, raises=(errors.NotFound,))
    async def list_links(self, request: TenantRequest, id: FromPath[str]) -> ArticleLinkList:
        """List the links of an article to others.

        Accepted ones stand in the article where it is shown publicly, exported or published; its own text and its
        receipt are without them.
        """
        links = await self.services.writing.links.of_article(request.user, article_id(id))
        return ArticleLinkList(links=[ArticleLink.of(link) for link in links])

    @operation(
        "POST",
        "/articles/{id:str}/links/propose",
        tag=TAG,
        answer=ArticleLinkList,
        raises=(errors.NotPermitted, errors.NotFound, errors.Conflict),
        slow=True,
    )
    async def propose_links(self, request: TenantRequest, id: FromPath[str]) -> ArticleLinkList:
        """Propose links of an article to others.

        Names and phrases of its text that another of your articles is on, in the same language, public, published or
        scheduled. Replaces what was proposed before and not decided; what a person rejected is not proposed again.
        """
        found = await self.services.writing.propose_links(request.user, article_id(id))
        links = await self.services.writing.links.shown(request.user, article_id(id), found)
        return ArticleLinkList(links=[ArticleLink.of(link) for link in links])

    @operation("POST", "/article-links/{id:str}/accept", tag=TAG, answer=ArticleLink, raises=_DECIDES)
    async def accept_link(self, request: TenantRequest, id: FromPath[str]) -> ArticleLink:
        """Accept a link.

        It leads to where its target is read at that place, however that address changes; the text of the article stays
        as it is. Posts that are out get it when the article is published again.
        """
        return ArticleLink.of(await self.services.writing.links.accept(request.user, link_id(id)))

    @operation("POST", "/article-links/{id:str}/reject", tag=TAG, answer=ArticleLink, raises=_DECIDES)
    async def reject_link(self, request: TenantRequest, id: FromPath[str]) -> ArticleLink:
        """Reject a link.

        It stands nowhere from now on, and is not proposed again.
        """
        return ArticleLink.of(await self.services.writing.links.reject(request.user, link_id(id)))
