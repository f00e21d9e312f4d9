"""Links between articles on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.article_link import MAX_LINKS, LinkedBy, LinkState
from contentgen_core.use_cases.article_links.decide import ShownLink
from contentgen_http.wire.base import Answer, AnswerOf


class ArticleLink(AnswerOf[ShownLink], kw_only=True):
    """Words of an article that lead to another one, or may."""

    id: Annotated[str, Meta(description="Its identifier.")]
    article_id: Annotated[str, Meta(description="Id of the article that has the words.")]
    anchor: Annotated[str, Meta(description="The words, as they stand in the text.", examples=["heat pump grants"])]
    sentence: Annotated[str, Meta(description="The sentence that they stood in when the link was proposed.")]
    target_id: Annotated[str, Meta(description="Id of the article that they lead to.")]
    target_title: Annotated[str, Meta(description="Its title.")]
    target_status: Annotated[ArticleStatus, Meta(description="Where it stands.")]
    url: Annotated[
        str | UnsetType,
        Meta(description="Where people read it: its public page, else its first post. Absent as long as nobody can."),
    ] = UNSET
    linked_by: Annotated[
        LinkedBy,
        Meta(
            description="entity: the words are a name, and the other article is about it. words: they say at least "
            "half of its topic. meaning: they are near its topic."
        ),
    ]
    reason: Annotated[str, Meta(description="The same, for a person.")]
    score: Annotated[float, Meta(description="How well the words name the topic, in 0..1.", examples=[0.75])]
    state: Annotated[LinkState, Meta(description="proposed, accepted or rejected.")]
    dormant: Annotated[
        bool, Meta(description="Whether the words do not stand in the text any more where they could carry a link.")
    ]
    created_at: Annotated[datetime, Meta(description="When it was proposed.")]
    decided_at: Annotated[datetime | UnsetType, Meta(description="When a person decided on it.")] = UNSET
    decided_by: Annotated[str | UnsetType, Meta(description="Id of that person.")] = UNSET

    @classmethod
    def of(cls, shown: ShownLink) -> ArticleLink:
        link, target = shown.link, shown.target
        return cls.copy_from(
            link,
            target_id=target.id,
            target_title=target.title,
            target_status=target.status,
            url=shown.url,
            reason=_REASONS[link.linked_by].format(anchor=link.anchor, topic=target.topic),
            score=round(link.score, 3),
            dormant=shown.dormant,
        )


class ArticleLinkList(Answer, kw_only=True):
    """The links of an article."""

    links: Annotated[
        list[ArticleLink],
        Meta(description=f"In the order in which they were proposed; at most {MAX_LINKS} are proposed or accepted."),
    ]


_REASONS = {
    LinkedBy.ENTITY: "“{anchor}” is named here, and the other article is on “{topic}”.",
    LinkedBy.WORDS: "“{anchor}” says what the other article is on: “{topic}”.",
    LinkedBy.MEANING: "“{anchor}” is near in meaning to what the other article is on: “{topic}”.",
}
