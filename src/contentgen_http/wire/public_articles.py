"""Articles, as everybody may read them, on the wire: without what leads to whose they are."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import article as model
from contentgen_core.model.article import PublicCategory
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.blog_posting import blog_posting
from contentgen_core.policies.articles.image_credit import shown_credit
from contentgen_core.policies.articles.public_address import address_of
from contentgen_core.policies.text.truncation import reading_minutes
from contentgen_core.ports.repositories.public_articles import PublicArticleQuery, PublicPage
from contentgen_http.wire.articles import ImageCredit
from contentgen_http.wire.base import Answer, AnswerOf, Query, optional, utc
from contentgen_http.wire.public import Format

MAX_PAGE = 10_000

Locale = Annotated[
    Annotated[str, Meta(max_length=35, pattern=r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*$")] | UnsetType,
    Meta(description="Only articles in this language: en, or en-GB, of which the country makes no difference."),
]
Category = Annotated[PublicCategory | UnsetType, Meta(description="Only articles of this category.")]
Search = Annotated[
    Annotated[str, Meta(max_length=200)] | UnsetType,
    Meta(description="Only articles whose title or content has words beginning with these."),
]


class PublicSource(AnswerOf[model.ArticleSource], kw_only=True):
    """An entry of the numbered list of sources."""

    number: Annotated[int, Meta(description="The number that citations `[n]` in the content refer to.")]
    title: Annotated[str, Meta(description="Title of the source.")]
    url: Annotated[str | UnsetType, Meta(description="Its address, where it has one.")] = UNSET
    author: Annotated[str | UnsetType, Meta(description="Who wrote it, where it says so.")] = UNSET
    published: Annotated[date | UnsetType, Meta(description="The date that it states, if any.")] = UNSET


class PublicArticle(Answer, kw_only=True):
    """An article that everybody may read. Lists leave out content, sources, imageCredit and jsonLd."""

    slug: Annotated[str, Meta(description="Its name in addresses.", examples=["heat-pumps"])]
    title: Annotated[str, Meta(description="Its title.")]
    excerpt: Annotated[str | UnsetType, Meta(description="A short summary.")] = UNSET
    language: Annotated[Language, Meta(description="The language it is written in.")]
    category: Annotated[PublicCategory, Meta(description="Its public category.")]
    url: Annotated[str, Meta(description="Address of its page; absolute where the service knows its own.")]
    featured_image: Annotated[str | UnsetType, Meta(description="Address of its image.")] = UNSET
    word_count: Annotated[int, Meta(description="Words of the content.")]
    reading_minutes: Annotated[int, Meta(description="Minutes to read it.")]
    keywords: Annotated[tuple[str, ...], Meta(description="Its keywords.")]
    published_at: Annotated[datetime, Meta(description="When it was published, else written (UTC).")]
    updated_at: Annotated[datetime, Meta(description="When it was last changed (UTC).")]
    content: Annotated[str | UnsetType, Meta(description="Markdown; citations stand in it as `[n]`.")] = UNSET
    sources: Annotated[list[PublicSource] | UnsetType, Meta(description="The numbered sources it cites.")] = UNSET
    image_credit: Annotated[ImageCredit | UnsetType, Meta(description="Whose picture its image is.")] = UNSET
    json_ld: Annotated[dict[str, Any] | UnsetType, Meta(description="schema.org Article, as JSON-LD.")] = UNSET

    @classmethod
    def summary_of(cls, article: model.Article, base: str) -> PublicArticle:
        language = article.brief.language
        return cls(
            slug=article.slug or "",
            title=article.title,
            excerpt=optional(article.excerpt),
            language=language,
            category=article.public_category or PublicCategory.OTHER,
            url=address_of(base, article.slug or "", article.public_category),
            featured_image=optional(article.featured_image),
            word_count=article.word_count,
            reading_minutes=reading_minutes(article.word_count, language) if article.word_count else 0,
            keywords=article.brief.keywords,
            published_at=utc(article.published_or_created_at),
            updated_at=utc(article.updated_at),
        )

    @classmethod
    def of(cls, article: model.Article, base: str) -> PublicArticle:
        shown = cls.summary_of(article, base)
        shown.content = article.content
        shown.sources = [PublicSource.of(source) for source in article.sources]
        credit = shown_credit(article)
        shown.image_credit = UNSET if credit is None else ImageCredit.of(credit)
        data = blog_posting(article)
        del data["identifier"]
        shown.json_ld = data | {"@type": "Article", "url": shown.url}
        return shown


class PublicArticleList(Answer, kw_only=True):
    """One page of the public articles, the latest first."""

    articles: Annotated[list[PublicArticle], Meta(description="The articles of this page.")]
    total: Annotated[int, Meta(description="Articles that match, on all pages.")]
    page: Annotated[int, Meta(description="This page.")]
    limit: Annotated[int, Meta(description="Articles a page.")]
    total_pages: Annotated[int, Meta(description="Pages there are; 0 when nothing matches.")]

    @classmethod
    def of(cls, found: PublicPage, page: int, limit: int, base: str) -> PublicArticleList:
        return cls(
            articles=[PublicArticle.summary_of(article, base) for article in found.articles],
            total=found.total,
            page=page,
            limit=limit,
            total_pages=-(-found.total // limit),
        )


class PublicArticlesQuery(Query, kw_only=True):
    locale: Locale = UNSET
    limit: Annotated[int, Meta(ge=1, le=100, description="Articles a page.")] = 20
    page: Annotated[int, Meta(ge=1, le=MAX_PAGE, description="The page, from 1.")] = 1
    category: Category = UNSET
    search: Search = UNSET
    format: Format = UNSET

    def to_query(self) -> PublicArticleQuery | None:
        """None for a language that nothing is ever written in."""
        try:
            language = language_of(self.locale)
        except ValueError:
            return None
        return PublicArticleQuery(
            page=self.page,
            limit=self.limit,
            language=language,
            category=None if self.category is UNSET else self.category,
            search=None if self.search is UNSET else self.search.strip() or None,
        )


class FeedQuery(Query, kw_only=True):
    locale: Locale = UNSET
    limit: Annotated[int, Meta(ge=1, le=100, description="Articles at most.")] = 30
    category: Category = UNSET

    def to_query(self) -> PublicArticleQuery | None:
        return PublicArticlesQuery(locale=self.locale, limit=self.limit, category=self.category).to_query()


class PublicArticleParameters(Query, kw_only=True):
    format: Format = UNSET


def language_of(locale: str | UnsetType) -> Language | None:
    """Raises ValueError."""
    return None if locale is UNSET else Language(locale.replace("_", "-").split("-")[0].lower())
