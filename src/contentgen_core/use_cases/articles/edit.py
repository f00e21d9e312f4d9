"""PATCH /writer/{id}: changes by a person."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import datetime
from typing import TypeVar

from attrs import evolve, frozen

from contentgen_core.errors import ConcurrentChange, EditOvertaken, FieldError, InvalidInput
from contentgen_core.model.article import Article, ArticleStatus, PublicCategory, Seo
from contentgen_core.model.article_version import VersionCause, VersionText
from contentgen_core.model.changes import UNSET, UnsetType
from contentgen_core.model.ids import ArticleId, JobId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.trend import TrendSlug
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.web_address import is_web_address
from contentgen_core.model.webhook import WebhookEventType
from contentgen_core.policies.articles.own_words import has_words
from contentgen_core.policies.tenancy.access import require_platform_admin, require_role
from contentgen_core.policies.text.signs import SIGNS_FAULT, too_many_signs
from contentgen_core.policies.text.storable import NUL, NUL_FAULT
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.integrations import Integrations
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.trends import Trends
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.approval.gate import check_approved
from contentgen_core.use_cases.articles.check_text import CheckedText, CheckText
from contentgen_core.use_cases.articles.removal import cancel_generation
from contentgen_core.use_cases.knowledge.source_titles import with_present_titles
from contentgen_core.use_cases.publishing.start import NothingToPublish
from contentgen_core.use_cases.translation.stop import stop_translation
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.versions.keep_versions import keep_version, note_publication
from contentgen_core.use_cases.webhooks.events import record_article_event

MAX_TITLE = 300
MAX_CONTENT = 500_000
MAX_EXCERPT = 2_000
MAX_SEO = 500
ATTEMPTS = 5
SETTABLE = frozenset({ArticleStatus.DRAFT, ArticleStatus.PUBLISHED, ArticleStatus.SCHEDULED})

T = TypeVar("T")


@frozen
class EditArticleCommand:
    """UNSET leaves a field unchanged; None clears it where it is optional. `seo_fields`: the fields of `seo` that were
    sent. `seen`: the hash of the text that the editor has seen; None: whatever it is now. `restored`: the version whose
    text is sent, with its sources and its picture's credit; `cause`: of the version that is kept."""

    caller: Caller
    article_id: ArticleId
    title: str | UnsetType = UNSET
    content: str | UnsetType = UNSET
    excerpt: str | UnsetType | None = UNSET
    status: ArticleStatus | UnsetType = UNSET
    scheduled_for: datetime | UnsetType | None = UNSET
    featured_image: str | UnsetType | None = UNSET
    trend_slug: str | UnsetType | None = UNSET
    seo: Seo | UnsetType | None = UNSET
    seo_fields: frozenset[str] = frozenset({"meta_title", "meta_description"})
    is_public: bool | UnsetType = UNSET
    public_category: PublicCategory | UnsetType | None = UNSET
    is_free_generation: bool | UnsetType = UNSET
    seen: str | None = None
    restored: VersionText | None = None
    cause: VersionCause = VersionCause.EDITED


@frozen
class _Read:
    """The analysis of a text before it is stored: its word count, and whether its sentences hold. `article`: as it was
    then."""

    article: Article
    words: int
    checked: CheckedText

    def holds_for(self, article: Article) -> bool:
        """Whether all that the reading depended on is as it was."""

        def basis(one: Article) -> tuple[object, ...]:
            return (one.brief, one.sources, one.grounding, one.coverage)

        return basis(article) == basis(self.article)


