"""Conflicts of a knowledge base on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import conflict as model
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.conflict import ConflictKind, ConflictState, Decision, SideName
from contentgen_core.model.knowledge import Origin
from contentgen_core.ports.repositories.articles import ArticleTitle
from contentgen_core.use_cases.conflicts.manage_conflicts import MAX_CONFLICTS, ConflictPage, ShownConflict
from contentgen_http.wire.base import Answer, AnswerOf, Body, Id, Query, absent_as_none


class ConflictArticle(AnswerOf[ArticleTitle], kw_only=True):
    """An article that rests on a sentence."""

    id: Annotated[str, Meta(description="Id of the article.")]
    title: Annotated[str, Meta(description="Its title.")]
    status: Annotated[ArticleStatus, Meta(description="Its state.")]


class ConflictSide(Answer, kw_only=True):
    """A sentence with its document."""

    sentence: Annotated[
        str, Meta(description="The sentence.", examples=["The grant pays 4,000 pounds for each heat pump."])
    ]
    value: Annotated[
        str,
        Meta(
            description="The words of it that differ; empty where only the other sentence has a word.",
            examples=["4,000 pounds"],
        ),
    ]
    parent_id: Annotated[str, Meta(description="Id of the KB document.")]
    chunk_index: Annotated[int, Meta(description="Place of the passage in its document, from 0.")]
    start: Annotated[int, Meta(description="First character of the sentence in the passage.")]
    end: Annotated[int, Meta(description="The character after its last.")]
    title: Annotated[str, Meta(description="Title of the document.")]
    origin: Annotated[Origin, Meta(description="How it came in: import, web, ai, document.")]
    dated: Annotated[
        date,
        Meta(description="When it was said: its document's date, else when that came in, was fetched or last changed."),
    ]
    independent: Annotated[
        int,
        Meta(
            description="How many independent documents say this, its own among them. Pages of one site and copies "
            "count once, what a model made not at all."
        ),
    ]
    articles: Annotated[
        list[ConflictArticle],
        Meta(description="Articles that rest on it: of the newest thousand of the niche, 20 at most, newest first."),
    ]
    url: Annotated[str | UnsetType, Meta(description="Address of the document.")] = UNSET
    published: Annotated[date | UnsetType, Meta(description="The date that the document states.")] = UNSET

    @classmethod
    def of(cls, side: model.Side, citing: Sequence[ArticleTitle]) -> ConflictSide:
        return cls.copy_from(
            side,
            value=side.value.of(side.sentence),
            parent_id=side.source.document_id,
            chunk_index=side.source.chunk_index,
            start=side.span.start,
            end=side.span.end,
            articles=citing,
        )


class KbConflict(AnswerOf[ShownConflict], kw_only=True):
    """Two sentences of a knowledge base that cannot both be true."""

    id: Annotated[str, Meta(description="Id of the conflict.")]
    kind: Annotated[
        ConflictKind,
        Meta(description="What differs: a figure with its unit, a date, a name, a negation, or the contrary is said."),
    ]
    state: Annotated[
        ConflictState,
        Meta(description="open (waits for a decision), decided, or outdated (a sentence is no longer there)."),
    ]
    one: Annotated[ConflictSide, Meta(description="One side.")]
    other: Annotated[ConflictSide, Meta(description="The other side.")]
    found_at: Annotated[datetime, Meta(description="When it was found.")]
    newer: Annotated[SideName | UnsetType, Meta(description="The side that was said later; absent: on one day.")] = (
        UNSET
    )
    more_independent: Annotated[
        SideName | UnsetType,
        Meta(description="The side that more independent documents say; absent: as many say the other."),
    ] = UNSET
    decision: Annotated[Decision | UnsetType, Meta(description="What was decided.")] = UNSET
    prefer: Annotated[SideName | UnsetType, Meta(description="The side that was preferred.")] = UNSET
    decided_at: Annotated[datetime | UnsetType, Meta(description="When it was decided.")] = UNSET
    decided_by: Annotated[str | UnsetType, Meta(description="Id of the user who decided.")] = UNSET
    outdated_at: Annotated[datetime | UnsetType, Meta(description="When it was found to be outdated.")] = UNSET

    @classmethod
    def of(cls, shown: ShownConflict) -> KbConflict:
        conflict = shown.conflict
        return cls.copy_from(
            conflict,
            one=ConflictSide.of(conflict.one, shown.citing[SideName.ONE]),
            other=ConflictSide.of(conflict.other, shown.citing[SideName.OTHER]),
            prefer=conflict.preferred,
        )


class ConflictReport(AnswerOf[model.ConflictReport], kw_only=True):
    """What a search for conflicts did."""

    started_at: Annotated[datetime, Meta(description="When it began.")]
    documents: Annotated[int, Meta(description="Documents that were new or had changed.")]
    passages: Annotated[int, Meta(description="Passages of them that were compared.")]
    compared: Annotated[int, Meta(description="Pairs of passages that were near each other.")]
    found: Annotated[int, Meta(description="New conflicts.")]
    outdated: Annotated[int, Meta(description="Conflicts that ended, since a sentence is no longer there.")]
    waiting: Annotated[int, Meta(description="Passages whose vectors are not there yet; they are compared later.")]
    finished_at: Annotated[datetime | UnsetType, Meta(description="When it ended; absent while it is at work.")] = UNSET
    error: Annotated[str | UnsetType, Meta(description="Why it ended early.")] = UNSET


class ConflictSearch(AnswerOf[model.ConflictSearch], kw_only=True):
    """The search for conflicts in a knowledge base."""

    running: Annotated[bool, Meta(description="Whether it is at work or waits for a worker.")]
    last: Annotated[ConflictReport | UnsetType, Meta(description="What it has done so far, or the last one did.")] = (
        UNSET
    )

    @classmethod
    def of(cls, search: model.ConflictSearch) -> ConflictSearch:
        return cls.copy_from(search, running=search.job_id is not None)


class ConflictList(AnswerOf[ConflictPage], kw_only=True):
    """Conflicts of a knowledge base, newest first."""

    conflicts: Annotated[list[KbConflict], Meta(description="As many as were asked for at most.")]
    counts: Annotated[
        dict[str, int], Meta(description="How many there are in each state.", examples=[{"open": 4, "decided": 11}])
    ]
    search: Annotated[
        ConflictSearch | UnsetType, Meta(description="Absent before the knowledge base was first searched.")
    ] = UNSET

    @classmethod
    def of(cls, page: ConflictPage) -> ConflictList:
        return cls.copy_from(page, counts={state.value: count for state, count in sorted((page.counts or {}).items())})


class ConflictQuery(Query, kw_only=True):
    """Which conflicts are listed."""

    state: Annotated[ConflictState | UnsetType, Meta(description="Only those in this state.")] = UNSET
    before: Annotated[Id | UnsetType, Meta(description="Only older ones than the one with this id.")] = UNSET
    limit: Annotated[Annotated[int, Meta(ge=1, le=MAX_CONFLICTS)], Meta(description="The most of an answer.")] = 20


class ConflictDecision(Body, kw_only=True):
    """What holds from now on."""

    decision: Annotated[
        Decision,
        Meta(
            description="prefer (articles are written from one side, and no longer from the other), both (each holds "
            "where it applies), or dismiss (it is no conflict)."
        ),
    ]
    prefer: Annotated[SideName | UnsetType, Meta(description="With prefer, and only then: the side that holds.")] = (
        UNSET
    )

    def preferred(self) -> SideName | None:
        return absent_as_none(self.prefer)
