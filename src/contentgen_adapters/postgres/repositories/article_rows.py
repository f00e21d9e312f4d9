"""Articles as rows of their table.

A column has the name of a flat field and is read and written as the field's type says: a field that an article gets
needs a column of its name, and nothing here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from enum import StrEnum
from functools import partial
from operator import itemgetter
from types import NoneType
from typing import Any, Final, get_args, get_origin, get_type_hints

from attrs import evolve, fields, frozen, has

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.digests import digest
from contentgen_adapters.postgres.session import Row
from contentgen_core.model.approval import Approval, ApprovalState
from contentgen_core.model.article import Article, Brief, ProviderWait
from contentgen_core.model.article_parts import OWN, PARTS, flat
from contentgen_core.model.article_summary import ArticleSummary
from contentgen_core.model.vocabulary import Processing


@frozen
class Column:
    """How a flat field is stored. `selected`: as a query names it; `read`, `write`: between what the column and the
    field have, where that is not the same; a field of None is NULL."""

    selected: str
    read: Callable[[Any], Any] | None = None
    write: Callable[[Any], Any] | None = None


def _column(name: str, kind: Any) -> Column:
    """The column of a field of this type."""
    kind = next((one for one in get_args(kind) if one is not NoneType), kind) if NoneType in get_args(kind) else kind
    if get_origin(kind) is tuple and not has(get_args(kind)[0]):
        return Column(name, tuple, list)
    if get_origin(kind) is tuple or has(kind):
        return Column(f"{name}::text", partial(loads, kind=kind), partial(dumps, kind=kind))
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        # Calling an enumeration takes five times as long as looking into a dict.
        return Column(name, {member.value: member for member in kind}.__getitem__, str)
    return Column(name)


def _all_columns() -> dict[str, Column]:
    own = get_type_hints(Article)
    columns = {name: _column(name, own[name]) for name in OWN}
    for part in PARTS.values():
        hints = get_type_hints(part.kind)
        columns |= {name: _column(name, hints[field]) for name, field in part.names.items()}
    return columns


_PROCESSING: Final = Column(
    "coalesce(processing, 'standard')",
    Processing,
    lambda processing: None if processing is Processing.STANDARD else processing.value,
)
COLUMNS: Final = {**_all_columns(), "processing": _PROCESSING}
"""By flat name."""

# What a list does without: it may be long, and is made of JSON.
_DETAILS: Final = frozenset({"plan", "sources", "grounding", "usage", "image_credit", "voice", "voice_deviations"})
_KEYS: Final = frozenset({"id", "tenant_id", "revision"})


class _Reader:
    """Makes articles of rows that have all columns but some. Where each field is found is settled once, by name: a page
    makes up to a hundred articles."""

    def __init__(self, without: frozenset[str] = frozenset()) -> None:
        self.names = [*(name for name in COLUMNS if name not in without), "has_seo", "approval_state"]
        defaults = {field.name: field.default for field in (*fields(Article), *fields(Brief)) if field.name in without}
        self._defaults = tuple(defaults.values())
        at = {name: place for place, name in enumerate((*self.names, *defaults, *PARTS))}
        self._reads = [
            (at[name], column.read) for name, column in COLUMNS.items() if column.read and name in self.names
        ]
        self._parts = [(part.kind, at[part.sign], itemgetter(*map(at.get, part.names))) for part in PARTS.values()]
        self._fields_of = itemgetter(*(at[field.name] for field in fields(Article)))

    def article(self, row: Row) -> Article:
        values: list[Any] = [*row, *self._defaults]
        for place, read in self._reads:
            if (value := values[place]) is not None:
                values[place] = read(value)
        for kind, sign, fields_of in self._parts:
            has_it = values[sign] is not None and values[sign] is not False
            values.append(kind(*fields_of(values)) if has_it else None)
        return Article(*self._fields_of(values))


_LIST: Final = _Reader(_DETAILS)
_WHOLE: Final = _Reader()


def _selected(names: Iterable[str]) -> str:
    return ", ".join(COLUMNS[name].selected if name in COLUMNS else name for name in names)


LIST_COLUMNS: Final = _selected(_LIST.names)
WHOLE_COLUMNS: Final = _selected(_WHOLE.names)
SUMMARY_COLUMNS: Final = _selected((*ArticleSummary._fields, "approval_state"))


def article_summary(row: Row) -> ArticleSummary:
    """From SUMMARY_COLUMNS."""
    summary = ArticleSummary._make(row[:-1])
    if summary.approval is not None:
        approval: Approval = loads(summary.approval, Approval)  # type: ignore[arg-type]  # a text
        summary = summary._replace(approval=_present(approval, row[-1], summary.updated_at))
    waiting = summary.waiting
    return summary if waiting is None else summary._replace(waiting=loads(waiting, ProviderWait))  # type: ignore[arg-type]


def list_article(row: Row) -> Article:
    """From LIST_COLUMNS: an article without its plan, sources, grounding, usage, image credit and voice."""
    article = _LIST.article(row)
    if article.approval is None:
        return article
    return evolve(article, approval=_present(article.approval, row[-1], article.updated_at))


def _present(approval: Approval, state: str, changed_at: datetime) -> Approval:
    """What holds of an article that is read without its sources, which its approval is of, too: what held when it was
    stored."""
    if approval.state is ApprovalState.APPROVED and state != ApprovalState.APPROVED:
        return approval.lapsed(changed_at)
    return evolve(approval, reader_hash=None)


def whole_article(row: Row) -> Article:
    """From WHOLE_COLUMNS."""
    return _WHOLE.article(row)


def columns(article: Article) -> dict[str, Any]:
    """The columns that can change, by name, but for `revision` and `words`."""
    values = flat(article)
    free = article.is_free_generation and article.free_topic is not None
    stored = {name: _written(column, values[name]) for name, column in COLUMNS.items() if name not in _KEYS}
    return stored | {
        "has_seo": values["has_seo"],
        "topic_digest": digest(article.topic_key),
        "free_topic_digest": digest(article.free_topic or "") if free else None,
        "approval_state": article.approval_state.value,
    }


def _written(column: Column, value: Any) -> Any:
    return value if value is None or column.write is None else column.write(value)
