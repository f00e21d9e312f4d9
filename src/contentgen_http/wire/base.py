"""Base classes and helpers of wire structs.

An absent optional value is UNSET, which msgspec omits. `omit_defaults` is not used: it would also omit `false`, 0 and
empty lists.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Protocol, TypeVar

from attrs import frozen
from msgspec import UNSET, Meta, Struct, UnsetType

from contentgen_core.errors import InvalidInput
from contentgen_core.model.agent import AGENT_KEY, MAX_AGENT_KEY
from contentgen_core.model.changes import UNSET as KEPT
from contentgen_core.model.changes import UnsetType as Kept

T = TypeVar("T")


class Answer(Struct, rename="camel"):
    """Base of what the service writes."""


class Body(Struct, rename="camel", forbid_unknown_fields=True):
    """Base of what the service reads: a field that the operation does not know is refused."""


class OpenBody(Body, forbid_unknown_fields=False):
    """Base of what the service reads where other fields may come along; read by `requests.read_open_body`."""


class Query(Struct, rename="camel"):
    """Base of query parameters; read by `requests.read_query`."""


MAX_ID = 100
NOT_BLANK = r"\S"

Id = Annotated[str, Meta(min_length=1, max_length=MAX_ID)]
Moment = Annotated[datetime, Meta(tz=True)]
AgentKeyText = Annotated[str, Meta(pattern=f"^{AGENT_KEY.pattern}$", max_length=MAX_AGENT_KEY)]
Keyword = Annotated[str, Meta(min_length=1, max_length=100)]
DirectTone = Literal["professional", "casual", "educational", "journalistic"]
PlanTone = Literal[
    "professional",
    "casual",
    "expert",
    "informative",
    "persuasive",
    "educational",
    "creative",
    "technical",
    "friendly",
]


class FieldCheck(Protocol):
    """A check of the core. Raises InvalidInput naming `field`."""

    def __call__(self, value: Any, /, *, field: str) -> object: ...


@frozen
class Rule:
    """Beside the Meta of a field: what the core checks it for. The core does so for every body; a body that is refused
    for its types is checked by it as well, to name these faults with the others."""

    check: FieldCheck


class Done(Answer, kw_only=True):
    """It happened."""

    success: Annotated[bool, Meta(description="Always true: what fails answers with an Error.", examples=[True])] = True


class Switch(Body, kw_only=True):
    """Which way to switch; an absent body or field flips."""

    enabled: Annotated[
        bool | UnsetType, Meta(description="On or off; absent: the other way round.", examples=[True])
    ] = UNSET


class Switched(Answer, kw_only=True):
    """It is switched."""

    success: Annotated[bool, Meta(description="Always true: what fails answers with an Error.")] = True
    enabled: Annotated[bool, Meta(description="Whether it is on now.")]


def optional(value: T | None) -> T | UnsetType:
    """For responses: None becomes UNSET, which is omitted."""
    return UNSET if value is None else value


def absent_as_none(value: T | UnsetType) -> T | None:
    """For requests where an absent field means None."""
    return None if value is UNSET else value


def kept(value: T | UnsetType) -> T | Kept:
    """For partial changes: an absent field becomes the marker that keeps the present value."""
    return KEPT if value is UNSET else value


def utc(moment: datetime) -> datetime:
    """The same moment in UTC, so that it is encoded with `Z`."""
    return moment if moment.tzinfo is UTC else moment.astimezone(UTC)


def utc_input(field: str, moment: datetime) -> datetime:
    """A moment of a request in UTC. Raises InvalidInput, naming `field`, for one outside of the calendar in UTC."""
    try:
        return utc(moment)
    except OverflowError as exc:
        raise InvalidInput.of(field, "is outside the calendar") from exc
