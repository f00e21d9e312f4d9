"""POST /writer/{id}/translate and POST /translate: count the credits and enqueue a translation."""

from __future__ import annotations

import asyncio
from datetime import datetime

from attrs import evolve, frozen

from contentgen_core.errors import (
    AlreadyExists,
    Conflict,
    Faults,
    InvalidInput,
    NotFound,
    UnreadableFile,
)
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.document import DocumentStatus, PrivateDocument
from contentgen_core.model.ids import ArticleId, DocumentId, JobId, TranslationId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.tenant import Caller, Quota, Role
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.translation import Original, Translation
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.own_words import has_words
from contentgen_core.policies.articles.translation import MAX_CREDITS, MAX_WORDS, TARGET_LANGUAGES, credits_for
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.policies.tenancy.quotas import check_included
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.ports.content_model import ContentModel, TranslationRequest
from contentgen_core.ports.documents import LanguageDetector, UploadReader
from contentgen_core.ports.object_store import ObjectStore
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.documents import Documents
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.translations import Translations
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.idempotency import IdempotencyKey, previous_result, record_result
from contentgen_core.use_cases.quota import check_left, consume, counted_window
from contentgen_core.use_cases.translation.credits import Credits, credits_of
from contentgen_core.use_cases.use_case import use_case

MAX_TEXT = 120_000
"""Characters of a text or a document: more than 7,500 words of prose have."""


class ArticleNotPublished(Conflict):
    """Only a published article can be translated."""

    code = "article_not_published"

    def __init__(self) -> None:
        super().__init__("Only a published article can be translated. Publish it first.")


@frozen
class TranslateArticleCommand:
    caller: Caller
    article_id: ArticleId
    target: Language
    idempotency: IdempotencyKey | None = None


@frozen
class TranslateTextCommand:
    """`text` (Markdown or plain) or `document_id`: one of the two."""

    caller: Caller
    target: Language
    text: str | None = None
    document_id: DocumentId | None = None
    idempotency: IdempotencyKey | None = None


@frozen
class TranslationStart:
    """A translation that was enqueued, and the credits that are left."""

    translation: Translation
    credits: Credits


@use_case
class StartTranslation:
    unit_of_work: UnitOfWork
    objects: ObjectStore
    uploads: UploadReader
    detector: LanguageDetector
    model: ContentModel
    analysis: TextAnalysis
    renderer: ArticleRenderer
    clock: Clock
    ids: Ids

    async def article(self, command: TranslateArticleCommand) -> TranslationStart:
        """Translate a published article into a new article, which is generating until that is done.

        Raises InvalidInput, NotPermitted, PlanForbids (Free), QuotaExceeded, NotFound, ArticleNotPublished,
        TopicAlreadyGenerating (its translation into this language is under way), NotConfigured, IdempotencyKeyReused;
        then nothing is consumed."""
        caller, now = command.caller, self.clock.now()
        _check_target(command.target)
        if (earlier := await self._find_earlier(caller, command.idempotency, now)) is not None:
            return earlier
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(caller.tenant_id, command.article_id)
        if article.status is not ArticleStatus.PUBLISHED or not has_words(article):
            raise ArticleNotPublished
        _check_languages(article.brief.language, command.target)
        words = await asyncio.to_thread(self._words, article.content, article.brief.language)
        _check_words(words, "id")
        translation = evolve(
            self._translation(caller, command.target, words, now),
            source=article.brief.language,
            article_id=article.id,
            made_article_id=ArticleId(self.ids.new()),
            original=Original(article.content, article.title, article.excerpt, article.seo),
            title=article.title,
        )
        return await self._begin(caller, translation, command.idempotency, _translated_article(article, translation))

    async def text(self, command: TranslateTextCommand) -> TranslationStart:
        """Translate a text, or a document of the tenant that is ready.

        Raises InvalidInput, NotPermitted, PlanForbids (Free), QuotaExceeded, NotFound, Conflict (a document that is not
        ready), NotConfigured, IdempotencyKeyReused; then nothing is consumed."""
        caller, now = command.caller, self.clock.now()
        faults, field = Faults(), "text" if command.text is not None else "documentId"
        faults.checked(_check_target, command.target)
        if (command.text is None) == (command.document_id is None):
            faults.add("text", "give either text or documentId")
        elif command.text is not None:
            faults.checked(check_text, command.text, field)
        faults.require_none()
        if (earlier := await self._find_earlier(caller, command.idempotency, now)) is not None:
            return earlier
        text, title = command.text or "", ""
        source: Language | None = None
        if command.document_id is not None:
            document = await self._ready_document(caller, command.document_id)
            text, title, source = await self._text_of(document), document.title, document.language
            check_text(text, field)
            if source is not None:
                _check_languages(source, command.target)
        spoken = source if source is not None else await asyncio.to_thread(self.detector.detect, text)
        words = await asyncio.to_thread(self._words, text, spoken)
        _check_words(words, field)
        translation = evolve(
            self._translation(caller, command.target, words, now),
            source=source,
            document_id=command.document_id,
            original=Original(text, title),
            title=title,
        )
        return await self._begin(caller, translation, command.idempotency, None)

    async def _find_earlier(self, caller: Caller, key: IdempotencyKey | None, now: datetime) -> TranslationStart | None:
        """Return the translation of an earlier request with this key, after checking that the caller may translate."""
        require_role(caller, Role.EDITOR)
        check_included(caller.plan, Quota.TRANSLATION_CREDITS)
        async with self.unit_of_work() as tx:
            earlier = await previous_result(tx, caller.tenant_id, key, now)
            if earlier is not None:
                translation = await tx[Translations].get(caller.tenant_id, TranslationId(earlier))
                return TranslationStart(translation, await credits_of(tx, caller, now))
            await check_left(tx, caller, Quota.TRANSLATION_CREDITS, now)
        return None

    async def _begin(
        self, caller: Caller, translation: Translation, key: IdempotencyKey | None, article: Article | None
    ) -> TranslationStart:
        await self.model.translate(TranslationRequest((), translation.source, translation.target))
        now = translation.created_at
        assert translation.job_id is not None
        job = Job(translation.job_id, JobKind.TRANSLATE, translation.tenant_id, translation.id, run_at=now)
        try:
            async with self.unit_of_work() as tx:
                await record_result(tx, caller.tenant_id, key, translation.id, now)
                await consume(tx, caller, Quota.TRANSLATION_CREDITS, now, translation.credits)
                if article is not None:
                    await _add_article(tx, article)
                await tx[Translations].add(translation)
                await tx[Jobs].enqueue(job)
                return TranslationStart(translation, await credits_of(tx, caller, now))
        except AlreadyExists:  # another request with this key was faster
            async with self.unit_of_work() as tx:
                earlier = await previous_result(tx, caller.tenant_id, key, now)
                if earlier is None:
                    raise
                found = await tx[Translations].get(caller.tenant_id, TranslationId(earlier))
                return TranslationStart(found, await credits_of(tx, caller, now))

    async def _ready_document(self, caller: Caller, document_id: DocumentId) -> PrivateDocument:
        async with self.unit_of_work() as tx:
            document = await tx[Documents].get(caller.tenant_id, document_id)
        if document.status is not DocumentStatus.READY:
            raise Conflict(f"The document is {document.status}, not ready.")
        _check_words(document.words, "documentId")  # before a large file is read in vain
        return document

    async def _text_of(self, document: PrivateDocument) -> str:
        try:
            content = await self.objects.get(document.object_key)
        except NotFound as error:
            raise Conflict("The document's original is gone from the store. Upload it again.") from error
        if document.url is not None:
            return content.decode(errors="replace")
        try:
            read = await self.uploads.read(content, document.file_name or "document", document.tenant_id)
        except UnreadableFile as error:
            raise Conflict(error.detail) from error
        return read.text

    def _translation(self, caller: Caller, target: Language, words: int, now: datetime) -> Translation:
        return Translation(
            id=TranslationId(self.ids.new()),
            tenant_id=caller.tenant_id,
            created_by=caller.user_id,
            target=target,
            words=words,
            credits=credits_for(words),
            created_at=now,
            quota_window=counted_window(Quota.TRANSLATION_CREDITS, now),
            job_id=JobId(self.ids.new()),
        )

    def _words(self, markdown: str, language: Language) -> int:
        return len(self.analysis.tokens(self.renderer.plain_text(markdown), language))


