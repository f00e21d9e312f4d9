"""The job TRANSLATE_UPDATE: the sentences that changed in an original are translated, and proposed for its translation.

Idempotent: an attempt after a crash asks the model again, and stores once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import reduce
from typing import Final

from attrs import evolve

from contentgen_core.model.approval import ApprovalRequired
from contentgen_core.model.article import Article, ArticleStatus, Usage
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.article_update import ArticleUpdate, FollowedOriginal, OriginalSentence, UpdateState
from contentgen_core.model.article_version import VersionCause
from contentgen_core.model.freshness import Proposer, SentenceState, StaleSentence
from contentgen_core.model.ids import ArticleUpdateId
from contentgen_core.model.job import Job
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.webhook import WebhookEventType
from contentgen_core.policies.articles.following import counterpart_position, outline, same_blocks
from contentgen_core.policies.articles.translation import Segment, fault, plain_segment, restore
from contentgen_core.policies.articles.written_text import WrittenSentence, WrittenText
from contentgen_core.policies.text.storable import is_storable
from contentgen_core.policies.text.truncation import truncate
from contentgen_core.ports.content_model import ContentModel, TranslationRequest
from contentgen_core.ports.lost_usage import lost_if_failed
from contentgen_core.ports.repositories.article_updates import ArticleUpdates
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.article_updates.apply_translation import ApplyTranslation
from contentgen_core.use_cases.articles.follow_original import BEING_TRANSLATED
from contentgen_core.use_cases.budgets.keep_budgets import Payer, spend
from contentgen_core.use_cases.budgets.lost_calls import count_lost_calls
from contentgen_core.use_cases.jobs import AttemptRunner, JobFailed, subject_of
from contentgen_core.use_cases.publishing.start import RequestPublication
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.versions.keep_versions import keep_version
from contentgen_core.use_cases.webhooks.events import record_new_text, record_update_event

PART: Final = 40
"""Sentences of one request to the model."""
TRIES: Final = 2
MIN_UNCHANGED_LETTERS: Final = 40
"""A sentence with at least this many letters that comes back unchanged was not translated."""

Placed = tuple[OriginalSentence, int, WrittenSentence]
"""A sentence of the original, and the place and the words of what says it in the translation."""


@use_case
class TranslateUpdate:
    runner: AttemptRunner
    model: ContentModel
    analysis: TextAnalysis
    apply: ApplyTranslation
    request_publication: RequestPublication

    async def __call__(self, job: Job) -> None:
        """Bring the update of a claimed job to `proposed`, `applied` or `skipped`, or the job back into the queue."""
        await self.runner.run(job, self._work, self._fail)

    async def _work(self, job: Job) -> None:
        async with self.runner.fenced(job) as tx:
            update = await self._update(tx, job)
            article = await tx[Articles].get(job.tenant_id, update.article_id)
        payer = Payer(job.tenant_id, article.agent_key)
        async with count_lost_calls(self.runner.unit_of_work, self.runner.clock, payer):
            await self._propose(job, update, article)

    async def _propose(self, job: Job, update: ArticleUpdate, article: Article) -> None:
        original = update.original
        assert original is not None
        if article.status is ArticleStatus.GENERATING:
            raise JobFailed(BEING_TRANSLATED)
        text = await asyncio.to_thread(self.apply.text_of, article)
        placed, reason = _locate(original, text)
        texts, usage = await self._translate(article, original, [sentence for sentence, _, _ in placed])
        with lost_if_failed([] if usage is None else [usage]):
            changes = tuple(_change(article, found, texts.get(found[0].position)) for found in placed)
            proposed = evolve(
                update,
                state=UpdateState.PROPOSED,
                changes=changes,
                sentences=len(text.sentences),
                usage=usage,
                reason=update.reason or reason or _summary_note(original, article, changes),
                job_id=None,
            )
            await self._store(job, article, proposed)

    async def _store(self, job: Job, article: Article, proposed: ArticleUpdate) -> None:
        """Store what is proposed; apply it where that was decided with the original, and nothing is left open."""
        original = proposed.original
        assert original is not None
        chosen = [(change, change.proposal) for change in proposed.changes if change.proposal is not None]
        if original.applies and proposed.reason is None and len(chosen) == len(proposed.changes):
            changed = await self.apply(article, proposed, chosen)
            try:
                async with self.runner.fenced(job) as tx:
                    await self._end(tx, job, article, await self._apply(tx, article, changed, proposed))
                return
            except ApprovalRequired as error:  # the posts may not follow by themselves: a person decides
                proposed = evolve(proposed, reason=error.detail)
        async with self.runner.fenced(job) as tx:
            await self._end(tx, job, article, proposed)

    async def _apply(
        self, tx: Transaction, article: Article, changed: Article, proposed: ArticleUpdate
    ) -> ArticleUpdate:
        original = proposed.original
        assert original is not None
        await keep_version(tx, changed, VersionCause.UPDATED, original.decided_by, former=article)
        await tx[Articles].save(changed)
        await record_new_text(tx, article, changed, changed.updated_at)
        updating = await self.request_publication.update_posts(tx, changed) if original.publish else ()
        return evolve(
            proposed,
            state=UpdateState.APPLIED,
            applied=tuple(change.position for change in proposed.changes),
            updating=tuple(publication.id for publication in updating),
            decided_by=original.decided_by,
            decided_at=self.runner.clock.now(),
        )

    async def _end(self, tx: Transaction, job: Job, article: Article, update: ArticleUpdate) -> None:
        await self._update(tx, job)
        await tx[ArticleUpdates].save(update)
        applied = update.state is UpdateState.APPLIED
        type = WebhookEventType.UPDATE_ACCEPTED if applied else WebhookEventType.UPDATE_PROPOSED
        now = self.runner.clock.now()
        await record_update_event(tx, type, update, now)
        await tx[Jobs].finish(job)
        if update.usage is not None:
            await spend(tx, Payer(job.tenant_id, article.agent_key), update.usage, now)

    async def _translate(
        self, article: Article, original: FollowedOriginal, sentences: Sequence[OriginalSentence]
    ) -> tuple[dict[int, str], Usage | None]:
        """Return the new sentences by their positions in the original; a text that is refused twice is left out."""
        asked = [(sentence.position, plain_segment(sentence.new)) for sentence in sentences if sentence.new]
        faults = dict.fromkeys((position for position, _ in asked), "")
        texts: dict[int, str] = {}
        usages: list[Usage] = []
        with lost_if_failed(usages):
            for attempt in range(TRIES):
                left = [one for one in asked if one[0] not in texts]
                for part in [left[n : n + PART] for n in range(0, len(left), PART)]:
                    request = TranslationRequest(
                        segments=tuple(segment.shown for _, segment in part),
                        source=original.language,
                        target=original.target,
                        title=article.title,
                        faults=tuple(faults[position] for position, _ in part) if attempt else (),
                    )
                    answer = await self.model.translate(request)
                    usages.append(answer.usage)
                    for (position, segment), text in zip(part, answer.value, strict=True):
                        faults[position] = await asyncio.to_thread(self._fault, segment, text, original)
                        if not faults[position]:
                            texts[position] = restore(segment, text)
        return texts, reduce(Usage.plus, usages) if usages else None

    def _fault(self, segment: Segment, text: str, original: FollowedOriginal) -> str:
        """Explain, for a model, why a translated sentence is refused; "" where it is not."""
        found = fault(segment, text, original.language, original.target)
        if found:
            return found
        if not is_storable(text):
            return "it has characters that are no text"
        unchanged = text.strip() == segment.shown
        if unchanged and sum(map(str.isalpha, segment.shown)) >= MIN_UNCHANGED_LETTERS:
            return "it is not translated"
        spoken = original.target
        if len(self.analysis.sentences(text, spoken)) > len(self.analysis.sentences(segment.shown, original.language)):
            return "it must have as many sentences as the original"
        return ""

    async def _fail(self, tx: Transaction, job: Job, reason: str) -> None:
        update = await self._update(tx, job)
        skipped = evolve(
            update, state=UpdateState.SKIPPED, reason=reason, decided_at=self.runner.clock.now(), job_id=None
        )
        await tx[ArticleUpdates].save(skipped)

    async def _update(self, tx: Transaction, job: Job) -> ArticleUpdate:
        found = tx[ArticleUpdates].get(job.tenant_id, ArticleUpdateId(job.subject_id))
        return await subject_of(job, found, lambda update: update.state is UpdateState.TRANSLATING)


def _locate(original: FollowedOriginal, text: WrittenText) -> tuple[list[Placed], str | None]:
    """Return the places in the translation of the changed sentences, and a notice for a person. Raises JobFailed where
    they cannot be found."""
    own = outline(text)
    if not same_blocks(original.outline, own):
        raise JobFailed("It has other headings or paragraphs than its original.")
    found: list[Placed] = []
    lost: list[str] = []
    for sentence in original.sentences:
        position = counterpart_position(sentence.position, original.outline, own)
        if position is None:
            lost.append(truncate(sentence.text, 80))
        else:
            found.append((sentence, position, text.sentences[position]))
    if not lost:
        return found, None
    reason = f"Its paragraph has another number of sentences than in the original: “{lost[0]}”"
    reason += f" and {len(lost) - 1} more." if len(lost) > 1 else "."
    if not found:
        raise JobFailed(reason)
    return found, reason


def _change(article: Article, found: Placed, text: str | None) -> StaleSentence:
    sentence, position, own = found
    source = sentence.source
    ref = None if source is None else SourceRef(source.parent_id, source.chunk_index)
    numbers = {SourceRef(s.parent_id, s.chunk_index): s.number for s in article.sources}
    cited = own.citations[0] if own.citations else 0
    return StaleSentence(
        position=position,
        text=own.draft.text,
        state=SentenceState.CHANGED if sentence.new else SentenceState.GONE,
        number=numbers.get(ref, cited) if ref else cited,
        was=sentence.text,
        now=sentence.new or None,
        source=ref,
        proposal=text if sentence.new else "",
        proposed_by=Proposer.MODEL if sentence.new else Proposer.RULES,
    )


def _summary_note(original: FollowedOriginal, article: Article, changes: Sequence[StaleSentence]) -> str | None:
    """Said where excerpt or description of the original had a sentence that changed, and those of the translation do
    not have its counterpart word for word, so that they may say what is not true any more."""
    summarised = [s for s in original.sentences if s.summarised]
    shown = f"{article.excerpt or ''}\n{(article.seo.meta_description if article.seo else None) or ''}"
    texts = {change.was: change.text for change in changes}
    if any(texts.get(sentence.text, "") not in shown for sentence in summarised):
        return "Excerpt or meta description may say what the sentence said before: look at them."
    return None
