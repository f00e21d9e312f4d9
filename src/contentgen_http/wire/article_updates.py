"""Updates of articles, and refresh policies, on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import article_update as model
from contentgen_core.model.article_update import MAX_REFRESH_HOURS, RefreshMode, UpdateState
from contentgen_core.use_cases.article_updates.decide import MAX_UPDATES
from contentgen_core.use_cases.articles.patch import MAX_PATCHES, AcceptedPatch
from contentgen_http.wire.base import Answer, AnswerOf, Body, Id, Query
from contentgen_http.wire.freshness import SentencePatch, StaleSentence, TranslationUpdate
from contentgen_http.wire.usage import Usage


class UpdatedOriginal(AnswerOf[model.FollowedOriginal], kw_only=True):
    """What a translation follows."""

    article_id: Annotated[str, Meta(description="Id of the original.")]
    update_id: Annotated[
        str | UnsetType, Meta(description="Id of its update; absent where it was changed by a patch of its own.")
    ] = UNSET


class ArticleUpdate(Answer, kw_only=True):
    """What an article would say after its sources changed."""

    id: Annotated[str, Meta(description="Id of the update.")]
    article_id: Annotated[str, Meta(description="Id of the article.")]
    niche_key: Annotated[str, Meta(description="The article's niche.")]
    title: Annotated[str, Meta(description="The article's title.")]
    state: Annotated[
        UpdateState,
        Meta(
            description="translating (what a translation is to say is being translated), proposed (waits for a "
            "decision), applied, rejected, outdated (article or sources changed again before it was decided), or "
            "skipped (a translation could not follow its original)."
        ),
    ]
    created_at: Annotated[datetime, Meta(description="When it was proposed.")]
    sentences: Annotated[int, Meta(description="Sentences of the article.")]
    changes: Annotated[list[StaleSentence], Meta(description="Those whose sources read otherwise, in their order.")]
    applied: Annotated[list[int], Meta(description="Positions of the sentences that were changed.")]
    updating: Annotated[list[str], Meta(description="Ids of the publications whose posts got the new text.")]
    automatic: Annotated[bool, Meta(description="Whether the niche's refresh policy decided it.")]
    decided_at: Annotated[datetime | UnsetType, Meta(description="When it was decided, or became outdated.")] = UNSET
    decided_by: Annotated[str | UnsetType, Meta(description="Id of the user who decided.")] = UNSET
    follows: Annotated[
        UpdatedOriginal | UnsetType,
        Meta(
            description="Of a translation's update: what it follows. `was` and `now` of its changes are the former and "
            "the new sentences of the original."
        ),
    ] = UNSET
    translations: Annotated[
        list[TranslationUpdate], Meta(description="The updates by which the article's translations follow this one.")
    ]
    reason: Annotated[str | UnsetType, Meta(description="Why it is skipped, or what a person has to look at.")] = UNSET
    usage: Annotated[
        Usage | UnsetType,
        Meta(description="What the content model consumed for its proposals; absent where it was not asked."),
    ] = UNSET

    @classmethod
    def of(cls, update: model.ArticleUpdate, translations: Sequence[model.ArticleUpdate] = ()) -> ArticleUpdate:
        return cls.copy_from(update, follows=update.original, translations=translations)


class ProposedUpdate(Answer, kw_only=True):
    """The update that an article needs."""

    update: Annotated[
        ArticleUpdate | UnsetType, Meta(description="Absent: every sentence is still what its source says.")
    ] = UNSET


class ArticleUpdateList(Answer, kw_only=True):
    """Updates, newest first."""

    updates: Annotated[list[ArticleUpdate], Meta(description="As many as were asked for at most.")]


class ArticleUpdateQuery(Query, kw_only=True):
    """Which updates are listed."""

    state: Annotated[UpdateState | UnsetType, Meta(description="Only those in this state.")] = UNSET
    before: Annotated[
        Annotated[str, Meta(min_length=1, max_length=100)] | UnsetType,
        Meta(description="Only older ones than the one with this id."),
    ] = UNSET
    limit: Annotated[Annotated[int, Meta(ge=1, le=MAX_UPDATES)], Meta(description="The most of an answer.")] = 20


class UpdateRequest(Body, kw_only=True):
    """The article to compare with its sources."""

    article_id: Annotated[Id, Meta(description="Id of the article.")]


class AcceptedUpdate(Body, kw_only=True):
    """What to take of an update."""

    sentences: Annotated[
        Annotated[list[SentencePatch], Meta(min_length=1, max_length=MAX_PATCHES)] | UnsetType,
        Meta(description="Each position once; absent: all that are proposed."),
    ] = UNSET
    publish: Annotated[bool, Meta(description="Update the posts that are out, too.")] = False

    def to_model(self) -> list[AcceptedPatch] | None:
        return None if self.sentences is UNSET else [patch.to_model() for patch in self.sentences]


class RefreshReport(AnswerOf[model.RefreshReport], kw_only=True):
    """What looking at the niche's articles found."""

    started_at: Annotated[datetime, Meta(description="When it began.")]
    finished_at: Annotated[datetime, Meta(description="When it ended.")]
    examined: Annotated[int, Meta(description="Articles that cite a source which changed.")]
    proposed: Annotated[int, Meta(description="Updates that wait for a person.")]
    applied: Annotated[int, Meta(description="Updates that the policy applied.")]
    failed: Annotated[int, Meta(description="Articles that could not be compared or changed.")]
    error: Annotated[str | UnsetType, Meta(description="Why it ended early.")] = UNSET


class RefreshPolicy(AnswerOf[model.RefreshPolicy], kw_only=True):
    """How the articles of a niche follow their sources."""

    niche_key: Annotated[str, Meta(description="The niche.")]
    mode: Annotated[
        RefreshMode,
        Meta(
            description="review (a person decides each update), or auto (what was checked is applied, unless it "
            "leaves out more than a quarter of an article)."
        ),
    ]
    publish: Annotated[bool, Meta(description="Whether posts that are out follow what is applied by itself.")]
    every_hours: Annotated[int, Meta(description="Hours between two looks.")]
    next_at: Annotated[datetime, Meta(description="When the articles are looked at next.")]
    running: Annotated[bool, Meta(description="Whether they are looked at now.")]
    last: Annotated[RefreshReport | UnsetType, Meta(description="What the last look found.")] = UNSET

    @classmethod
    def of(cls, policy: model.RefreshPolicy) -> RefreshPolicy:
        return cls.copy_from(policy, running=policy.job_id is not None)


class RefreshSettings(Body, kw_only=True):
    """How the articles of a niche are to follow their sources; what is absent stays as it is."""

    mode: Annotated[
        RefreshMode | UnsetType,
        Meta(description="Who decides: review (a person), auto (the policy). At first review."),
    ] = UNSET
    publish: Annotated[
        bool | UnsetType, Meta(description="With auto: update the posts that are out, too. At first false.")
    ] = UNSET
    every_hours: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_REFRESH_HOURS)] | UnsetType,
        Meta(description="Hours between two looks. At first 24."),
    ] = UNSET
