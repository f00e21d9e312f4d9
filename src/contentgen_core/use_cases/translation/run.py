"""The job TRANSLATE: segments in parts, each stored as soon as it was translated, then assembled.

A part is requested at most twice: what is refused the first time is requested again with the reason. An attempt after a
crash resumes with the stored parts, which are not paid for again."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import evolve, frozen

from contentgen_core.concurrency import run_concurrently
from contentgen_core.model.article import Article, ArticleStatus, ProviderWait, Seo, Usage
from contentgen_core.model.article_version import VersionCause
from contentgen_core.model.ids import TranslationId
from contentgen_core.model.job import Job
from contentgen_core.model.tenant import Quota
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.translation import Original, TranslatedPart, Translation, TranslationStatus
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.webhook import WebhookEventType
from contentgen_core.policies.articles.translation import Segment, difference, fault, plain_segment, restore, split
from contentgen_core.policies.text.truncation import truncate
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.ports.content_model import ContentModel, TranslationRequest
from contentgen_core.ports.lost_usage import lost_if_failed
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.ports.repositories.translations import Translations
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.budgets.keep_budgets import Payer, spend
from contentgen_core.use_cases.budgets.lost_calls import count_lost_calls
from contentgen_core.use_cases.jobs import AttemptRunner, JobFailed, subject_of
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.versions.keep_versions import keep_version
from contentgen_core.use_cases.webhooks.events import record_article_event

PART_CHARACTERS: Final = 3_000
"""Of one request to the model; a single segment may be longer."""
PART_SEGMENTS: Final = 40
PARTS_AT_ONCE: Final = 4
TRIES: Final = 2
MAX_TITLE: Final = 300
MIN_UNCHANGED_LETTERS: Final = 40
"""A text with at least this many letters that comes back unchanged was not translated."""


@frozen
class Layout:
    """The segments of an original: first the lines around it (title, excerpt, meta title, meta description), then those
    of its Markdown. `parts`: the segments of each part, by index."""

    lines: tuple[Segment | None, ...]
    segments: tuple[Segment, ...]
    parts: tuple[tuple[int, ...], ...]


@use_case
class RunTranslation:
    runner: AttemptRunner
    model: ContentModel
    analysis: TextAnalysis
    renderer: ArticleRenderer

    async def __call__(self, job: Job) -> None:
        """Bring the translation of a claimed job to `completed` or `failed`, or the job back into the queue."""
        await self.runner.run(job, self._work, self._fail, self._show_wait)

    async def _work(self, job: Job) -> None:
        async with self.runner.fenced(job) as tx:
            translation = await self._translation(tx, job)
            parts = await tx[Translations].parts(translation.id)
            article = await self._article(tx, job, translation)
        payer = Payer(job.tenant_id, article.agent_key if article else None)
        async with count_lost_calls(self.runner.unit_of_work, self.runner.clock, payer):
            await self._make(job, translation, parts, payer)

    async def _make(self, job: Job, translation: Translation, parts: dict[int, TranslatedPart], payer: Payer) -> None:
        assert translation.original is not None
        layout = await asyncio.to_thread(layout_of, translation.original)
        await self._translate(job, translation, layout, parts, payer)
        texts = {n: text for p, part in parts.items() for n, text in zip(layout.parts[p], part.texts, strict=True)}
        made = await asyncio.to_thread(assemble, translation, layout, texts)
        words = await asyncio.to_thread(self._words, made.content, translation.target)
        await self._settle(job, made, words, parts)

    async def _translate(
        self, job: Job, translation: Translation, layout: Layout, parts: dict[int, TranslatedPart], payer: Payer
    ) -> None:
        """Translate the parts that are missing or were refused, a few at a time. `parts` is completed in place."""
        slots = asyncio.Semaphore(PARTS_AT_ONCE)

        async def translate(position: int) -> None:
            segments = [layout.segments[n] for n in layout.parts[position]]
            async with slots:
                while (part := parts.get(position)) is None or (not part.done and part.tries < TRIES):
                    parts[position], used = await self._part(translation, position, segments, part)
                    with lost_if_failed([used]):
                        await self._save_part(job, translation, parts, position, len(layout.parts), payer, used)
            if not part.done:
                n, reason = next((n, reason) for n, reason in enumerate(part.faults) if reason)
                excerpt = truncate(segments[n].shown, 80)
                raise JobFailed(f"The model's translation of “{excerpt}” was refused twice: {reason}.")

        await run_concurrently(translate(position) for position in range(len(layout.parts)))

    async def _part(
        self, translation: Translation, position: int, segments: Sequence[Segment], former: TranslatedPart | None
    ) -> tuple[TranslatedPart, Usage]:
        """Translate all segments, or those that were refused, by one call of the model; return its usage too."""
        asked = [n for n in range(len(segments)) if former is None or former.faults[n]]
        request = TranslationRequest(
            segments=tuple(segments[n].shown for n in asked),
            source=translation.source,
            target=translation.target,
            title=translation.title,
            faults=tuple(former.faults[n] for n in asked) if former else (),
        )
        answer = await self.model.translate(request)
        texts = list(former.texts) if former else [""] * len(segments)
        faults = list(former.faults) if former else [""] * len(segments)
        for n, text in zip(asked, answer.value, strict=True):
            texts[n] = text
            faults[n] = fault(segments[n], text, translation.source, translation.target) or ""
        usage = former.usage.plus(answer.usage) if former else answer.usage
        tries = (former.tries if former else 0) + 1
        return TranslatedPart(position, tuple(texts), tuple(faults), tries, usage), answer.usage

    async def _save_part(
        self,
        job: Job,
        translation: Translation,
        parts: Mapping[int, TranslatedPart],
        position: int,
        total: int,
        payer: Payer,
        used: Usage,
    ) -> None:
        async with self.runner.fenced(job) as tx:
            await tx[Translations].save_part(translation.id, parts[position])
            waited = await self.runner.progressed(tx, job)
            if translation.made_article_id is not None:
                if waited:
                    await tx[Articles].set_waiting(job.tenant_id, translation.made_article_id, None)
                await tx[Articles].set_progress(job.tenant_id, translation.made_article_id, 95 * len(parts) // total)
            await spend(tx, payer, used, self.runner.clock.now())

    async def _settle(self, job: Job, made: Original, words: int, parts: dict[int, TranslatedPart]) -> None:
        now = self.runner.clock.now()
        usage = Usage(self.model.name)
        for part in parts.values():
            usage = usage.plus(part.usage)
        async with self.runner.fenced(job) as tx:
            translation = await self._translation(tx, job)
            article = await self._article(tx, job, translation)
            if article is not None:
                written = self._translated_article(article, made, words, usage).moved_to(ArticleStatus.GENERATED, now)
                await keep_version(tx, written, VersionCause.TRANSLATED, article.created_by, former=article)
                await tx[Articles].save(written)
                await record_article_event(tx, WebhookEventType.ARTICLE_GENERATED, written, now)
            ended = evolve(
                translation.moved_to(TranslationStatus.COMPLETED, now),
                title=made.title,
                result=made.content if article is None else None,
                usage=usage,
            )
            await tx[Translations].save(ended)
            await tx[Translations].clear_parts(translation.id)
            await tx[Jobs].finish(job)

    def _translated_article(self, article: Article, made: Original, words: int, usage: Usage) -> Article:
        return evolve(
            article,
            title=made.title,
            content=made.content,
            excerpt=made.excerpt,
            seo=made.seo,
            slug=self.renderer.slug(made.title),
            brief=evolve(article.brief, topic=made.title),
            topic_key=topic_key(made.title),
            word_count=words,
            usage=usage,
        )

    def _words(self, markdown: str, language: Language) -> int:
        return len(self.analysis.tokens(self.renderer.plain_text(markdown), language))

    async def _show_wait(self, tx: Transaction, job: Job, wait: ProviderWait) -> None:
        translation = await self._translation(tx, job)
        if translation.made_article_id is not None:
            await tx[Articles].set_waiting(job.tenant_id, translation.made_article_id, wait)

    async def _fail(self, tx: Transaction, job: Job, reason: str) -> None:
        """Fail, and refund the credits: once, since a failed translation has no `quota_window`."""
        translation = await self._translation(tx, job)
        if translation.quota_window is not None:
            await tx[Quotas].refund(
                translation.tenant_id, Quota.TRANSLATION_CREDITS, translation.quota_window, translation.credits
            )
        now = self.runner.clock.now()
        article = await self._article(tx, job, translation)
        if article is not None:
            failed = evolve(article, error=reason).moved_to(ArticleStatus.FAILED, now)
            await tx[Articles].save(failed)
            await record_article_event(tx, WebhookEventType.ARTICLE_FAILED, failed, now)
        await tx[Translations].save(translation.failed(now, reason))
        await tx[Translations].clear_parts(translation.id)

    async def _translation(self, tx: Transaction, job: Job) -> Translation:
        found = tx[Translations].get(job.tenant_id, TranslationId(job.subject_id))
        return await subject_of(job, found, lambda one: one.status is TranslationStatus.TRANSLATING)

    async def _article(self, tx: Transaction, job: Job, translation: Translation) -> Article | None:
        """The article that it makes, if any. Raises JobLost when a person took that over."""
        if translation.made_article_id is None:
            return None
        found = tx[Articles].get(job.tenant_id, translation.made_article_id)
        return await subject_of(job, found, lambda article: article.status is ArticleStatus.GENERATING)


def layout_of(original: Original) -> Layout:
    """The segments of an original, divided into parts."""
    seo = original.seo or Seo()
    around = (original.title, original.excerpt, seo.meta_title, seo.meta_description)
    lines = tuple(plain_segment(text) if text and any(map(str.isalpha, text)) else None for text in around)
    segments = (*(line for line in lines if line is not None), *split(original.content).segments)
    parts: list[list[int]] = []
    size = 0
    for n, segment in enumerate(segments):
        size += len(segment.shown)
        if not parts or size > PART_CHARACTERS or len(parts[-1]) >= PART_SEGMENTS:
            parts.append([])
            size = len(segment.shown)
        parts[-1].append(n)
    return Layout(lines, segments, tuple(map(tuple, parts)))


def assemble(translation: Translation, layout: Layout, texts: dict[int, str]) -> Original:
    """The translated whole, checked again. Raises JobFailed when it is not intact, or not translated."""
    original = translation.original
    assert original is not None
    unchanged = [segment.shown for n, segment in enumerate(layout.segments) if texts[n].strip() == segment.shown]
    letters = sum(c.isalpha() for text in unchanged for c in text)
    if len(unchanged) == len(layout.segments) and letters >= MIN_UNCHANGED_LETTERS:
        raise JobFailed("The model gave the text back as it was: it did not translate it.")
    done = iter(range(len(layout.segments)))
    around = [None if line is None else restore(line, texts[next(done)]) for line in layout.lines]
    first = len(layout.segments) - len(split(original.content).segments)
    content = split(original.content).joined([texts[n] for n in range(first, len(layout.segments))])
    if lost := difference(original.content, content, translation.source, translation.target):
        raise JobFailed(f"The translation is not intact: {lost}.")
    title, excerpt, meta_title, meta_description = around
    seo = original.seo
    return Original(
        content=content,
        title=(title or original.title)[:MAX_TITLE],
        excerpt=excerpt or original.excerpt,
        seo=seo and Seo(meta_title or seo.meta_title, meta_description or seo.meta_description),
    )
