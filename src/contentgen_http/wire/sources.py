"""Synced sources on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import synced_source as model
from contentgen_core.model.ids import SyncedSourceId
from contentgen_core.model.synced_source import (
    MAX_GRACE_DAYS,
    MAX_HOURS,
    MAX_NAME,
    MAX_PLACE,
    ItemState,
    SkipReason,
    SourceKind,
    SyncOutcome,
)
from contentgen_core.model.tenant import Caller
from contentgen_core.use_cases.synced_sources.manage_sources import MAX_ITEMS_SHOWN, ChangedSource
from contentgen_core.use_cases.synced_sources.manage_sources import NewSource as Command
from contentgen_http.wire.base import NOT_BLANK, Answer, AnswerOf, Body, Id, Query, kept
from contentgen_http.wire.integrations import SettingField

Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME, pattern=NOT_BLANK)]
Place = Annotated[str, Meta(min_length=1, max_length=MAX_PLACE, pattern=NOT_BLANK)]
Hours = Annotated[int, Meta(ge=1, le=MAX_HOURS)]
GraceDays = Annotated[int, Meta(ge=0, le=MAX_GRACE_DAYS)]
PLACE_DESCRIPTION = (
    "folder: the absolute path of a folder on the server, below one that its operator allows. pages: addresses of web "
    "pages, one a line. sitemap: the address of a site or of its sitemap. feed: the address of an RSS or Atom feed, "
    "whose entries' pages stay when it lists newer ones. Of the others see `GET /sources/kinds`."
)


class Kind(AnswerOf[model.SourceKindInfo], kw_only=True):
    """A kind of source."""

    kind: Annotated[SourceKind, Meta(description="What to send as `kind`.")]
    name: Annotated[str, Meta(description="Its name.")]
    place: Annotated[str, Meta(description="What to send as `place`.")]
    fields: Annotated[list[SettingField], Meta(description="What to send in `settings`.")]
    unverified: Annotated[list[str], Meta(description="What could not be tried on the real service yet.")]


class KindList(Answer, kw_only=True):
    """The kinds of sources that can be followed here."""

    kinds: Annotated[list[Kind], Meta(description="Each with what it needs.")]


class Skipped(Answer, kw_only=True):
    """An item that is not in the knowledge base."""

    key: Annotated[str, Meta(description="Its name in the source: a path, an address.")]
    reason: Annotated[SkipReason, Meta(description="Why.")]


class SyncReport(AnswerOf[model.SyncReport], kw_only=True):
    """What a sync found. Nothing is left out without being counted."""

    started_at: Annotated[datetime, Meta(description="When it began.")]
    finished_at: Annotated[datetime, Meta(description="When it ended.")]
    outcome: Annotated[
        SyncOutcome,
        Meta(
            description="done; partial (there was more to read than one sync reads: the next one, in five minutes, "
            "goes on); cut (more items than are followed); doubtful (so few of the known items are there "
            "that none is taken for gone, or pages show an error page, or all at once the same: all stays as it was "
            "until that ends, or `POST /sources/{id}/accept` takes it over); failed (see "
            "`error`)."
        ),
    ]
    listed: Annotated[int, Meta(description="Items that the source listed.")]
    read: Annotated[int, Meta(description="Items that were read; the others are known to be as they were.")]
    added: Annotated[int, Meta(description="Items that are new in the knowledge base.")]
    changed: Annotated[int, Meta(description="Items whose text or title changed.")]
    unchanged: Annotated[int, Meta(description="Items as they were.")]
    missing: Annotated[
        int, Meta(description="Items that are no longer listed and wait for the end of the grace period.")
    ]
    removed: Annotated[int, Meta(description="Items that were removed from the knowledge base.")]
    skipped: Annotated[
        dict[SkipReason, int], Meta(description="Items that could not be taken over as they are now, by reason.")
    ]
    examples: Annotated[list[Skipped], Meta(description="Some of these, by key.")]
    error: Annotated[str | UnsetType, Meta(description="What a person should know.")] = UNSET

    @classmethod
    def of(cls, report: model.SyncReport) -> SyncReport:
        return cls.copy_from(report, examples=[Skipped(key=key, reason=reason) for key, reason in report.examples])


class Source(AnswerOf[model.SyncedSource], kw_only=True):
    """A source that the knowledge base of a niche follows."""

    id: Annotated[str, Meta(description="Its id.")]
    name: Annotated[str, Meta(description="Its name.")]
    kind: Annotated[SourceKind, Meta(description="What it is.")]
    place: Annotated[str, Meta(description=PLACE_DESCRIPTION)]
    niche_key: Annotated[str, Meta(description="Key of the niche.")]
    settings: Annotated[dict[str, Any], Meta(description="What its kind needs, without the secrets.")]
    secrets_set: Annotated[list[str], Meta(description="The secret settings that are stored; they are never shown.")]
    every_hours: Annotated[int, Meta(description="Hours between two syncs.")]
    grace_days: Annotated[int, Meta(description="Days for which an item stays that is no longer listed.")]
    paused: Annotated[bool, Meta(description="Whether no sync begins by itself.")]
    syncing: Annotated[bool, Meta(description="Whether a sync is under way.")]
    next_sync_at: Annotated[datetime | UnsetType, Meta(description="When the next one begins.")] = UNSET
    last_sync: Annotated[SyncReport | UnsetType, Meta(description="What the last one found.")] = UNSET
    created_at: Annotated[datetime, Meta(description="When it was created.")]

    @classmethod
    def of(cls, source: model.SyncedSource) -> Source:
        return cls.copy_from(
            source,
            secrets_set=source.secret_fields,
            syncing=source.job_id is not None,
            next_sync_at=UNSET if source.paused else source.next_sync_at,
            last_sync=source.last,
        )


class SourceList(Answer, kw_only=True):
    """The tenant's sources."""

    sources: Annotated[list[Source], Meta(description="In the order of their creation.")]


