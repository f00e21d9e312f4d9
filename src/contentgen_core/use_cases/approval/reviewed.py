"""/articles/{id}/reviewed: which sentences of an article who has reviewed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from attrs import frozen

from contentgen_core.errors import ConcurrentChange, Conflict, FieldError, InvalidInput
from contentgen_core.model.article_comment import SentenceReview, hash_of_sentence
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import Caller
from contentgen_core.ports.repositories.article_comments import SentenceReviews
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.approval.policies import require_editor_or_approver
from contentgen_core.use_cases.article_sentences import ArticleSentences
from contentgen_core.use_cases.use_case import use_case

MAX_MARKED: Final = 2_000
"""Sentences of one request."""


@frozen
class ReviewedSentence:
    text: str
    reviews: tuple[SentenceReview, ...]


@use_case
class ReviewSentences:
    unit_of_work: UnitOfWork
    sentences: ArticleSentences
    clock: Clock

    async def read(self, caller: Caller, article_id: ArticleId) -> list[ReviewedSentence]:
        """All sentences of the present text, in order. Raises NotFound."""
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(caller.tenant_id, article_id)
            reviews = await tx[SentenceReviews].of_article(caller.tenant_id, article_id)
        return with_reviews(await self.sentences(article), reviews)

    async def mark(self, caller: Caller, article_id: ArticleId, positions: Sequence[int]) -> list[ReviewedSentence]:
        """Mark these sentences of the present text as reviewed by the caller, and give all back. For editors and those
        who may approve in the niche. Raises InvalidInput, NotPermitted, NotFound, Conflict for a sentence that the text
        does not have, ConcurrentChange when it changed meanwhile."""
        if not 1 <= len(positions) <= MAX_MARKED:
            raise InvalidInput(FieldError("sentences", f"1 to {MAX_MARKED} positions"))
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(caller.tenant_id, article_id)
            await require_editor_or_approver(tx, caller, article.niche_key)
        sentences = await self.sentences(article)
        if any(not 0 <= position < len(sentences) for position in positions):
            raise Conflict(f"The text has {len(sentences)} sentences. Read it again.")
        async with self.unit_of_work() as tx:
            if (await tx[Articles].get(caller.tenant_id, article_id)).content != article.content:
                raise ConcurrentChange.of("article")
            marked = [sentences[position] for position in positions]
            reviews = await mark_reviewed(tx, caller, article_id, sentences, marked, self.clock.now())
        return with_reviews(sentences, reviews)


async def mark_reviewed(
    tx: Transaction,
    caller: Caller,
    article_id: ArticleId,
    sentences: Sequence[str],
    marked: Sequence[str],
    at: datetime,
) -> list[SentenceReview]:
    """Return all reviews of the present sentences, with those of `marked` by the caller; others are deleted."""
    reviews = tx[SentenceReviews]
    await reviews.retain(caller.tenant_id, article_id, [hash_of_sentence(sentence) for sentence in sentences])
    hashes = [hash_of_sentence(sentence) for sentence in marked]
    await reviews.mark(caller.tenant_id, article_id, hashes, caller.user_id, at)
    return await reviews.of_article(caller.tenant_id, article_id)


def with_reviews(sentences: Sequence[str], reviews: Sequence[SentenceReview]) -> list[ReviewedSentence]:
    """Return the sentences with the reviews of their words that people confirmed."""
    known: dict[str, list[SentenceReview]] = defaultdict(list)
    for review in reviews:
        if review.confirmed:
            known[review.sentence_hash].append(review)
    return [ReviewedSentence(sentence, tuple(known[hash_of_sentence(sentence)])) for sentence in sentences]
