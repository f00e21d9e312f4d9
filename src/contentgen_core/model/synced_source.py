"""Sources that a tenant's knowledge base follows: a folder, pages of the web, documents of a service."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from attrs import field, frozen

from contentgen_core.model.ids import DocumentId, JobId, SyncedSourceId, TenantId
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.publishing_target import SettingField

MAX_NAME: Final = 200
MAX_PLACE: Final = 20_000
"""Characters of a folder's path, or of a list of addresses."""
MAX_KEY: Final = 600
"""Characters of an item's name: a row of an index holds no longer one of any script."""
MAX_ITEMS: Final = 20_000
MAX_EXAMPLES: Final = 20
"""Skipped items that a report names."""
MAX_HOURS: Final = 720
MAX_GRACE_DAYS: Final = 90
FEWEST_TO_DOUBT: Final = 4
DOUBTFUL_SHARE: Final = 0.5
"""Less than this share of the items that were there, of at least FEWEST_TO_DOUBT, is doubtful."""


class SourceKind(StrEnum):
    """sitemap: a site's pages, as its sitemap names them; feed: the pages of its entries, of which it lists the newest
    alone."""

    FOLDER = "folder"
    PAGES = "pages"
    SITEMAP = "sitemap"
    FEED = "feed"
    S3 = "s3"
    GIT = "git"
    NOTION = "notion"
    GOOGLE_DRIVE = "googleDrive"
    CONFLUENCE = "confluence"

    @property
    def lists_all(self) -> bool:
        """Whether what is not listed any more is gone."""
        return self is not SourceKind.FEED


@frozen
class SourceKindInfo:
    """The declaration of a kind. `place`: what a source's place is, in words for a person; `fields`: of its settings;
    `unverified`: what was not tried on the real service."""

    kind: SourceKind
    name: str
    place: str
    fields: tuple[SettingField, ...] = ()
    unverified: tuple[str, ...] = ()


class SkipReason(StrEnum):
    """Why an item is not in the knowledge base as it is now. titleOnly: it says no more than its title; scan: a PDF of
    pictures of pages; gluedWords: its words stand together, since the file has no spaces; duplicate: its text is there
    already, under another key; gone: it is listed, and not there; waiting: the sync had read as much as one may, and
    the next one reads it; notFollowed: it is no item of the source (`LeftOut`); doubtful: it shows an error page, or
    what other pages show all at once as well, or it is gone with most of its site."""

    EMPTY = "empty"
    TITLE_ONLY = "titleOnly"
    SCAN = "scan"
    GLUED_WORDS = "gluedWords"
    UNSUPPORTED = "unsupported"
    TOO_LARGE = "tooLarge"
    UNREADABLE = "unreadable"
    REFUSED = "refused"
    DUPLICATE = "duplicate"
    GONE = "gone"
    WAITING = "waiting"
    NOT_FOLLOWED = "notFollowed"
    DOUBTFUL = "doubtful"


class SyncOutcome(StrEnum):
    """partial: there was more to read than one sync reads, and another one goes on soon; cut: the source has more items
    than are followed; doubtful: so few of the known items are there that nothing is taken for gone, or pages show all
    at once what no page shows; all stays as it was until that ends or a person accepts it; failed: the source could not
    be listed."""

    DONE = "done"
    PARTIAL = "partial"
    CUT = "cut"
    DOUBTFUL = "doubtful"
    FAILED = "failed"


class ItemState(StrEnum):
    """skipped: not in the knowledge base as it is now; what it said before stays where its document is. missing: no
    longer listed, removed after the grace period."""

    STORED = "stored"
    SKIPPED = "skipped"
    MISSING = "missing"


@frozen
class ListedItem:
    """An item as its source lists it. `key`: its name there, for good; `fingerprint`: while it is the same, so is the
    item; None: only reading tells; `title`: where its source lists one."""

    key: str
    fingerprint: str | None
    title: str | None = None


