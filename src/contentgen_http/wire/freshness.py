"""Freshness of articles, and patches, on the wire."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import freshness as model
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.article_update import ArticleUpdate, UpdateState
from contentgen_core.model.freshness import FreshnessLevel, Proposer, SentenceState
from contentgen_core.model.vocabulary import Language
from contentgen_core.use_cases.articles import patch as model_of_patch
from contentgen_core.use_cases.articles.list_freshness import MAX_COMPARED, ComparedTitle, ComparedTitles
from contentgen_core.use_cases.articles.patch import MAX_PATCHES, MAX_SENTENCE, AcceptedPatch
from contentgen_http.wire.base import Answer, AnswerOf, Body, Query, absent_as_none


class PresentPassage(AnswerOf[SourceRef], kw_only=True):
    """The passage that has the words that stand there now."""

    parent_id: Annotated[str, Meta(description="Id of the KB document.")]
    chunk_index: Annotated[int, Meta(description="Place of the passage in its document, from 0.")]

    @classmethod
    def of(cls, source: SourceRef) -> PresentPassage:
        return cls.copy_from(source, parent_id=source.document_id)


class Contradiction(AnswerOf[model.Contradiction], kw_only=True):
    """The conflict in which a sentence rests on the weaker side."""

    conflict_id: Annotated[str, Meta(description="Id of the conflict; see GET /kb/{nicheKey}/conflicts.")]
    decided: Annotated[
        bool,
        Meta(
            description="Whether a person preferred the other side. If not, that is newer, or of the same day and said "
            "by more independent documents, and no policy changes the sentence by itself."
        ),
    ]
    title: Annotated[str, Meta(description="Of the document that says otherwise.")]
    url: Annotated[str | UnsetType, Meta(description="Its address.")] = UNSET
    published: Annotated[date | UnsetType, Meta(description="Its date.")] = UNSET


class StaleSentence(AnswerOf[model.StaleSentence], kw_only=True):
    """A sentence whose source reads otherwise now, or is contradicted."""

    position: Annotated[int, Meta(description="Its place among the sentences of the grounding receipt, from 0.")]
    text: Annotated[str, Meta(description="The sentence, without citation marks.")]
    state: Annotated[
        SentenceState,
        Meta(
            description="reworded (the source says it in other words), changed (it no longer says it), gone (it says "
            "nothing of it any more, or is not there), or contradicted (it says so still, and the other side of a "
            "conflict is the stronger one)."
        ),
    ]
    number: Annotated[int, Meta(description="The number of its source in the article's list.")]
    was: Annotated[
        str, Meta(description="The words of the source that it rested on; empty where they are not known any more.")
    ]
    now: Annotated[
        str | UnsetType,
        Meta(description="The words that stand there now; of a contradicted sentence those of the stronger side."),
    ] = UNSET
    source: Annotated[PresentPassage | UnsetType, Meta(description="The passage that has them.")] = UNSET
    changed_at: Annotated[datetime | UnsetType, Meta(description="When the source changed, where that is known.")] = (
        UNSET
    )
    proposal: Annotated[
        str | UnsetType,
        Meta(
            description="What to write instead, checked against the new words; empty: leave the sentence out. Absent "
            "where a person has to decide."
        ),
    ] = UNSET
    proposed_by: Annotated[
        Proposer | UnsetType,
        Meta(
            description="rules (the words that the source exchanged, exchanged in the sentence), or model (the content "
            "model, in an update alone). Absent without a proposal."
        ),
    ] = UNSET
    contradiction: Annotated[
        Contradiction | UnsetType, Meta(description="Of a contradicted sentence: the conflict, and who says otherwise.")
    ] = UNSET

    @classmethod
    def of(cls, stale: model.StaleSentence) -> StaleSentence:
        return cls.copy_from(
            stale,
            proposed_by=UNSET if stale.proposal is None else stale.proposed_by,
        )


class DatedSentence(AnswerOf[model.DatedSentence], kw_only=True):
    """A sentence that says when it was written, and so ages by itself."""

    position: Annotated[int, Meta(description="Its place among the sentences of the grounding receipt, from 0.")]
    text: Annotated[str, Meta(description="The sentence, without citation marks.")]
    words: Annotated[str, Meta(description="The words that age.", examples=["this year"])]


class Freshness(AnswerOf[model.Freshness], kw_only=True):
    """What an article says beside what its sources say now."""

    article_id: Annotated[str, Meta(description="Id of the article.")]
    checked_at: Annotated[datetime, Meta(description="When the two were compared.")]
    level: Annotated[
        FreshnessLevel,
        Meta(
            description="fresh; reworded (some sentences rest on other words, and all hold); stale (at least one is "
            "changed, gone or contradicted); unknown (the article has no receipt)."
        ),
    ]
    sentences: Annotated[int, Meta(description="Sentences of the grounding receipt.")]
    stale: Annotated[
        list[StaleSentence], Meta(description="Those whose sources read otherwise or are contradicted, in order.")
    ]
    dated: Annotated[list[DatedSentence], Meta(description="Those that age by themselves (seven languages).")]


class UpdatingPost(Answer, kw_only=True):
    """A post that gets the new text."""

    publication_id: Annotated[str, Meta(description="Id of its publication; `published` once it was read back.")]
    integration_id: Annotated[str, Meta(description="Id of the integration.")]
    provider: Annotated[str, Meta(description="Where it is.", examples=["wordpress"])]


class TranslationUpdate(AnswerOf[ArticleUpdate], kw_only=True):
    """The update by which a translation follows its original."""

    article_id: Annotated[str, Meta(description="Id of the translation.")]
    language: Annotated[Language, Meta(description="Its language.")]
    update_id: Annotated[str, Meta(description="Id of its update.")]
    state: Annotated[
        UpdateState, Meta(description="translating, proposed, applied, rejected, outdated, or skipped (see `reason`).")
    ]
    reason: Annotated[str | UnsetType, Meta(description="Why it is skipped, or what a person has to look at.")] = UNSET

    @classmethod
    def of(cls, update: ArticleUpdate) -> TranslationUpdate:
        assert update.original is not None
        return cls.copy_from(update, language=update.original.target, update_id=update.id)


class PatchedArticle(Freshness, kw_only=True):
    """What is left of the stale sentences after a patch."""

    updating: Annotated[list[UpdatingPost], Meta(description="The posts that get the new text; empty: none is out.")]
    translations: Annotated[
        list[TranslationUpdate], Meta(description="The updates by which the article's translations follow.")
    ]

    @classmethod
    def from_patched(cls, patched: model_of_patch.PatchedArticle) -> PatchedArticle:
        return cls.copy_from(
            Freshness.of(patched.left),
            updating=[UpdatingPost.copy_from(p, publication_id=p.id) for p in patched.updating],
            translations=patched.translations,
        )


class ChangedArticle(AnswerOf[ComparedTitle], kw_only=True):
    """An article with a source that changed since it was written, or is contradicted."""

    id: Annotated[str, Meta(description="Id of the article.")]
    title: Annotated[str, Meta(description="Its title.")]
    status: Annotated[ArticleStatus, Meta(description="Its status.")]
    created_at: Annotated[datetime, Meta(description="When it was created.")]
    level: Annotated[FreshnessLevel, Meta(description="fresh where what changed are other words than its own.")]
    stale: Annotated[int, Meta(description="Sentences that are changed, gone or contradicted.")]
    contradicted: Annotated[int, Meta(description="Those of them that are contradicted.")]
    reworded: Annotated[int, Meta(description="Sentences that hold, with other words of their source.")]

    @classmethod
    def of(cls, found: ComparedTitle) -> ChangedArticle:
        states = [sentence.state for sentence in found.freshness.stale]
        reworded = states.count(SentenceState.REWORDED)
        return cls.copy_from(
            found.article,
            level=found.freshness.level,
            stale=len(states) - reworded,
            contradicted=states.count(SentenceState.CONTRADICTED),
            reworded=reworded,
        )


class ChangedArticles(AnswerOf[ComparedTitles], kw_only=True):
    """Articles with a source that changed since they were written, or is contradicted, newest first."""

    articles: Annotated[list[ChangedArticle], Meta(description="May be empty although there are more: see `before`.")]
    before: Annotated[
        str | UnsetType, Meta(description="Send it as `before` for those that follow; absent at the end.")
    ] = UNSET


class ChangedArticlesQuery(Query, kw_only=True):
    """Which articles are compared."""

    before: Annotated[
        Annotated[str, Meta(min_length=1, max_length=100)] | UnsetType,
        Meta(description="`before` of the answer that these are to follow."),
    ] = UNSET
    limit: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_COMPARED)], Meta(description="The most articles of an answer.")
    ] = 10


class SentencePatch(Body, kw_only=True):
    """A stale sentence to change."""

    position: Annotated[
        Annotated[int, Meta(ge=0, le=1_000_000)], Meta(description="Its `position` in the freshness.", examples=[0])
    ]
    text: Annotated[
        Annotated[str, Meta(max_length=MAX_SENTENCE)] | UnsetType,
        Meta(description="What to write; absent: what was proposed. Empty: leave the sentence out."),
    ] = UNSET

    def to_model(self) -> AcceptedPatch:
        return AcceptedPatch(self.position, absent_as_none(self.text))


class ArticlePatch(Body, kw_only=True):
    """The sentences to change; all others stay as they are."""

    sentences: Annotated[
        Annotated[list[SentencePatch], Meta(min_length=1, max_length=MAX_PATCHES)],
        Meta(description="Each position once."),
    ]
    publish: Annotated[
        bool,
        Meta(description="Update the posts that are out, too; else they change when the article is published again."),
    ] = False

    def to_model(self) -> list[AcceptedPatch]:
        return [patch.to_model() for patch in self.sentences]
