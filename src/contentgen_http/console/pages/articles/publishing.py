"""/console/articles/{id}/publish and /export: the article's way out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from attrs import frozen
from litestar import Response, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from contentgen_core.errors import ContentgenError
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import IntegrationId
from contentgen_core.model.integration import Integration
from contentgen_core.model.publication import PostRequest, PostStatus, Publication, PublicationStatus
from contentgen_core.model.publishing_target import ProviderInfo
from contentgen_core.ports.exporting import ExportFormat
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.publishing.start import PublishCommand
from contentgen_http.api.evidence_file import evidence_file
from contentgen_http.console.errors import sentence, status_of
from contentgen_http.console.pages.articles.article import ArticleAccess, ArticlePage, address_of
from contentgen_http.console.rendering import to
from contentgen_http.console.sent_once import sent_once
from contentgen_http.console.visit import Form, Visit, texts_of

MAX_TARGETS: Final = 100
"""Of one form."""
_FORMATS: Final = {format.value: format for format in ExportFormat}


@frozen
class ShownTarget:
    """A target that is switched on. `post`: what was last asked of it for the article, and what came of that."""

    integration: Integration
    provider: ProviderInfo
    post: Publication | None


class PublishingPages(ArticlePage):
    @get("/articles/{id:str}/publish")
    async def targets(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        return await self._page(request, await self.access(request, id))

    @get("/articles/{id:str}/publish/posts")
    async def posts(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """The part of the page that says how the posts are, asked for while one is under way."""
        access = await self.listed_access(request, id)
        targets = await self._targets(request, access)
        return self.show(
            request, "articles/posts.html", article=access.article, targets=targets, under_way=_busy(targets)
        )

    @post("/articles/{id:str}/publish", status_code=200)
    @sent_once
    async def publish(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """To the chosen targets. One that refuses holds no other back, and the page says why it does."""
        form = await self.form(request)
        access = await self.access(request, id)
        chosen = form.texts("target")[:MAX_TARGETS]
        if not chosen:
            return await self._page(request, access, [texts_of(request)("articles-publish-choose")], form)
        try:
            asked = _request(form, request.user.tenant.time_zone or "UTC")
        except ValueError:
            return await self._page(request, access, [texts_of(request)("articles-publish-no-time")], form)
        faults, status = [], 400
        for target in chosen:
            command = PublishCommand(
                request.user.caller,
                IntegrationId(target),
                access.article.id,
                asked,
                seen=form.text("seen") or None,
                wait=False,
            )
            try:
                await self.services.publishing.publish.to_integration(command)
            except ContentgenError as error:
                status = status_of(error)
                faults.append(sentence(error, texts_of(request)))
        if faults:
            return await self._page(request, access, list(dict.fromkeys(faults)), form, status)
        return to(address_of(access.article, "publish"), "note-publishing")

    @post("/articles/{id:str}/publish/by-hand", status_code=200, slow=True)
    async def by_hand(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """Say that the article is published: where no target is connected, a person publishes it."""
        await self.form(request)
        access = await self.access(request, id)
        command = EditArticleCommand(request.user.caller, access.article.id, status=ArticleStatus.PUBLISHED)
        try:
            await self.services.writing.edit(command)
        except ContentgenError as error:
            fault = sentence(error, texts_of(request))
            return await self._page(request, access, [fault], status=status_of(error))
        return to(address_of(access.article, "publish"), "note-published-by-hand")

    @get("/articles/{id:str}/export/{format:str}")
    async def export(self, request: Visit, id: FromPath[str], format: FromPath[str]) -> Response[bytes]:
        """The article as a file; with `receipt`, for editors, with what its sentences rest on."""
        access = await self.listed_access(request, id)
        if format not in _FORMATS:
            raise NotFoundException
        made = await self.services.writing.export(
            request.user.caller,
            access.article.id,
            _FORMATS[format],
            receipt=request.query_params.get("receipt") == "yes",
        )
        headers = {
            "Content-Disposition": f'attachment; filename="{made.file_name}"',
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; sandbox",
            "Cache-Control": "no-store",
        }
        return Response(made.content, media_type=made.format.media_type, headers=headers)

    @get("/articles/{id:str}/evidence/{format:str}", slow=True)
    async def evidence(self, request: Visit, id: FromPath[str], format: FromPath[str]) -> Response[bytes]:
        """The article's evidence file, or its pages with the file attached."""
        access = await self.listed_access(request, id)
        if format not in ("json", "pdf"):
            raise NotFoundException
        document, file = await evidence_file(self.services, request.user.caller, access.article.id)
        if format == "pdf":
            file = await self.services.ports.exporter.evidence_pdf(document, file)
        headers = {
            "Content-Disposition": f'attachment; filename="evidence-{access.article.id}.{format}"',
            "Cache-Control": "no-store",
        }
        return Response(file, media_type=f"application/{format}", headers=headers)

    async def _targets(self, request: Visit, access: ArticleAccess) -> list[ShownTarget]:
        caller, publishing = request.user.caller, self.services.publishing
        integrations, posts = await asyncio.gather(
            publishing.integrations.list(caller), publishing.publications.of_article(caller, access.article.id)
        )
        known = {info.id: info for info in publishing.integrations.providers()}
        of = {post.integration_id: post for post in posts}
        return [
            ShownTarget(one, known[one.provider], of.get(one.id))
            for one in integrations
            if one.provider in known and (one.enabled or one.id in of)
        ]

    async def _page(
        self,
        request: Visit,
        access: ArticleAccess,
        faults: Sequence[str] = (),
        form: Form | None = None,
        status: int = 400,
    ) -> Response[str]:
        """`form`: what was typed where it has faults; `status`: of the answer then."""
        targets = await self._targets(request, access)
        return self.show_part(
            request,
            access,
            "publish",
            "articles/publish.html",
            status=status if faults else 200,
            targets=targets,
            under_way=_busy(targets),
            formats=list(ExportFormat),
            faults=faults,
            chosen=form.texts("target") if form else [],
            when=form.text("when") if form else "now",
            at=form.text("at") if form else "",
        )


def _busy(targets: Sequence[ShownTarget]) -> bool:
    """Whether a post is being made at this moment."""
    return any(
        target.post is not None
        and target.post.status is PublicationStatus.PENDING
        and target.post.retry_at is None
        and target.post.request.status is not PostStatus.SCHEDULED
        for target in targets
    )


def _request(form: Form, zone: str) -> PostRequest:
    """What the form asks of each target. Raises ValueError for a time that is none."""
    when = form.text("when")
    overwrite, anew = "overwrite" in form, "anew" in form
    if when == "later":
        at = datetime.fromisoformat(form.text("at"))
        at = at if at.tzinfo else at.replace(tzinfo=ZoneInfo(zone))
        return PostRequest(status=PostStatus.SCHEDULED, scheduled_for=at, overwrite=overwrite, anew=anew)
    status = PostStatus.DRAFT if when == "draft" else PostStatus.PUBLISHED
    return PostRequest(status=status, overwrite=overwrite, anew=anew)
