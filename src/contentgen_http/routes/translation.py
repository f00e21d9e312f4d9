"""Translating articles, texts and documents."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_core.use_cases.translation.start import ArticleNotPublished
from contentgen_http.api.operation import KIB, operation
from contentgen_http.api.requests import TenantRequest, idempotency_key, path_id, read_body
from contentgen_http.routes.articles import article_id
from contentgen_http.services import Services
from contentgen_http.wire import translation as wire

TAG: Final = "Translation"
_RAISES: Final = (
    errors.NotPermitted,
    errors.PlanForbids,
    errors.QuotaExceeded,
    errors.NotFound,
    errors.IdempotencyKeyReused,
    errors.NotConfigured,
)
_WITH_A_MODEL: Final = "Works where a language model is set up."


class TranslationRoutes(Controller):
    services: Services

    @operation("GET", "/writer/translate-credits", tag=TAG, answer=wire.TranslationCredits)
    async def get_translate_credits(self, request: TenantRequest) -> wire.TranslationCredits:
        """Read translation credits.

        Those of the present month, what a translation costs, and the languages there are.
        """
        return wire.TranslationCredits.of(await self.services.writing.translations.credits(request.user))

    @operation(
        "POST",
        "/writer/{id:str}/translate",
        tag=TAG,
        body=wire.ArticleTranslationRequest,
        answer=wire.StartedArticleTranslation,
        idempotent=True,
        raises=(*_RAISES, ArticleNotPublished, errors.TopicAlreadyGenerating),
        example={"targetLanguage": "fr"},
        example_of=_WITH_A_MODEL,
        slow=True,
    )
    async def translate_article(self, request: TenantRequest, id: FromPath[str]) -> wire.StartedArticleTranslation:
        """Translate a published article.

        Makes an article of its own, `translationOf` this one, with the same structure, citations, numbers, code and
        links. It is generating until the translation is done, then generated: follow it as a generation. Costs a credit
        for each started 500 words, 15 at most, which come back if it fails; it counts against no article quota.
        """
        body = await read_body(request, wire.ArticleTranslationRequest)
        key = idempotency_key(request, f"translate article {id}", body)
        begun = await self.services.writing.translate.article(body.to_command(request.user, article_id(id), key))
        return wire.StartedArticleTranslation.of(begun)

    @operation(
        "POST",
        "/translate",
        tag=TAG,
        body=wire.TextTranslationRequest,
        answer=wire.StartedTranslation,
        idempotent=True,
        max_body=KIB * KIB,
        raises=(*_RAISES, errors.Conflict),
        example={"text": "A heat pump is **quiet**.", "targetLanguage": "fr"},
        example_of=_WITH_A_MODEL,
        slow=True,
    )
    async def translate_text(self, request: TenantRequest) -> wire.StartedTranslation:
        """Translate a text or a document.

        Markdown keeps its structure, citations, numbers, code and links. Costs what an article of its length costs. The
        translation is made in the background: poll GET /translate/{id} until status is completed or failed.
        """
        body = await read_body(request, wire.TextTranslationRequest)
        key = idempotency_key(request, "translate", body)
        begun = await self.services.writing.translate.text(body.to_command(request.user, key))
        return wire.StartedTranslation.of(begun)

    @operation("GET", "/translate/{id:str}", tag=TAG, answer=wire.Translation, raises=(errors.NotFound,))
    async def get_translation(self, request: TenantRequest, id: FromPath[str]) -> wire.Translation:
        """Read a translation.

        Where it stands, and its text once it is completed.
        """
        found = await self.services.writing.translations.get(request.user, path_id("translation", id))
        return wire.Translation.of(found)
