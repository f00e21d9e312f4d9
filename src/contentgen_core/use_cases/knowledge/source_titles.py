"""The titles of an article's sources, as their documents have them now."""

from __future__ import annotations

from attrs import evolve

from contentgen_core.model.article import Article, ArticleSource
from contentgen_core.ports.unit_of_work import Transaction


async def with_present_titles(tx: Transaction, article: Article) -> Article:
    """The article with the present titles of its sources. One whose document was removed keeps the title that the
    document had when the article was written."""
    if not article.sources:
        return article
    titles = await tx.knowledge.titles([source.parent_id for source in article.sources])

    def titled(source: ArticleSource) -> ArticleSource:
        return evolve(source, title=titles.get(source.parent_id, source.title))

    return evolve(article, sources=tuple(map(titled, article.sources)))