@frozen
class LeftOut:
    """Names listed by a source that are not items of it: a page of another host, a link out of a folder, a hidden file,
    a name that is too long. `example`: one of `count` such names."""

    example: str
    count: int = 1


@frozen
class SyncedItem:
    """What is known of an item. `fingerprint`: as listed when it was read; `version`: of the text that its document
    has, as the source names it; `content_hash`: of its title and text. Times are starts of syncs: `seen_at`, of the
    last that found it; `read_at`, of the last that read it; `added_at` and `changed_at`, of those that first stored
    it, and last changed it; `missing_since`, of the first that did not find it."""

    source_id: SyncedSourceId
    key: str
    seen_at: datetime
    fingerprint: str | None = None
    title: str | None = None
    document_id: DocumentId | None = None
    content_hash: str | None = None
    added_at: datetime | None = None
    changed_at: datetime | None = None
    missing_since: datetime | None = None
    skipped: SkipReason | None = None
    version: str | None = None
    read_at: datetime | None = None

    @property
    def was_gone(self) -> bool:
        """Whether it was not there when it was last read, though it was listed."""
        return self.read_at is not None and self.seen_at < self.read_at

    @property
    def state(self) -> ItemState:
        if self.missing_since is not None:
            return ItemState.MISSING
        return ItemState.STORED if self.skipped is None else ItemState.SKIPPED


@frozen
class ItemCounts:
    """The items of a source: `held`, those that have a document and are not missing; `missing`; `skipped` by reason, of
    those that were seen since a moment; `added`, `changed`, `read`: since then; `known`: all."""

    held: int
    missing: int
    skipped: dict[SkipReason, int]
    added: int
    changed: int
    read: int
    known: int


@frozen
class SyncReport:
    """The result of a sync. `listed`: items, and what was left out; `read`: how many were read, the others being known
    to be unchanged; `unchanged`: those, read or not; `missing`: all that are not listed now; `removed`: items whose
    grace period ended; `examples`: of skipped items, by key."""

    started_at: datetime
    finished_at: datetime
    outcome: SyncOutcome
    listed: int = 0
    read: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    missing: int = 0
    removed: int = 0
    skipped: dict[SkipReason, int] = field(factory=dict)
    examples: tuple[tuple[str, SkipReason], ...] = ()
    error: str | None = None


@frozen
class SyncedSource:
    """`place`: the folder's path, one address a line, or what else its kind declares. `settings`: as declared, but for
    the secret ones, which are encrypted together in `sealed` (`ports.sealing`); `secret_fields`: the names of those
    that are set. `every_hours`: between two syncs; `grace_days`: how long an item that is no longer listed stays.
    `started_at`: of the sync under way, with `removed` so far; `job_id`: its job. `round_at`: the start of the first of
    several syncs that read it together. `failures`: syncs that failed since one that did not. `accepts`: a person has
    said that the next sync is to take what it finds, however doubtful."""

    id: SyncedSourceId
    tenant_id: TenantId
    niche_key: str
    kind: SourceKind
    name: str
    place: str
    created_at: datetime
    updated_at: datetime
    settings: Mapping[str, Any] = field(factory=dict)
    sealed: str = field(default="", repr=False)
    secret_fields: tuple[str, ...] = ()
    every_hours: int = 24
    grace_days: int = 7
    paused: bool = False
    next_sync_at: datetime | None = None
    job_id: JobId | None = None
    started_at: datetime | None = None
    removed: int = 0
    round_at: datetime | None = None
    failures: int = 0
    accepts: bool = False
    last: SyncReport | None = None
    revision: int = 1

    @property
    def scope(self) -> KbScope:
        return KbScope(self.niche_key, self.tenant_id)

    @property
    def grace(self) -> timedelta:
        return timedelta(days=self.grace_days)

    def source_key(self, key: str) -> str:
        """The key of an item's document in the knowledge base, of which two sources never share one."""
        return f"source:{self.id}/{key}"
