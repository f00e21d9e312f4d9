"""What PostgreSQL's errors mean to the domain: by SQLSTATE and constraint, never by their text.

An error that is in neither table is a fault of ours (a misspelt column, a broken invariant) and stays what it is."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Final

import psycopg

from contentgen_adapters.shared.aggregates import STORED
from contentgen_core.errors import (
    AlreadyExists,
    ContentgenError,
    DuplicateFreeArticle,
    InvalidInput,
    NotFound,
    TopicAlreadyGenerating,
    Unavailable,
)
from contentgen_core.policies.text.storable import is_storable


def _taken(message: str) -> Callable[[], ContentgenError]:
    return lambda: AlreadyExists(message)


CONSTRAINTS: Final[dict[str, Callable[[], ContentgenError]]] = {
    "articles_topic_generating": TopicAlreadyGenerating,
    "articles_free_topic": DuplicateFreeArticle,
    "free_links_pkey": _taken("A free article was made from this link already."),
    "kb_documents_live_source": _taken("A document with this source key exists already in this scope."),
    "niches_key_unique": _taken("There is a niche with this key already."),
    "article_links_targets": _taken("The article has a link to this one already."),
    "conflict_searches_of_niche": _taken("This niche has a search for conflicts already."),
    "agents_key_unique": _taken("There is an agent with this key already."),
    "api_keys_digest_unique": _taken("There is such an API key already."),
    "private_documents_content": _taken("The tenant has this document already."),
    "private_documents_address": _taken("The tenant has this document already."),
    "topic_coverages_of_area": _taken("There is a topic coverage of this area already."),
    "publications_of_article": _taken("The article has a publication for this integration already."),
    "invitations_address": _taken("There is an invitation for this address already."),
    "reviews_of_user": _taken("You have written a review already. Change that one."),
    "niche_requests_name_unique": _taken("There is a request of this name already."),
    "signing_keys_present": _taken("There is a present signing key already."),
    "index_now_sites_of_host": _taken("There is a site of this host already."),
    "batched_parts_once": _taken("This part of the article is asked for already."),
}

_NAMED: Final = {
    "demand_id": "search demand",
    "endpoint_id": "webhook",
    "key_id": "API key",
    "made_article_id": "article",
    "search_id": "search for conflicts",
    "slug": "trend",
    "target_id": "article",
}
"""What callers call a row that a column names, where the column's name does not say it."""
_OURS: Final = frozenset({"scope_id", "document_id", "document_id_chunk_index"})
"""Columns that this adapter alone fills in: a row that is missing there is a fault of ours."""

_AWAY = ("The database cannot be reached.", 2.0)
_STARTING = ("The database is starting or stopping.", 2.0)
_BROKEN_DISK = ("The database cannot read or write its files.", 60.0)
_REFUSED = ("The database refuses the configured user or database.", 30.0)
_UNMIGRATED = ("The database's tables are not those of this version. Run `contentgen migrate`.", 30.0)

# SQLSTATE, or its class of two characters: the message and when to try again, in seconds.
STATES: Final[dict[str, tuple[str, float]]] = {
    "08": _AWAY,
    "57P01": _AWAY,
    "57P02": _AWAY,
    "57P03": _STARTING,
    "57P04": _REFUSED,
    "57P05": _AWAY,
    "28": _REFUSED,
    "3D": _REFUSED,
    "3F": _UNMIGRATED,
    "42P01": _UNMIGRATED,
    "42703": _UNMIGRATED,
    "42501": ("The database user may not do this: it needs to own contentgen's tables.", 30.0),
    "25006": ("The database is read-only: a standby, or set so by its operator.", 30.0),
    "25P03": ("The transaction was open for too long.", 2.0),
    "25P04": ("The transaction was open for too long.", 2.0),
    "40001": ("Somebody else changed the same rows at the same moment.", 0.5),
    "40P01": ("Somebody else changed the same rows at the same moment.", 0.5),
    "53100": ("The database's disk is full.", 60.0),
    "53200": ("The database is out of memory.", 10.0),
    "53300": ("The database has no connection left: raise its max_connections, or lower the pools.", 5.0),
    "53": ("The database is out of resources.", 10.0),
    "55P03": ("The database is busy with the same rows.", 2.0),
    "57014": ("The database took too long to answer.", 5.0),
    "58": _BROKEN_DISK,
    "XX001": _BROKEN_DISK,
    "XX002": _BROKEN_DISK,
}

# What a value may be to blame for: out of a column's range, too long for an index, not text at all.
_BAD_VALUES: Final = frozenset({"22001", "22003", "22008", "22021", "22P02", "22P05", "54000"})
_NO_TEXT: Final = "text must not contain NUL characters or halves of surrogate pairs"


def core_error(exc: BaseException) -> ContentgenError | None:
    """The domain's error for one of the driver's; None for what is a fault of our own."""
    if isinstance(exc, UnicodeEncodeError):
        return InvalidInput(detail=_NO_TEXT)
    if isinstance(exc, TimeoutError):
        return Unavailable(*STATES["57014"])
    if not isinstance(exc, psycopg.Error):
        return None
    if exc.sqlstate is None:
        return _without_state(exc)
    for unique in (unique for aggregate, _ in STORED.values() for unique in aggregate.unique):
        if unique.constraint == exc.diag.constraint_name:
            return unique.error()
    if exc.diag.constraint_name in CONSTRAINTS:
        return CONSTRAINTS[exc.diag.constraint_name]()
    if isinstance(exc, psycopg.errors.ForeignKeyViolation):
        return missing(exc.diag.table_name or "", exc.diag.constraint_name or "")
    if isinstance(exc, psycopg.errors.UniqueViolation):
        return AlreadyExists("This exists already.")
    if exc.sqlstate in _BAD_VALUES:
        return InvalidInput(detail="a value is too large, too long or not valid text")
    state = STATES.get(exc.sqlstate) or STATES.get(exc.sqlstate[:2])
    return None if state is None else Unavailable(state[0], retry_after=state[1])


def missing(table: str, constraint: str) -> ContentgenError | None:
    """The error for a row that another one names, from the name that PostgreSQL gives a foreign key,
    `<table>_<column>_fkey`; None for one that no caller can miss."""
    column = constraint.removeprefix(f"{table}_").removesuffix("_fkey")
    if column in _OURS:
        return None
    return NotFound(_NAMED.get(column, column.removesuffix("_id").replace("_", " ")), "named here")


def away(*, starting: bool = False) -> Unavailable:
    message, retry_after = _STARTING if starting else _AWAY
    return Unavailable(message, retry_after=retry_after)


def _without_state(exc: psycopg.Error) -> ContentgenError | None:
    """Errors of the driver itself: a value it cannot send, a connection that broke or was never made."""
    if isinstance(exc, psycopg.DataError):
        return InvalidInput(detail=_NO_TEXT)
    if isinstance(exc, psycopg.OperationalError | psycopg.InterfaceError):
        return away()
    return None


class Translation:
    """`with translation:` raises the domain's error from the driver's, and remembers the last one."""

    __slots__ = ("last",)

    def __init__(self) -> None:
        self.last: ContentgenError | None = None

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if exc is None:
            return
        error = core_error(exc)
        if error is not None:
            self.last = error
            raise error from exc


def findable(text: str) -> str | None:
    """A caller's key as a parameter of a search: None, which equals nothing, when no row can hold it."""
    return text if is_storable(text) else None
