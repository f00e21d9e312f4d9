"""Articles that already answer a topic, on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import similar_article as model
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.similar_article import Suggestion
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.similar_articles import MOST_ADDED, MOST_ARTICLES, MOST_SECTIONS
from contentgen_core.policies.topics.validation import check_topic
from contentgen_http.wire.base import AgentKeyText, Answer, AnswerOf, Body, Id, Rule


class SimilarRequest(Body, kw_only=True):
    """The topic that an article is to be written on."""

    topic: Annotated[
        str,
        Meta(min_length=1, max_length=500, description="The topic.", examples=["Heat pumps in older houses"]),
        Rule(check_topic),
    ]
    agent_key: Annotated[
        AgentKeyText | UnsetType,
        Meta(description="Whose knowledge base holds the passages on it.", examples=["home-energy-GB"]),
    ] = UNSET
    niche_id: Annotated[
        Id | UnsetType,
        Meta(description="The same of a niche, by id or key. Without either, only topics are compared."),
    ] = UNSET
    language: Annotated[
        Language | UnsetType,
        Meta(description="The language that the article is to have; absent: that of each article found."),
    ] = UNSET


class SharedWith(AnswerOf[model.Likeness], kw_only=True):
    """How an article is like the topic, each in 0..1."""

    words: Annotated[float, Meta(description="Share of the significant words that its topic or title has in common.")]
    meaning: Annotated[
        float | UnsetType,
        Meta(description="How near the topics are in meaning. Absent where the embedding model models no meaning."),
    ] = UNSET
    passages: Annotated[float, Meta(description="Share of the passages on the topic that it cites.", examples=[0.4])]

    @classmethod
    def of(cls, likeness: model.Likeness) -> SharedWith:
        meaning = UNSET if likeness.meaning is None else _shown(likeness.meaning)
        return cls(words=_shown(likeness.words), meaning=meaning, passages=_shown(likeness.passages))


class SimilarArticle(AnswerOf[model.SimilarArticle], kw_only=True):
    """An article that answers the topic, or a part of it."""

    id: Annotated[str, Meta(description="Its identifier.")]
    title: Annotated[str, Meta(description="Its title.", examples=["Heat pumps in older houses"])]
    topic: Annotated[str, Meta(description="What it was asked to be about.")]
    status: Annotated[ArticleStatus, Meta(description="Where it stands.")]
    language: Annotated[Language, Meta(description="Its language.")]
    niche_key: Annotated[str, Meta(description="Its niche.", examples=["home-energy"])]
    slug: Annotated[str | UnsetType, Meta(description="Its name in addresses, once it is written.")] = UNSET
    urls: Annotated[list[str], Meta(description="Where its posts are read.")]
    created_at: Annotated[datetime, Meta(description="When it was begun.")]
    published_at: Annotated[datetime | UnsetType, Meta(description="When it was first published.")] = UNSET
    same: Annotated[bool, Meta(description="Whether it answers the same, and not a part of it.")]
    likeness: Annotated[float, Meta(description="The highest of the three in shares, in 0..1.", examples=[0.8])]
    shares: Annotated[SharedWith, Meta(description="What it has in common with the topic.")]
    sections: Annotated[
        list[str],
        Meta(description=f"Its headings on the topic, or with citations of passages on it; at most {MOST_SECTIONS}."),
    ]
    shared_passages: Annotated[list[str], Meta(description="The passages on the topic that it cites.")]
    new_passages: Annotated[int, Meta(description="How many passages on the topic it does not cite.", examples=[4])]
    newer_passages: Annotated[
        int, Meta(description="Those of them whose documents came or changed after it was begun.", examples=[2])
    ]
    sources_changed: Annotated[
        bool,
        Meta(description="Whether a source of it was revised or removed since, or is contradicted: see its freshness."),
    ]
    adds: Annotated[
        list[str],
        Meta(description=f"Titles of documents on the topic that it does not cite, best first; at most {MOST_ADDED}."),
    ]
    suggestion: Annotated[
        Suggestion,
        Meta(
            description="update: it answers the same. merge: so does another published one, mergeWith. translate: it "
            "answers the same in another language. differentiate: it answers this in part."
        ),
    ]
    merge_with: Annotated[str | UnsetType, Meta(description="Id of the article to merge it with.")] = UNSET
    reason: Annotated[str, Meta(description="Why, for a person.")]

    @classmethod
    def of(cls, found: model.SimilarArticle) -> SimilarArticle:
        article = found.article
        return cls.copy_from(
            article,
            urls=found.urls,
            same=found.likeness.same,
            likeness=_shown(found.likeness.score),
            shares=found.likeness,
            sections=found.sections,
            shared_passages=map(str, found.shared),
            new_passages=len(found.new),
            newer_passages=found.since,
            sources_changed=found.sources_changed,
            adds=found.adds,
            suggestion=found.suggestion,
            merge_with=found.merge_with,
            reason=found.reason,
        )


SimilarField = Annotated[
    list[SimilarArticle],
    Meta(description="Your articles that already answer the topic, or a part of it; the most alike first."),
]


class SimilarArticles(Answer, kw_only=True):
    """Articles that already answer a topic."""

    articles: Annotated[
        list[SimilarArticle],
        Meta(
            description="Those that answer the same, then those that answer it in part, the most alike first; at most "
            f"{MOST_ARTICLES}. Failed articles are left out."
        ),
    ]


def _shown(share: float) -> float:
    return round(share, 3)
