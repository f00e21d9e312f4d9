"""The tools for articles among each other: which answer a topic already, and links that lead from one to another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.article_link import LinkState
from contentgen_core.model.ids import ArticleId, ArticleLinkId
from contentgen_core.model.similar_article import SimilarArticle, Suggestion
from contentgen_core.model.vocabulary import Language
from contentgen_core.use_cases.article_links.decide import ShownLink
from contentgen_http.api.requests import path_id
from contentgen_http.mcp.bounds import MAX_LIST, address, first_within, shorten
from contentgen_http.mcp.fields import TITLE, ArticleIdField
from contentgen_http.mcp.tool import Tool, ToolContext
from contentgen_http.wire.base import Answer, Body, Id, absent_as_none, optional
from contentgen_http.wire.similar import SimilarRequest

_SENTENCE: Final = 500
_SIZES: Final = (TITLE, 80, 40)
"""How many characters of each title and heading are answered."""


class SimilarTo(Answer, kw_only=True):
    """An article that answers the topic, or a part of it."""

    article_id: Annotated[str, Meta(description="Send it as articleId to article_status, freshness, edit_plan.")]
    title: Annotated[str, Meta(description="Its title.")]
    status: Annotated[ArticleStatus, Meta(description="Where it stands.")]
    language: Annotated[Language, Meta(description="Its language.")]
    url: Annotated[str | UnsetType, Meta(description="Where people read it, as far as they can.")] = UNSET
    same: Annotated[bool, Meta(description="Whether it answers the same, and not a part of it.")]
    likeness: Annotated[float, Meta(description="How alike the two are, in 0..1.")]
    sections: Annotated[list[str], Meta(description="Its headings on the topic.")]
    new_passages: Annotated[int, Meta(description="Passages on the topic that it does not cite.")]
    adds: Annotated[list[str], Meta(description="Titles of documents on the topic that it does not cite.")]
    suggestion: Annotated[
        Suggestion,
        Meta(
            description="update it, merge it with mergeWith, translate it, or differentiate: give the new article "
            "another angle."
        ),
    ]
    merge_with: Annotated[str | UnsetType, Meta(description="Id of the article to merge it with.")] = UNSET
    reason: Annotated[str, Meta(description="Why.")]


class SimilarFound(Answer, kw_only=True):
    """The articles that exist on the topic already."""

    articles: Annotated[list[SimilarTo], Meta(description="The most alike first; empty: nothing answers it yet.")]


class LinksOf(Body, kw_only=True):
    """The article whose links are asked for."""

    article_id: ArticleIdField


class LinkChoice(Body, kw_only=True):
    """Which link to decide on."""

    link_id: Annotated[Id, Meta(description="The link's id, as article_links or propose_links answered it.")]


class LinkShown(Answer, kw_only=True):
    """Words of an article that lead to another one, or may."""

    link_id: Annotated[str, Meta(description="Send it to accept_link or reject_link.")]
    article_id: Annotated[str, Meta(description="Id of the article that has the words.")]
    anchor: Annotated[str, Meta(description="The words.")]
    sentence: Annotated[str, Meta(description="The sentence that they stood in when the link was proposed.")]
    target_id: Annotated[str, Meta(description="Id of the article that they lead to.")]
    target_title: Annotated[str, Meta(description="Its title.")]
    url: Annotated[str | UnsetType, Meta(description="Where people read it; absent as long as nobody can.")] = UNSET
    state: Annotated[LinkState, Meta(description="proposed, accepted or rejected.")]
    dormant: Annotated[bool, Meta(description="Whether the text does not have the words any more.")]


class LinksShown(Answer, kw_only=True):
    """The links of an article."""

    links: Annotated[list[LinkShown], Meta(description="In the order in which they were proposed.")]


async def similar_articles(context: ToolContext, arguments: SimilarRequest) -> SimilarFound:
    found = await context.services.writing.similar(
        context.tenant,
        arguments.topic,
        absent_as_none(arguments.agent_key),
        absent_as_none(arguments.niche_id),
        absent_as_none(arguments.language),
    )
    return first_within((SimilarFound(articles=[_similar(one, most) for one in found]) for most in _SIZES), MAX_LIST)


async def article_links(context: ToolContext, arguments: LinksOf) -> LinksShown:
    id = ArticleId(path_id("article", arguments.article_id))
    return _links(await context.services.writing.links.of_article(context.tenant, id))


async def propose_links(context: ToolContext, arguments: LinksOf) -> LinksShown:
    id, writing = ArticleId(path_id("article", arguments.article_id)), context.services.writing
    return _links(await writing.links.shown(context.tenant, id, await writing.propose_links(context.tenant, id)))


async def accept_link(context: ToolContext, arguments: LinkChoice) -> LinkShown:
    id = ArticleLinkId(path_id("link", arguments.link_id))
    return _link(await context.services.writing.links.accept(context.tenant, id), TITLE)


async def reject_link(context: ToolContext, arguments: LinkChoice) -> LinkShown:
    id = ArticleLinkId(path_id("link", arguments.link_id))
    return _link(await context.services.writing.links.reject(context.tenant, id), TITLE)


def _similar(found: SimilarArticle, most: int) -> SimilarTo:
    article = found.article
    return SimilarTo(
        article_id=article.id,
        title=shorten(article.title, most),
        status=article.status,
        language=article.language,
        url=optional(next(filter(None, map(address, found.urls)), None)),
        same=found.likeness.same,
        likeness=round(found.likeness.score, 3),
        sections=[shorten(heading, most) for heading in found.sections],
        new_passages=len(found.new),
        adds=[shorten(title, most) for title in found.adds],
        suggestion=found.suggestion,
        merge_with=optional(found.merge_with),
        reason=found.reason,
    )


def _links(found: Sequence[ShownLink]) -> LinksShown:
    return first_within((LinksShown(links=[_link(one, most) for one in found]) for most in (_SENTENCE, 80)), MAX_LIST)


def _link(shown: ShownLink, most: int) -> LinkShown:
    link, target = shown.link, shown.target
    return LinkShown(
        link_id=link.id,
        article_id=link.article_id,
        anchor=shorten(link.anchor, most),
        sentence=shorten(link.sentence, most),
        target_id=target.id,
        target_title=shorten(target.title, min(most, TITLE)),
        url=optional(address(shown.url)),
        state=link.state,
        dormant=shown.dormant,
    )


LINK_TOOLS: Final = (
    Tool(
        name="similar_articles",
        title="Find articles on a topic",
        description="The tenant's articles that already answer a topic, in whatever words, language or niche, and "
        "whether to update, merge or translate them or to write about something else. Ask it before plan_article and "
        "write_article.",
        arguments=SimilarRequest,
        answer=SimilarFound,
        run=similar_articles,
        with_key=True,
    ),
    Tool(
        name="article_links",
        title="List an article's links",
        description="The links of an article to the tenant's other articles: proposed, accepted and rejected.",
        arguments=LinksOf,
        answer=LinksShown,
        run=article_links,
        with_key=True,
    ),
    Tool(
        name="propose_links",
        title="Propose links",
        description="Find words of an article that other articles of the tenant are on. What was proposed before and "
        "not decided is replaced; what was rejected stays so. Show them to a person before accept_link.",
        arguments=LinksOf,
        answer=LinksShown,
        run=propose_links,
        with_key=True,
        reads=False,
    ),
    Tool(
        name="accept_link",
        title="Accept a link",
        description="Let the words lead to the other article wherever the article is shown, exported or published; its "
        "text stays as it is. Posts that are out get it with publish_article. Ask a person first.",
        arguments=LinkChoice,
        answer=LinkShown,
        run=accept_link,
        with_key=True,
        reads=False,
    ),
    Tool(
        name="reject_link",
        title="Reject a link",
        description="The words of the link lead nowhere from now on, and it is not proposed again.",
        arguments=LinkChoice,
        answer=LinkShown,
        run=reject_link,
        with_key=True,
        reads=False,
    ),
)