@use_case
class EditArticle:
    unit_of_work: UnitOfWork
    analysis: TextAnalysis
    renderer: ArticleRenderer
    check_text: CheckText
    clock: Clock
    ids: Ids

    async def __call__(self, command: EditArticleCommand) -> Article:
        """The changed article. Editing one that is generating cancels its generation.

        Raises InvalidInput, NotPermitted, NotFound, ConcurrentChange, DuplicateFreeArticle, NothingToPublish when it is
        scheduled for connected targets without a text, EditOvertaken, ApprovalRequired when it is to be published,
        scheduled or made public."""
        _check(command)
        await self._check_trend(command)
        require_role(command.caller, Role.EDITOR)
        if any(f is not UNSET for f in (command.is_public, command.public_category, command.is_free_generation)):
            require_platform_admin(command.caller)
        for _ in range(ATTEMPTS - 1):
            # A generation may save the article in between: the edit is then applied to what it saved.
            with suppress(ConcurrentChange):
                return await self._apply_edit(command)
        return await self._apply_edit(command)

    async def _check_trend(self, command: EditArticleCommand) -> None:
        if isinstance(command.trend_slug, str):
            async with self.unit_of_work() as tx:
                if await tx[Trends].find(TrendSlug(command.trend_slug)) is None:
                    raise InvalidInput.of("trendSlug", "there is no such trend")

    async def _apply_edit(self, command: EditArticleCommand) -> Article:
        read = await self._read(command)
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(command.caller.tenant_id, command.article_id)
            if command.seen not in (None, article.text_hash):
                raise EditOvertaken("Somebody else changed the text since you read it.")
            status = _value_or(command.status, article.status)
            if article.status is ArticleStatus.GENERATING:
                await stop_translation(tx, article, now)
                article = await cancel_generation(tx, article, now)
                status = _value_or(command.status, ArticleStatus.DRAFT)
            former = article
            article = self._set_fields(article, command, read, now)
            if article.is_public and article.slug is not None:
                article = evolve(article, slug=await tx[Articles].free_public_slug(article.slug, article.id))
            reschedules = command.status is ArticleStatus.SCHEDULED or command.scheduled_for is not UNSET
            moves = status is not article.status or (status is ArticleStatus.SCHEDULED and reschedules)
            if status is ArticleStatus.SCHEDULED and (moves or command.content is not UNSET):
                await _check_text(tx, article)
            if moves:
                article = await self._change_status(tx, article, status, now)
            if (moves and status is not ArticleStatus.DRAFT) or command.is_public is True:
                await check_approved(tx, article)
            if article.text_hash != former.text_hash:
                await keep_version(tx, article, command.cause, command.caller.user_id, former=former)
            if article.is_public or (moves and status is ArticleStatus.PUBLISHED):
                await note_publication(tx, article, now)
            saved = await tx[Articles].save(article)
            await record_article_event(tx, WebhookEventType.ARTICLE_UPDATED, saved, now)
            return await with_present_titles(tx, saved)

    async def _read(self, command: EditArticleCommand) -> _Read | None:
        """The text that was sent, read before the transaction that stores it: 500,000 characters of Markdown take
        seconds, and the sentences that changed are checked. None where the text stays. Raises NotFound."""
        if not isinstance(command.content, str):
            return None
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(command.caller.tenant_id, command.article_id)
        if command.content == article.content:
            return None
        sources = article.sources if command.restored is None else command.restored.sources
        titled = evolve(article, title=_value_or(command.title, article.title), sources=sources)
        checked = await self.check_text(titled, command.content, article.grounding)
        words = await asyncio.to_thread(self._words, command.content, article.brief.language)
        return _Read(article, words, checked)

    def _set_fields(self, article: Article, command: EditArticleCommand, read: _Read | None, now: datetime) -> Article:
        """Set the edited fields. Raises ConcurrentChange if the text was analysed for another brief, or with other
        sources, than the article now has."""
        title = _value_or(command.title, article.title)
        changed = evolve(
            article,
            title=title,
            excerpt=_value_or(command.excerpt, article.excerpt),
            scheduled_for=_value_or(command.scheduled_for, article.scheduled_for),
            featured_image=_value_or(command.featured_image, article.featured_image),
            # The credit belongs to one picture.
            image_credit=article.image_credit if command.featured_image in (UNSET, article.featured_image) else None,
            trend_slug=_value_or(command.trend_slug, article.trend_slug),
            seo=_merged_seo(article.seo, command),
            is_public=_value_or(command.is_public, article.is_public),
            public_category=_category(article, command),
            slug=article.slug or self.renderer.slug(title),
            updated_at=now,
        )
        if command.content is not UNSET and command.content != article.content:
            if read is None or not read.holds_for(article):
                raise ConcurrentChange.of("article")
            changed = evolve(
                changed,
                content=command.content,
                word_count=read.words,
                grounding=read.checked.grounding,
                voice_deviations=read.checked.voice_deviations,
            )
            if command.restored is not None:
                changed = evolve(changed, sources=command.restored.sources)
        if command.restored is not None:
            changed = evolve(changed, image_credit=command.restored.image_credit)
        if command.is_free_generation is not UNSET:
            free_topic = topic_key(article.brief.topic or title) if command.is_free_generation else None
            changed = evolve(changed, is_free_generation=command.is_free_generation, free_topic=free_topic)
        return changed

    def _words(self, content: str, language: Language) -> int:
        return len(self.analysis.tokens(self.renderer.plain_text(content), language))

    async def _change_status(self, tx: Transaction, article: Article, status: ArticleStatus, now: datetime) -> Article:
        await tx[Jobs].cancel_subject(article.tenant_id, article.id, JobKind.PUBLISH_SCHEDULED)
        if status is ArticleStatus.SCHEDULED:
            if article.scheduled_for is None or article.scheduled_for <= now:
                raise InvalidInput.of("scheduledFor", "a scheduled article needs a time in the future")
            await tx[Jobs].enqueue(
                Job(
                    id=JobId(self.ids.new()),
                    kind=JobKind.PUBLISH_SCHEDULED,
                    tenant_id=article.tenant_id,
                    subject_id=article.id,
                    run_at=article.scheduled_for,
                )
            )
        return article.moved_to(status, now)


