"""Comments on sentences, and reviews of sentences, each seen by its tenant alone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.article_comment import ArticleComment, CommentReply, SentenceReview
from contentgen_core.model.ids import ArticleCommentId, ArticleId, TenantId, UserId
from contentgen_core.ports.repositories.article_comments import ArticleComments, SentenceReviews
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants

ADA, BOB = UserId("ada"), UserId("bob")
LATER = MOMENT + timedelta(hours=1)


async def _article(unit_of_work: UnitOfWork, tenant_id: TenantId) -> ArticleId:
    article = builders.article(tenant_id=tenant_id)
    await given(unit_of_work, article)
    return article.id


async def _comment(
    unit_of_work: UnitOfWork, tenant_id: TenantId, article_id: ArticleId, **changes: Any
) -> ArticleComment:
    id = ArticleCommentId(builders.new_id())
    comment = ArticleComment(id, tenant_id, article_id, "It moves heat.", "Who says that?", ADA, MOMENT)
    comment = evolve(comment, **changes)
    async with unit_of_work() as tx:
        await tx[ArticleComments].add(comment)
    return comment


class ArticleCommentsContract:
    async def test_a_comment_is_given_back_as_it_was_stored(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        comment = await _comment(unit_of_work, tenant.id, await _article(unit_of_work, tenant.id), occurrence=2)
        replied = evolve(
            comment, replies=(CommentReply(BOB, LATER, "The manual."),), resolved_by=BOB, resolved_at=LATER
        )
        async with unit_of_work() as tx:
            assert await tx[ArticleComments].get(tenant.id, comment.id) == comment
            saved = await tx[ArticleComments].save(replied)
            assert saved == evolve(replied, revision=2)
            assert await tx[ArticleComments].get(tenant.id, comment.id) == saved
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[ArticleComments].save(replied)

    async def test_comments_come_newest_first_open_ones_or_resolved_ones(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article, other = [await _article(unit_of_work, tenant.id) for _ in range(2)]
        await _comment(unit_of_work, tenant.id, other)
        one, two, three = [await _comment(unit_of_work, tenant.id, article) for _ in range(3)]
        async with unit_of_work() as tx:
            two = await tx[ArticleComments].save(evolve(two, resolved_at=LATER, resolved_by=ADA))
        async with unit_of_work() as tx:
            page = tx[ArticleComments].page
            assert await page(tenant.id, article, None, None, 9) == [three, two, one]
            assert await page(tenant.id, article, False, None, 9) == [three, one]
            assert await page(tenant.id, article, True, None, 9) == [two]
            assert await page(tenant.id, article, None, three.id, 1) == [two]
            assert await tx[ArticleComments].count(tenant.id, article) == 3

    @alien_ids
    async def test_a_tenant_sees_its_own_comments_alone(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant, other = await given_tenants(unit_of_work)
        article = await _article(unit_of_work, tenant.id)
        comment = await _comment(unit_of_work, tenant.id, article)
        for owner, id in ((other.id, comment.id), (tenant.id, ArticleCommentId(alien))):
            async with unit_of_work() as tx:
                with pytest.raises(NotFound):
                    await tx[ArticleComments].get(owner, id)
            with pytest.raises(NotFound):
                async with unit_of_work() as tx:
                    await tx[ArticleComments].delete(owner, id)
        async with unit_of_work() as tx:
            assert await tx[ArticleComments].page(other.id, article, None, None, 9) == []
            assert await tx[ArticleComments].page(tenant.id, ArticleId(alien), None, None, 9) == []
            assert await tx[ArticleComments].count(other.id, article) == 0
            await tx[ArticleComments].delete(tenant.id, comment.id)
            assert await tx[ArticleComments].count(tenant.id, article) == 0

    async def test_comments_go_with_their_article(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article = await _article(unit_of_work, tenant.id)
        await _comment(unit_of_work, tenant.id, article)
        async with unit_of_work() as tx:
            await tx[Articles].delete(tenant.id, article)
        async with unit_of_work() as tx:
            assert await tx[ArticleComments].count(tenant.id, article) == 0
        with pytest.raises(NotFound):
            await _comment(unit_of_work, tenant.id, article)


class SentenceReviewsContract:
    async def test_the_last_review_of_each_user_counts(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article, other = [await _article(unit_of_work, tenant.id) for _ in range(2)]
        async with unit_of_work() as tx:
            await tx[SentenceReviews].mark(tenant.id, article, ["a", "b", "a"], ADA, MOMENT)
            await tx[SentenceReviews].mark(tenant.id, article, ["b"], BOB, MOMENT)
            await tx[SentenceReviews].mark(tenant.id, article, ["b"], ADA, LATER)
            await tx[SentenceReviews].mark(tenant.id, article, [], ADA, LATER)
            await tx[SentenceReviews].mark(tenant.id, other, ["c"], ADA, MOMENT)
        async with unit_of_work() as tx:
            a, b = SentenceReview("a", ADA, MOMENT), SentenceReview("b", ADA, LATER)
            bobs = SentenceReview("b", BOB, MOMENT)
            assert await tx[SentenceReviews].of_article(tenant.id, article) == [a, b, bobs]
            await tx[SentenceReviews].retain(tenant.id, article, ["b", "x"])
            assert await tx[SentenceReviews].of_article(tenant.id, article) == [b, bobs]
            assert len(await tx[SentenceReviews].of_article(tenant.id, other)) == 1
            assert all(review.confirmed for review in [a, b, bobs])
            await tx[Articles].delete(tenant.id, article)
        async with unit_of_work() as tx:
            assert await tx[SentenceReviews].of_article(tenant.id, article) == []

    @alien_ids
    async def test_a_tenant_sees_its_own_reviews_alone(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant, other = await given_tenants(unit_of_work)
        article = await _article(unit_of_work, tenant.id)
        async with unit_of_work() as tx:
            await tx[SentenceReviews].mark(tenant.id, article, ["a"], ADA, MOMENT)
            assert await tx[SentenceReviews].of_article(other.id, article) == []
            assert await tx[SentenceReviews].of_article(tenant.id, ArticleId(alien)) == []
            await tx[SentenceReviews].retain(other.id, article, [])
            assert len(await tx[SentenceReviews].of_article(tenant.id, article)) == 1
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[SentenceReviews].mark(tenant.id, ArticleId("nope"), ["a"], ADA, MOMENT)
