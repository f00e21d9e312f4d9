"""Versions of articles' texts, each seen by its tenant alone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.article import Article
from contentgen_core.model.article_version import ArticleVersion, VersionCause, VersionText
from contentgen_core.model.ids import ArticleId, UserId
from contentgen_core.ports.repositories.article_versions import ArticleVersions
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants


def version_of(article: Article, number: int, **changes: Any) -> ArticleVersion:
    made = ArticleVersion(
        article.tenant_id, article.id, number, MOMENT, VersionCause.EDITED, article.title, article.text_hash
    )
    return evolve(made, **changes)


async def _versions(unit_of_work: UnitOfWork, article: Article, numbers: range, **changes: Any) -> list[ArticleVersion]:
    made = [version_of(article, number, **changes) for number in numbers]
    async with unit_of_work() as tx:
        for version in made:
            await tx[ArticleVersions].add(version, VersionText.of(article))
    return made


class ArticleVersionsContract:
    async def test_a_version_is_given_back_as_it_was_stored(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article = builders.full_article(tenant_id=tenant.id)
        await given(unit_of_work, article)
        version = version_of(article, 1, by=UserId("u"))
        text, later = VersionText.of(article), MOMENT + timedelta(hours=1)
        async with unit_of_work() as tx:
            await tx[ArticleVersions].add(version, text)
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[ArticleVersions].add(version, text)
        noted = evolve(version, approved_by=UserId("v"), approved_at=later, published_at=later)
        async with unit_of_work() as tx:
            assert await tx[ArticleVersions].get(tenant.id, article.id, 1) == (version, text)
            await tx[ArticleVersions].save(noted)
            assert await tx[ArticleVersions].get(tenant.id, article.id, 1) == (noted, text)
            assert await tx[ArticleVersions].newest(tenant.id, article.id) == noted
            assert await tx[ArticleVersions].of_text(tenant.id, article.id, article.text_hash) == noted
            assert await tx[ArticleVersions].of_text(tenant.id, article.id, "another") is None

    async def test_versions_come_newest_first_and_the_newest_of_a_text_is_its_version(
        self, unit_of_work: UnitOfWork
    ) -> None:
        tenant = await given_tenant(unit_of_work)
        article = builders.article(tenant_id=tenant.id)
        await given(unit_of_work, article)
        one, two, three = await _versions(unit_of_work, article, range(1, 4))
        async with unit_of_work() as tx:
            assert await tx[ArticleVersions].page(tenant.id, article.id, None, 9) == [three, two, one]
            assert await tx[ArticleVersions].page(tenant.id, article.id, 3, 1) == [two]
            assert await tx[ArticleVersions].page(tenant.id, article.id, 0, 9) == []
            assert await tx[ArticleVersions].page(tenant.id, article.id, 10**12, 1) == [three]
            assert await tx[ArticleVersions].of_text(tenant.id, article.id, article.text_hash) == three

    async def test_the_newest_are_kept_and_those_that_were_published(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article, other = (builders.article(tenant_id=tenant.id) for _ in range(2))
        await given(unit_of_work, article, other)
        await _versions(unit_of_work, article, range(1, 7))
        kept = await _versions(unit_of_work, other, range(1, 4))
        async with unit_of_work() as tx:
            await tx[ArticleVersions].save(version_of(article, 2, published_at=MOMENT))
            await tx[ArticleVersions].prune(tenant.id, article.id, 3)
            left = await tx[ArticleVersions].page(tenant.id, article.id, None, 9)
            assert [version.number for version in left] == [6, 5, 4, 2]
            await tx[ArticleVersions].prune(tenant.id, article.id, 9)
            assert await tx[ArticleVersions].page(tenant.id, article.id, None, 9) == left
            assert await tx[ArticleVersions].page(tenant.id, other.id, None, 9) == kept[::-1]

    @alien_ids
    async def test_a_tenant_sees_its_own_versions_alone(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant, other = await given_tenants(unit_of_work)
        article = builders.article(tenant_id=tenant.id)
        await given(unit_of_work, article)
        [version] = await _versions(unit_of_work, article, range(1, 2))
        for owner, id, number in (
            (other.id, article.id, 1),
            (tenant.id, ArticleId(alien), 1),
            (tenant.id, article.id, 2),
            (tenant.id, article.id, -1),
            (tenant.id, article.id, 10**12),
        ):
            async with unit_of_work() as tx:
                with pytest.raises(NotFound):
                    await tx[ArticleVersions].get(owner, id, number)
        async with unit_of_work() as tx:
            assert await tx[ArticleVersions].page(other.id, article.id, None, 9) == []
            assert await tx[ArticleVersions].newest(other.id, article.id) is None
            assert await tx[ArticleVersions].of_text(other.id, article.id, article.text_hash) is None
            await tx[ArticleVersions].prune(other.id, article.id, 0)
            assert await tx[ArticleVersions].newest(tenant.id, article.id) == version
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[ArticleVersions].save(evolve(version, tenant_id=other.id))
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[ArticleVersions].add(
                    evolve(version, article_id=ArticleId("nope"), number=5), VersionText.of(article)
                )

    async def test_versions_go_with_their_article(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article = builders.article(tenant_id=tenant.id)
        await given(unit_of_work, article)
        await _versions(unit_of_work, article, range(1, 3))
        async with unit_of_work() as tx:
            await tx[Articles].delete(tenant.id, article.id)
        async with unit_of_work() as tx:
            assert await tx[ArticleVersions].page(tenant.id, article.id, None, 9) == []
