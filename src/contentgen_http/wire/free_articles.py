"""Free articles, and the search for duplicates, on the wire."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import article as model
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.web_address import MAX_URL
from contentgen_core.policies.topics.validation import check_topic, topic_key
from contentgen_core.use_cases.articles import check_duplicates
from contentgen_core.use_cases.articles.check_duplicates import MatchedBy
from contentgen_core.use_cases.free_articles import from_link
from contentgen_http.wire.base import Answer, AnswerOf, Body, Query, Rule, optional


class DuplicateQuery(Query, kw_only=True):
    slug: Annotated[
        Annotated[str, Meta(min_length=1, max_length=200)] | UnsetType,
        Meta(description="Slug of the trend that an article is to be about. This or topic is needed."),
    ] = UNSET
    topic: Annotated[
        Annotated[str, Meta(min_length=1, max_length=500)] | UnsetType,
        Meta(description="Topic that an article is to be written on. This or slug is needed."),
        Rule(check_topic),
    ] = UNSET


class DuplicateArticle(Answer, kw_only=True):
    """The article that there is."""

    id: Annotated[str, Meta(description="Its identifier.")]
    title: Annotated[str, Meta(description="Its title.", examples=["Heat pumps in older houses"])]
    slug: Annotated[str | UnsetType, Meta(description="Its name in addresses, once it is written.")] = UNSET
    status: Annotated[ArticleStatus, Meta(description="Where it stands.")]


class DuplicateAnswer(AnswerOf[check_duplicates.Duplicate | None], kw_only=True):
    """Whether there is an article already."""

    exists: Annotated[bool, Meta(description="Whether one was found.")]
    article: Annotated[DuplicateArticle | UnsetType, Meta(description="The one that was found.")] = UNSET
    matched_by: Annotated[
        MatchedBy | UnsetType,
        Meta(
            description="freeTopic: a free article has exactly this topic. trendSlug: it is about this trend. "
            "nearDuplicate: its topic shares four significant words with this one, or three of four."
        ),
    ] = UNSET

    @classmethod
    def of(cls, found: check_duplicates.Duplicate | None) -> DuplicateAnswer:
        if found is None:
            return cls(exists=False)
        shown = DuplicateArticle.copy_from(found.article)
        return cls(exists=True, article=shown, matched_by=found.matched_by)


class Link(Body, kw_only=True):
    """A page to write an article from."""

    url: Annotated[
        str,
        Meta(min_length=1, max_length=MAX_URL, description="http or https address of the page."),
    ]


class FreeArticleSource(AnswerOf[model.ArticleSource], kw_only=True):
    """An entry of the numbered list of sources: a passage of the page."""

    number: Annotated[int, Meta(description="The number that citations `[n]` in the content refer to.", examples=[1])]
    title: Annotated[str, Meta(description="Title of the page.", examples=["Heat pump basics"])]
    url: Annotated[str | UnsetType, Meta(description="Its address.")] = UNSET
    author: Annotated[str | UnsetType, Meta(description="Who wrote it, where it says so.")] = UNSET
    published: Annotated[date | UnsetType, Meta(description="The date that it states, if any.")] = UNSET


class FreeArticle(Answer, kw_only=True):
    """A free article as far as it is there. Of one that is not for everybody to read, title and freeTopic are all."""

    title: Annotated[str, Meta(description="Its title; the topic, until it is planned.")]
    free_topic: Annotated[str, Meta(description="What duplicates of free articles are found by.")]
    status: Annotated[
        ArticleStatus | UnsetType, Meta(description="generating until it is written, then generated, or failed.")
    ] = UNSET
    slug: Annotated[str | UnsetType, Meta(description="Its name in addresses.", examples=["heat-pumps"])] = UNSET
    language: Annotated[Language | UnsetType, Meta(description="The page's language, and the article's.")] = UNSET
    progress: Annotated[int | UnsetType, Meta(description="Percent done, 0-100; while it is generating.")] = UNSET
    content: Annotated[
        str | UnsetType, Meta(description="Markdown; citations stand in it as `[n]`. Once it is written.")
    ] = UNSET
    excerpt: Annotated[str | UnsetType, Meta(description="A short summary, once it is written.")] = UNSET
    word_count: Annotated[int | UnsetType, Meta(description="Words of the content.", examples=[420])] = UNSET
    sources: Annotated[
        list[FreeArticleSource] | UnsetType, Meta(description="The passages it cites, all of the page.")
    ] = UNSET

    @classmethod
    def of(cls, article: model.Article, *, open: bool) -> FreeArticle:
        key = topic_key(article.brief.topic)
        if not open:
            return cls(title=article.brief.topic, free_topic=article.free_topic or key)
        shown = cls(
            title=article.title,
            free_topic=article.free_topic or key,
            status=article.status,
            slug=optional(article.slug),
            language=article.brief.language,
        )
        if article.status is ArticleStatus.GENERATING:
            shown.progress = article.progress
        if article.content and article.status is not ArticleStatus.GENERATING:
            shown.content, shown.excerpt = article.content, optional(article.excerpt)
            shown.word_count = article.word_count
            shown.sources = [FreeArticleSource.of(source) for source in article.sources]
        return shown


class FromLink(AnswerOf[from_link.FreeArticle], kw_only=True):
    """The free article of a page."""

    created: Annotated[bool, Meta(description="Whether this request began it; false for one that was there.")]
    article: Annotated[FreeArticle, Meta(description="The article as it is now.")]

    @classmethod
    def of(cls, made: from_link.FreeArticle) -> FromLink:
        return cls(created=made.created, article=FreeArticle.of(made.article, open=made.open))