class NewSource(Body, kw_only=True):
    """A source to follow."""

    kind: Annotated[SourceKind, Meta(description="What it is.", examples=["pages"])]
    name: Annotated[Name, Meta(description="A name for it.", examples=["Rules of the county"])]
    place: Annotated[Place, Meta(description=PLACE_DESCRIPTION, examples=["https://www.example.org/rules"])]
    niche_key: Annotated[Id, Meta(description="A niche of yours, by its key or id.", examples=["home-energy"])]
    settings: Annotated[dict[str, Any], Meta(description="What the kind needs, see `GET /sources/kinds`.")] = (
        msgspec.field(default_factory=dict)
    )
    every_hours: Annotated[Hours, Meta(description="Hours between two syncs.")] = 24
    grace_days: Annotated[
        GraceDays, Meta(description="Days for which an item stays that is no longer listed; 0: it goes at once.")
    ] = 7

    def to_command(self, caller: Caller) -> Command:
        return Command(
            caller,
            self.niche_key,
            self.kind,
            self.name,
            self.place,
            self.every_hours,
            self.grace_days,
            self.settings,
        )


class SourceChanges(Body, kw_only=True):
    """Fields that are absent stay as they are."""

    name: Annotated[Name | UnsetType, Meta(description="A name for it.")] = UNSET
    place: Annotated[Place | UnsetType, Meta(description=PLACE_DESCRIPTION)] = UNSET
    every_hours: Annotated[Hours | UnsetType, Meta(description="Hours between two syncs.")] = UNSET
    grace_days: Annotated[GraceDays | UnsetType, Meta(description="Days for which a missing item stays.")] = UNSET
    paused: Annotated[bool | UnsetType, Meta(description="Whether no sync begins by itself.")] = UNSET
    settings: Annotated[
        dict[str, Any] | UnsetType,
        Meta(
            description="Those that change; null clears one. Where the place or an address changes, secrets have to be "
            "sent again."
        ),
    ] = UNSET

    def to_command(self, caller: Caller, source_id: SyncedSourceId) -> ChangedSource:
        return ChangedSource(
            caller,
            source_id,
            name=kept(self.name),
            place=kept(self.place),
            every_hours=kept(self.every_hours),
            grace_days=kept(self.grace_days),
            paused=kept(self.paused),
            settings=kept(self.settings),
        )


class Item(AnswerOf[model.SyncedItem], kw_only=True):
    """An item of a source."""

    key: Annotated[str, Meta(description="Its name in the source: a path, an address.")]
    state: Annotated[ItemState, Meta(description="stored; skipped (not as it is now); missing (no longer listed).")]
    title: Annotated[str | UnsetType, Meta(description="Its title, where it was read.")] = UNSET
    document_id: Annotated[str | UnsetType, Meta(description="Id of its document in the knowledge base.")] = UNSET
    changed_at: Annotated[datetime | UnsetType, Meta(description="When its text last changed.")] = UNSET
    missing_since: Annotated[datetime | UnsetType, Meta(description="Since when it is not listed.")] = UNSET
    reason: Annotated[SkipReason | UnsetType, Meta(description="Why it was skipped.")] = UNSET

    @classmethod
    def of(cls, item: model.SyncedItem) -> Item:
        return cls.copy_from(item, reason=item.skipped)


class ItemList(Answer, kw_only=True):
    """Items of a source, by their keys."""

    items: Annotated[list[Item], Meta(description="In the order of their keys.")]
    after: Annotated[
        str | UnsetType, Meta(description="Send it as `after` for those that follow; absent at the end.")
    ] = UNSET


class ItemQuery(Query, kw_only=True):
    """Which items are listed."""

    state: Annotated[ItemState | UnsetType, Meta(description="Only those in this state.")] = UNSET
    after: Annotated[
        Annotated[str, Meta(min_length=1, max_length=model.MAX_KEY)] | UnsetType,
        Meta(description="`after` of the answer that these are to follow."),
    ] = UNSET
    limit: Annotated[int, Meta(ge=1, le=MAX_ITEMS_SHOWN, description="How many at most.")] = 50
