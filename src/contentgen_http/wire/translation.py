"""Translations on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import translation as model
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import ArticleId, DocumentId
from contentgen_core.model.tenant import Caller
from contentgen_core.model.translation import TranslationStatus
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.translation import MAX_CREDITS, MAX_WORDS, TARGET_LANGUAGES, WORDS_PER_CREDIT
from contentgen_core.use_cases.idempotency import IdempotencyKey
from contentgen_core.use_cases.translation.credits import Credits
from contentgen_core.use_cases.translation.start import (
    MAX_TEXT,
    TranslateArticleCommand,
    TranslateTextCommand,
    TranslationStart,
    check_text,
)
from contentgen_http.wire.base import AnswerOf, Body, Id, Rule, optional

TargetLanguage = Literal["en", "fr", "es", "de", "it", "pt", "nl", "pl", "ru", "ar", "zh", "ja", "ko"]
_Target = Annotated[TargetLanguage, Meta(description="The language to translate into.", examples=["fr"])]
_CreditsUsed = Annotated[int, Meta(ge=1, le=MAX_CREDITS, description="What it cost.", examples=[2])]

_ARTICLE_STATUS: Final = {
    TranslationStatus.TRANSLATING: ArticleStatus.GENERATING,
    TranslationStatus.COMPLETED: ArticleStatus.GENERATED,
    TranslationStatus.FAILED: ArticleStatus.FAILED,
}


class ArticleTranslationRequest(Body, kw_only=True):
    """The language to translate an article into."""

    target_language: _Target

    def to_command(self, caller: Caller, article_id: ArticleId, key: IdempotencyKey | None) -> TranslateArticleCommand:
        return TranslateArticleCommand(caller, article_id, Language(self.target_language), key)


class TextTranslationRequest(Body, kw_only=True):
    """A text or one of your documents; one of the two."""

    target_language: _Target
    text: Annotated[
        Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)] | UnsetType,
        Meta(description=f"Markdown or plain text of at most {MAX_WORDS} words.", examples=["A pump is quiet."]),
        Rule(check_text),
    ] = UNSET
    document_id: Annotated[Id | UnsetType, Meta(description="A document that is ready.")] = UNSET

    def to_command(self, caller: Caller, key: IdempotencyKey | None) -> TranslateTextCommand:
        return TranslateTextCommand(
            caller,
            Language(self.target_language),
            None if self.text is UNSET else self.text,
            None if self.document_id is UNSET else DocumentId(self.document_id),
            key,
        )


class StartedArticleTranslation(AnswerOf[TranslationStart], kw_only=True):
    """A translation of an article that was begun."""

    success: Annotated[bool, Meta(description="Always true: what fails answers with an Error.", examples=[True])]
    article_id: Annotated[str, Meta(description="The translation: an article of its own. Follow it as a generation.")]
    translation_id: Annotated[str, Meta(description="Its task; see GET /translate/{id}.")]
    status: Annotated[ArticleStatus, Meta(description="Of that article.", examples=["generating"])]
    target_language: Annotated[Language, Meta(description="The language it is translated into.", examples=["fr"])]
    credits_used: _CreditsUsed
    credits_remaining: Annotated[int | UnsetType, Meta(description="Left this month.", examples=[148])] = UNSET

    @classmethod
    def of(cls, begun: TranslationStart) -> StartedArticleTranslation:
        translation = begun.translation
        assert translation.made_article_id is not None
        return cls(
            success=True,
            article_id=translation.made_article_id,
            translation_id=translation.id,
            status=_ARTICLE_STATUS[translation.status],
            target_language=translation.target,
            credits_used=translation.credits,
            credits_remaining=optional(begun.credits.remaining),
        )


class StartedTranslation(AnswerOf[TranslationStart], kw_only=True):
    """A translation of a text or a document that was begun."""

    success: Annotated[bool, Meta(description="Always true: what fails answers with an Error.", examples=[True])]
    translation_id: Annotated[str, Meta(description="Follow it with GET /translate/{id}.")]
    status: Annotated[TranslationStatus, Meta(description="Where it stands.", examples=["translating"])]
    target_language: Annotated[Language, Meta(description="The language it is translated into.", examples=["fr"])]
    credits_used: _CreditsUsed
    credits_remaining: Annotated[int | UnsetType, Meta(description="Left this month.", examples=[148])] = UNSET

    @classmethod
    def of(cls, begun: TranslationStart) -> StartedTranslation:
        translation = begun.translation
        return cls(
            success=True,
            translation_id=translation.id,
            status=translation.status,
            target_language=translation.target,
            credits_used=translation.credits,
            credits_remaining=optional(begun.credits.remaining),
        )


class Translation(AnswerOf[model.Translation], kw_only=True):
    """A translation, and its text once it is completed."""

    translation_id: Annotated[str, Meta(description="The translation.")]
    status: Annotated[TranslationStatus, Meta(description="Where it stands.")]
    target_language: Annotated[Language, Meta(description="The language it is translated into.", examples=["fr"])]
    source_language: Annotated[
        Language | UnsetType, Meta(description="The language of the original, where that is known.")
    ] = UNSET
    words: Annotated[int, Meta(description="Words of the original.", examples=[842])]
    credits_used: Annotated[
        int, Meta(ge=0, le=MAX_CREDITS, description="What it cost; 0 when it failed and they were given back.")
    ]
    article_id: Annotated[str | UnsetType, Meta(description="The article that it makes, of an article.")] = UNSET
    document_id: Annotated[str | UnsetType, Meta(description="The document that it translates.")] = UNSET
    title: Annotated[str | UnsetType, Meta(description="Title, where the original has one.")] = UNSET
    text: Annotated[
        str | UnsetType, Meta(description="The translation in Markdown; of an article, read that article.")
    ] = UNSET
    error: Annotated[str | UnsetType, Meta(description="Why it failed; when it did.")] = UNSET
    created_at: Annotated[datetime, Meta(description="When it was asked for (UTC).")]
    completed_at: Annotated[datetime | UnsetType, Meta(description="When it ended (UTC).")] = UNSET

    @classmethod
    def of(cls, translation: model.Translation) -> Translation:
        return cls.copy_from(
            translation,
            translation_id=translation.id,
            target_language=translation.target,
            source_language=translation.source,
            credits_used=0 if translation.refunded else translation.credits,
            article_id=translation.made_article_id,
            title=translation.title or UNSET,
            text=translation.result,
        )


class TranslationCredits(AnswerOf[Credits], kw_only=True):
    """What the month's translations may cost."""

    limit: Annotated[int | UnsetType, Meta(description="Credits a month; absent when unlimited.", examples=[150])] = (
        UNSET
    )
    used: Annotated[int, Meta(description="Used this month.", examples=[2])]
    remaining: Annotated[int | UnsetType, Meta(description="Left this month.", examples=[148])] = UNSET
    resets_at: Annotated[datetime, Meta(description="When the next month begins (UTC).")]
    words_per_credit: Annotated[int, Meta(description="A credit is so many words, begun.", examples=[WORDS_PER_CREDIT])]
    max_credits_per_translation: Annotated[int, Meta(description="At most.", examples=[MAX_CREDITS])]
    target_languages: Annotated[tuple[Language, ...], Meta(description="What can be translated into.")]

    @classmethod
    def of(cls, credits: Credits) -> TranslationCredits:
        return cls.copy_from(
            credits,
            words_per_credit=WORDS_PER_CREDIT,
            max_credits_per_translation=MAX_CREDITS,
            target_languages=TARGET_LANGUAGES,
        )