async def _check_text(tx: Transaction, article: Article) -> None:
    """Raises NothingToPublish for an article without a text when there are connected targets."""
    if not has_words(article) and await tx[Integrations].list(article.tenant_id, enabled=True):
        raise NothingToPublish("The article has no text that could be published then. Write it first.")


def _value_or(value: T | UnsetType, present: T) -> T:
    return present if value is UNSET else value


def _category(article: Article, command: EditArticleCommand) -> PublicCategory | None:
    """The public category; `other` for a public article without one."""
    category = _value_or(command.public_category, article.public_category)
    is_public = _value_or(command.is_public, article.is_public)
    return PublicCategory.OTHER if is_public and category is None else category


def _merged_seo(present: Seo | None, command: EditArticleCommand) -> Seo | None:
    """Merge the SEO fields: fields that were not sent are kept; null for the whole object clears both."""
    if command.seo is UNSET:
        return present
    if command.seo is None:
        return None
    kept = present or Seo()
    return Seo(
        command.seo.meta_title if "meta_title" in command.seo_fields else kept.meta_title,
        command.seo.meta_description if "meta_description" in command.seo_fields else kept.meta_description,
    )


def _check(command: EditArticleCommand) -> None:
    faults: list[FieldError] = []

    def at_most(field: str, value: object, most: int) -> None:
        if isinstance(value, str) and len(value) > most:
            faults.append(FieldError(field, f"at most {most} characters"))
        if isinstance(value, str) and NUL in value:
            faults.append(FieldError(field, NUL_FAULT))

    at_most("title", command.title, MAX_TITLE)
    at_most("content", command.content, MAX_CONTENT)
    if isinstance(command.content, str) and too_many_signs(command.content):
        faults.append(FieldError("content", SIGNS_FAULT))
    at_most("excerpt", command.excerpt, MAX_EXCERPT)
    if isinstance(command.seo, Seo):
        at_most("seo.metaTitle", command.seo.meta_title, MAX_SEO)
        at_most("seo.metaDescription", command.seo.meta_description, MAX_SEO)
    if isinstance(command.title, str) and not command.title.strip():
        faults.append(FieldError("title", "must not be empty"))
    if isinstance(command.status, ArticleStatus) and command.status not in SETTABLE:
        faults.append(FieldError("status", "one of draft, published, scheduled"))
    if isinstance(command.featured_image, str) and not is_web_address(command.featured_image):
        faults.append(FieldError("featuredImage", "must be an http or https address"))
    if faults:
        raise InvalidInput(*faults)
