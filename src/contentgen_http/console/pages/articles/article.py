"""What all pages of one article share: the article itself, who may do what with it, and the names of people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen
from litestar import Response

from contentgen_core.model.approval import ApprovalRules, ApprovalState
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.ids import ArticleId, UserId
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.articles.own_words import has_words
from contentgen_http.api.requests import path_id
from contentgen_http.console.page import Page
from contentgen_http.console.visit import Visit


@frozen
class ArticleAccess:
    """What the person may do with an article. `held_back`: whether its niche lets nothing out that is not approved, and
    the present text is not."""

    article: Article
    rules: ApprovalRules
    caller: Caller

    @property
    def may_edit(self) -> bool:
        return self.caller.role.includes(Role.EDITOR)

    @property
    def may_approve(self) -> bool:
        return self.rules.may_approve(self.caller)

    @property
    def may_comment(self) -> bool:
        return self.may_edit or self.may_approve

    @property
    def has_text(self) -> bool:
        return has_words(self.article) and self.article.status is not ArticleStatus.GENERATING

    @property
    def held_back(self) -> bool:
        return self.rules.required and self.article.approval_state is not ApprovalState.APPROVED


class ArticlePage(Page):
    """The base of the pages below /console/articles/{id}."""

    async def article_of(self, request: Visit, id: str) -> Article:
        """Raises NotFound."""
        return await self.services.writing.articles.one(request.user.caller, article_id(id))

    async def access(self, request: Visit, id: str) -> ArticleAccess:
        """Raises NotFound."""
        return await self.access_to(request, await self.article_of(request, id))

    async def listed_access(self, request: Visit, id: str) -> ArticleAccess:
        """For pages that show nothing of the article's plan, sources and sentences. Raises NotFound."""
        caller = request.user.caller
        article, rules = await self.services.writing.approval_policies.article_and_rules(caller, article_id(id))
        return ArticleAccess(article, rules, caller)

    async def access_to(self, request: Visit, article: Article) -> ArticleAccess:
        caller = request.user.caller
        return ArticleAccess(article, await self.services.writing.approval_policies.of_article(article), caller)

    async def people(self, caller: Caller) -> Mapping[UserId, str]:
        """The names of the team's members."""
        return {member.user.id: member.user.name for member in await self.services.people.team.members(caller)}

    async def named(self, request: Visit, ids: Iterable[UserId | None]) -> Mapping[UserId, str]:
        """The names of these people, and perhaps of others of the team; whoever has left is missing."""
        known = {request.user.user.id: request.user.user.name}
        alone = known.keys() >= {id for id in ids if id is not None}
        return known if alone else await self.people(request.user.caller)

    def show_part(
        self, request: Visit, access: ArticleAccess, part: str, template: str, *, status: int = 200, **context: Any
    ) -> Response[str]:
        """A page of the article. `part`: its name among the article's pages, as the address has it."""
        return self.show(request, template, status=status, article=access.article, access=access, part=part, **context)


def article_id(id: str) -> ArticleId:
    """Raises NotFound for what is no id."""
    return ArticleId(path_id("article", id))


def address_of(article: Article, part: str = "") -> str:
    """The address of a page of the article."""
    return f"/console/articles/{article.id}{f'/{part}' if part else ''}"
