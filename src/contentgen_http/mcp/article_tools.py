"""The tools for public articles, available over HTTP without a key."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, Final

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model.article import Article, PublicCategory
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.public_address import address_of
from contentgen_core.ports.repositories.public_articles import PublicArticleQuery, PublicPage
from contentgen_http.mcp.bounds import (
    MAX_ANSWER,
    MAX_LIST,
    MAX_TEXT,
    first_within,
    readable,
    shorten,
    text_slice,
)
from contentgen_http.mcp.fields import (
    TITLE,
    Limit,
    NextOffset,
    Note,
    NumberedSource,
    Offset,
    Query,
    Shortened,
    Slug,
    TextGoesOn,
    TextLength,
    note_of,
    number_sources,
)
from contentgen_http.mcp.tool import Tool, ToolContext
from contentgen_http.wire.base import Answer, Body, absent_as_none, optional, utc

MAX_PAGE: Final = 100_000
_EXCERPTS: Final = (400, 150, 0)
# Sources listed of an article; each takes up to 1,600 characters.
_SOURCES: Final = (100, 25)

Category = Annotated[PublicCategory | UnsetType, Meta(description="Only of this category.")]
InLanguage = Annotated[Language | UnsetType, Meta(description="Only in this language.", examples=["en"])]
Page = Annotated[int, Meta(ge=1, le=MAX_PAGE, description="Which page of `limit` articles, from 1.")]


class ListArticles(Body, kw_only=True):
    """Which articles."""

    category: Category = UNSET
    language: InLanguage = UNSET
    limit: Limit = 20
    page: Page = 1


class SearchArticles(Body, kw_only=True):
    """The articles to find."""

    query: Query
    category: Category = UNSET
    language: InLanguage = UNSET
    limit: Limit = 20
    page: Page = 1


class GetArticle(Body, kw_only=True):
    """Which article."""

    slug: Annotated[Slug, Meta(description="The article's slug, as the lists have it.")]
    offset: Offset = 0


class ArticleHead(Answer, kw_only=True):
    """Fields that every answer has of a public article."""

    slug: Annotated[str, Meta(description="Its name.")]
    title: Annotated[str, Meta(description="Its title.")]
    excerpt: Annotated[str, Meta(description="What it is about.")]
    language: Annotated[Language, Meta(description="The language it is written in.")]
    category: Annotated[PublicCategory | UnsetType, Meta(description="Its category.")] = UNSET
    word_count: Annotated[int, Meta(description="Words it has.")]
    published_at: Annotated[datetime, Meta(description="When it was published (UTC).")]


class ArticleItem(ArticleHead, kw_only=True):
    """An article in a list."""

    slug: Annotated[str, Meta(description="What get_article takes.")]
    url: Annotated[str | UnsetType, Meta(description="Its public address, to cite.")] = UNSET


class ArticleList(Answer, kw_only=True):
    """Articles, the latest first."""

    articles: Annotated[list[ArticleItem], Meta(description="The articles of this page.")]
    total: Annotated[int, Meta(description="How many there are, on all pages.")]
    truncated: Shortened
    note: Note = UNSET


class ArticleDetail(ArticleHead, kw_only=True):
    """An article with its text and its sources."""

    updated_at: Annotated[datetime, Meta(description="When it was last changed (UTC).")]
    url: Annotated[str | UnsetType, Meta(description="Its public address, to cite.")] = UNSET
    content: Annotated[str, Meta(description="Markdown, from the offset on; citations stand in it as `[n]`.")]
    content_chars: TextLength
    truncated: TextGoesOn
    next_offset: NextOffset = UNSET
    sources: Annotated[list[NumberedSource], Meta(description="The sources it cites.")]
    note: Note = UNSET


async def list_articles(context: ToolContext, arguments: ListArticles) -> ArticleList:
    return await _page(context, _query(arguments))


async def search_articles(context: ToolContext, arguments: SearchArticles) -> ArticleList:
    return await _page(context, _query(arguments, arguments.query))


async def get_article(context: ToolContext, arguments: GetArticle) -> ArticleDetail:
    return article_detail(
        await context.services.public.read.article(arguments.slug),
        arguments.offset,
        context.services.options.public_url,
    )


def _query(arguments: ListArticles | SearchArticles, search: str | None = None) -> PublicArticleQuery:
    return PublicArticleQuery(
        page=arguments.page,
        limit=arguments.limit,
        language=absent_as_none(arguments.language),
        category=absent_as_none(arguments.category),
        search=search,
    )


async def _page(context: ToolContext, query: PublicArticleQuery) -> ArticleList:
    return article_list(await context.services.public.read.articles(query), context.services.options.public_url)


def article_list(page: PublicPage, base: str | None) -> ArticleList:
    return first_within(_shrinking_lists(page, base), MAX_LIST)


def _shrinking_lists(page: PublicPage, base: str | None) -> Iterator[ArticleList]:
    """Candidates of decreasing size: without excerpts first, then with fewer articles."""
    count = len(page.articles)
    for level, excerpt in enumerate(_EXCERPTS):
        items = [_item(article, excerpt, base) for article in page.articles]
        note = "Shortened for its size. A lower limit gives more of each." if level else UNSET
        yield ArticleList(articles=items, total=page.total, truncated=level > 0, note=note)
    while count := count // 2:
        items = [_item(article, 0, base) for article in page.articles[:count]]
        note = f"Only the first {count} of this page are listed here, for the answer's size. Ask with a lower limit."
        yield ArticleList(articles=items, total=page.total, truncated=True, note=note)


def _item(article: Article, excerpt: int, base: str | None) -> ArticleItem:
    return ArticleItem(**_head(article, excerpt), url=_url(article, base))


def _head(article: Article, excerpt: int) -> dict[str, Any]:
    """The fields of an ArticleHead; `excerpt`: characters of the excerpt."""
    return {
        "slug": article.slug or "",
        "title": shorten(article.title, TITLE),
        "excerpt": shorten(article.excerpt, excerpt) if excerpt else "",
        "language": article.brief.language,
        "category": optional(article.public_category),
        "word_count": article.word_count,
        "published_at": utc(article.published_or_created_at),
    }


def _url(article: Article, base: str | None) -> str | UnsetType:
    return UNSET if base is None else address_of(base, article.slug or "", None)


def article_detail(article: Article, offset: int, base: str | None) -> ArticleDetail:
    """An article within the size limits. Raises InvalidInput for an offset beyond the text."""
    return first_within(
        (
            _detail(article, offset, base, most, sources)
            for most in (MAX_TEXT, MAX_TEXT // 2, MAX_TEXT // 4)
            for sources in _SOURCES
        ),
        MAX_ANSWER,
    )


def _detail(article: Article, offset: int, base: str | None, most: int, sources: int) -> ArticleDetail:
    text = readable(article.content)
    shown, rest = text_slice(text, offset, most)
    return ArticleDetail(
        **_head(article, 1_000),
        updated_at=utc(article.updated_at),
        url=_url(article, base),
        content=shown,
        content_chars=len(text),
        truncated=rest is not None,
        next_offset=optional(rest),
        sources=number_sources(article.sources[:sources]),
        note=note_of(rest, len(article.sources) - sources),
    )


ARTICLE_TOOLS: Final = (
    Tool(
        name="list_articles",
        title="List public articles",
        description="Published articles, the latest first, filtered by category and language. Every sentence of them "
        "was checked against its sources. Read one with get_article.",
        arguments=ListArticles,
        answer=ArticleList,
        run=list_articles,
    ),
    Tool(
        name="get_article",
        title="Read a public article",
        description="One published article in Markdown with its numbered sources: cite them along with the article's "
        f"address. At most {MAX_TEXT:,} characters at a time; the answer says where the rest begins.",
        arguments=GetArticle,
        answer=ArticleDetail,
        run=get_article,
    ),
    Tool(
        name="search_articles",
        title="Search public articles",
        description="Published articles whose title or text has all of the keywords, the latest first.",
        arguments=SearchArticles,
        answer=ArticleList,
        run=search_articles,
    ),
)
