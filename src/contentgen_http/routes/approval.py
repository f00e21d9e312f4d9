"""Approval: what people say of articles, and who may."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath
from msgspec import UNSET, UnsetType

from contentgen_core import errors
from contentgen_core.model import article as model
from contentgen_core.model.approval import PostDetails
from contentgen_core.model.ids import UserId
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, path_id, read_body
from contentgen_http.routes.articles import article_id
from contentgen_http.services import Services
from contentgen_http.wire import articles as wire
from contentgen_http.wire.approval import (
    ApprovalRequest,
    ApprovalRules,
    ApprovalSettings,
    ChangesRequest,
    ChosenDetails,
    Submission,
)
from contentgen_http.wire.base import Done, absent_as_none

TAG: Final = "Articles"
NICHES: Final = "Niches"
_RAISES: Final = (errors.NotPermitted, errors.NotFound, errors.Conflict, errors.ConcurrentChange)


class ApprovalRoutes(Controller):
    services: Services

    @operation(
        "POST",
        "/articles/{id:str}/submit",
        tag=TAG,
        body=Submission,
        optional_body=True,
        example={},
        example_of="With an article that is written.",
        answer=wire.Article,
        raises=_RAISES,
    )
    async def submit_article(self, request: TenantRequest, id: FromPath[str]) -> wire.Article:
        """Submit an article for review.

        With tags, categories and the like that are to go out with it, where these are not the article's own. The
        approvers of its niche find it with `GET /articles?approval=inReview`. For editors.
        """
        body = await read_body(request, Submission, optional=True)
        submit = self.services.writing.approval.submit
        return await self._shown(request, await submit(request.user, article_id(id), _details(body.details)))

    @operation(
        "POST",
        "/articles/{id:str}/approve",
        tag=TAG,
        body=ApprovalRequest,
        optional_body=True,
        example={},
        example_of="With an article that is written.",
        answer=wire.Article,
        raises=_RAISES,
    )
    async def approve_article(self, request: TenantRequest, id: FromPath[str]) -> wire.Article:
        """Approve an article.

        All that readers get of it as it is now: whatever changes its text, sources or image afterwards takes the
        approval away, and the titles of its sources stay as they were approved. No sentence counts as reviewed by it.
        For those whom the niche's approval policy names.
        """
        body = await read_body(request, ApprovalRequest, optional=True)
        approve = self.services.writing.approval.approve
        seen = body.reader_hash if body.reader_hash is not UNSET else body.text_hash
        approved = await approve(request.user, article_id(id), absent_as_none(seen), _details(body.details))
        return await self._shown(request, approved)

    @operation(
        "POST",
        "/articles/{id:str}/send-back",
        tag=TAG,
        body=ChangesRequest,
        example={"reason": "Who says that in the second section?"},
        example_of="With an article that is written.",
        answer=wire.Article,
        raises=_RAISES,
    )
    async def send_article_back(self, request: TenantRequest, id: FromPath[str]) -> wire.Article:
        """Send an article back.

        With the reason, until it is submitted again. An approval is taken back; posts that are out stay. For those whom
        the niche's approval policy names.
        """
        body = await read_body(request, ChangesRequest)
        send_back = self.services.writing.approval.send_back
        return await self._shown(request, await send_back(request.user, article_id(id), body.reason))

    @operation("GET", "/niches/{id:str}/approval", tag=NICHES, answer=ApprovalRules, raises=(errors.NotFound,))
    async def get_approval_rules(self, request: TenantRequest, id: FromPath[str]) -> ApprovalRules:
        """Read who approves a niche's articles.

        Where nobody has chosen it, administrators may approve, and nobody has to.
        """
        policies = self.services.writing.approval_policies
        return ApprovalRules.of(await policies.get(request.user, path_id("niche", id)))

    @operation(
        "PATCH",
        "/niches/{id:str}/approval",
        tag=NICHES,
        body=ApprovalSettings,
        example={"required": True, "roles": ["admin"]},
        answer=ApprovalRules,
        raises=_RAISES,
    )
    async def set_approval_rules(self, request: TenantRequest, id: FromPath[str]) -> ApprovalRules:
        """Choose who approves a niche's articles.

        With `required` nothing of it is published, scheduled, updated at a target or shown in public before its present
        text is approved: not by people, agents, schedules or policies. For administrators.
        """
        body = await read_body(request, ApprovalSettings)
        rules = await self.services.writing.approval_policies.set(
            request.user,
            path_id("niche", id),
            required=absent_as_none(body.required),
            roles=absent_as_none(body.roles),
            user_ids=None if body.user_ids is UNSET else [UserId(user_id) for user_id in body.user_ids],
        )
        return ApprovalRules.of(rules)

    @operation(
        "DELETE",
        "/niches/{id:str}/approval",
        tag=NICHES,
        answer=Done,
        raises=(errors.NotPermitted, errors.NotFound),
    )
    async def delete_approval_rules(self, request: TenantRequest, id: FromPath[str]) -> Done:
        """Forget who approves a niche's articles.

        Administrators may approve then, and nobody has to. What was said of articles stays.
        """
        await self.services.writing.approval_policies.delete(request.user, path_id("niche", id))
        return Done()

    async def _shown(self, request: TenantRequest, article: model.Article) -> wire.Article:
        publications = await self.services.publishing.publications.of_article(request.user, article.id)
        return wire.from_model(article, publications)


def _details(chosen: ChosenDetails | UnsetType) -> PostDetails | None:
    return None if chosen is UNSET else chosen.to_model()
