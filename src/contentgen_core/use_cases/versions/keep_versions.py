"""A version of each text, in the transaction that changes it; and what became of it."""

from __future__ import annotations

from datetime import datetime

from attrs import evolve

from contentgen_core.model.article import Article
from contentgen_core.model.article_version import KEPT_VERSIONS, ArticleVersion, VersionCause, VersionText
from contentgen_core.model.ids import UserId
from contentgen_core.ports.repositories.article_versions import ArticleVersions
from contentgen_core.ports.unit_of_work import Transaction


async def keep_version(
    tx: Transaction, article: Article, cause: VersionCause, by: UserId | None, *, former: Article | None = None
) -> None:
    """Keep the article's text as its next version, unless its newest version is that text, or it has none. `former`:
    the article before the change, whose text is kept first where no version of it is known. Raises ConcurrentChange."""
    newest = await tx[ArticleVersions].newest(article.tenant_id, article.id)
    if newest is None and former is not None:
        newest = await _next(tx, former, None, VersionCause.EARLIER, None)
    added = await _next(tx, article, newest, cause, by)
    if added is not None and added is not newest and added.number > KEPT_VERSIONS:
        await tx[ArticleVersions].prune(article.tenant_id, article.id, KEPT_VERSIONS)


async def note_approval(tx: Transaction, article: Article, by: UserId, at: datetime) -> None:
    """Record who approved the present version of the article's text."""
    version = await _present_version(tx, article)
    await tx[ArticleVersions].save(evolve(version, approved_by=by, approved_at=at))


async def note_publication(tx: Transaction, article: Article, at: datetime) -> None:
    """Record that the article's text was published: its version is kept from now on."""
    if not article.content.strip():
        return
    version = await _present_version(tx, article)
    if version.published_at is None:
        await tx[ArticleVersions].save(evolve(version, published_at=at))


async def _present_version(tx: Transaction, article: Article) -> ArticleVersion:
    """Return the version of the article's text; created where none was kept yet."""
    found = await tx[ArticleVersions].of_text(article.tenant_id, article.id, article.text_hash)
    if found is not None:
        return found
    newest = await tx[ArticleVersions].newest(article.tenant_id, article.id)
    made = await _next(tx, article, newest, VersionCause.EARLIER, None)
    assert made is not None, "an article that is approved or published has a text"
    return made


async def _next(
    tx: Transaction, article: Article, newest: ArticleVersion | None, cause: VersionCause, by: UserId | None
) -> ArticleVersion | None:
    """The version after the newest one; the newest where nothing changed."""
    text_hash = article.text_hash
    if not article.content.strip() or (newest is not None and newest.text_hash == text_hash):
        return newest
    version = ArticleVersion(
        tenant_id=article.tenant_id,
        article_id=article.id,
        number=1 if newest is None else newest.number + 1,
        at=article.updated_at,
        cause=cause,
        title=article.title,
        text_hash=text_hash,
        by=by,
    )
    await tx[ArticleVersions].add(version, VersionText.of(article))
    return version