def _translated_article(article: Article, translation: Translation) -> Article:
    """The article that the translation makes, while it is under way. It does not count against the quota of articles,
    and has a topic key of its own, so that translations into several languages may be under way at once."""
    assert translation.made_article_id is not None
    now, brief = translation.created_at, evolve(article.brief, language=translation.target, voice=None)
    draft = Article(
        id=translation.made_article_id,
        tenant_id=article.tenant_id,
        niche_key=article.niche_key,
        agent_key=article.agent_key,
        created_by=translation.created_by,
        brief=brief,
        topic_key=topic_key(f"{article.id} → {translation.target}"),
        title=article.title,
        status=ArticleStatus.DRAFT,
        featured_image=article.featured_image,
        sources=article.sources,
        translation_of=article.id,
        coverage=article.coverage,
        created_at=now,
        updated_at=now,
    )
    return evolve(draft.moved_to(ArticleStatus.GENERATING, now), job_id=translation.job_id)


async def _add_article(tx: Transaction, article: Article) -> None:
    niche = await tx[Niches].get(article.tenant_id, article.niche_key)
    if niche.custom:
        await tx[Niches].lock(article.tenant_id, article.niche_key)
    await tx[Articles].add(article)


def _check_target(target: Language) -> None:
    if target not in TARGET_LANGUAGES:
        raise InvalidInput.of("targetLanguage", f"one of {', '.join(TARGET_LANGUAGES)}")


def _check_languages(source: Language, target: Language) -> None:
    if source is target:
        raise InvalidInput.of("targetLanguage", "is the language that it is written in")


def check_text(text: str, field: str = "text") -> None:
    """Whether a text can be translated. Raises InvalidInput."""
    if not any(c.isalpha() for c in text):
        raise InvalidInput.of(field, "has no words to translate")
    if len(text) > MAX_TEXT:
        raise InvalidInput.of(field, f"at most {MAX_TEXT:,} characters")


def _check_words(words: int, field: str) -> None:
    if words > MAX_WORDS:
        most = f"{MAX_WORDS:,} ({MAX_CREDITS} credits)"
        raise InvalidInput.of(field, f"has {words:,} words; one translation takes at most {most}")
