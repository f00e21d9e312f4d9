"""/console/articles/{id}/translations: the article in other languages, beside each other, and a new one."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import ContentgenError
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.side_by_side import Beside
from contentgen_core.policies.articles.translation import TARGET_LANGUAGES
from contentgen_core.use_cases.translation.start import TranslateArticleCommand
from contentgen_http.api.requests import path_id
from contentgen_http.console.errors import sentence, status_of
from contentgen_http.console.pages.articles.article import ArticlePage
from contentgen_http.console.rendering import to
from contentgen_http.console.sent_once import sent_once
from contentgen_http.console.visit import Visit, texts_of


class TranslationPages(ArticlePage):
    @get("/articles/{id:str}/translations")
    async def translations(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """With `with`: one of them beside the article, or the article beside its original."""
        return await self._page(request, id)

    @post("/articles/{id:str}/translations", status_code=200, slow=True)
    @sent_once
    async def translate(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """Begin a translation, and lead to the article that it makes."""
        form = await self.form(request)
        language = form.text("language")
        try:
            article = await self.article_of(request, id)
            target = Language(language) if language in set(Language) else article.brief.language
            started = await self.services.writing.translate.article(
                TranslateArticleCommand(request.user.caller, article.id, target)
            )
        except ContentgenError as error:
            fault = sentence(error, texts_of(request))
            return await self._page(request, id, fault, language, status_of(error))
        made = started.translation.made_article_id
        return to(f"/console/articles/{made}", "note-translating")

    async def _page(
        self, request: Visit, id: str, fault: str = "", language: str = "", status: int = 200
    ) -> Response[str]:
        """`language`: what was chosen where it was refused."""
        access, caller, writing = await self.listed_access(request, id), request.user.caller, self.services.writing
        article = access.article
        found, credits = await asyncio.gather(
            writing.compare_translations.of_article(caller, article.id), writing.translations.credits(caller)
        )
        first, other = article, None
        beside: tuple[Beside, ...] = ()
        if wanted := request.query_params.get("with", ""):
            with_id = ArticleId(path_id("article", wanted))
            of_original = found.original is not None and found.original.id == with_id
            pair = (with_id, article.id) if of_original else (article.id, with_id)
            other, beside = await writing.compare_translations(caller, *pair)
            first = found.original if of_original and found.original else article
        taken = {article.brief.language, *(each.brief.language for each in found.translations)}
        return self.show_part(
            request,
            access,
            "translations",
            "articles/translations.html",
            status=status,
            original=found.original,
            translations=found.translations,
            languages_left=[each for each in TARGET_LANGUAGES if each not in taken],
            credits=credits,
            published=article.status is ArticleStatus.PUBLISHED,
            first=first,
            other=other,
            beside=beside,
            fault=fault,
            chosen=language,
        )
