"""Base classes and helpers of wire structs.

An absent optional value is UNSET, which msgspec omits. `omit_defaults` is not used: it would also omit `false`, 0 and
empty lists.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Generic, Literal, Protocol, Self, TypeVar, Union, get_args, get_origin

from attrs import frozen
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from contentgen_core.errors import InvalidInput
from contentgen_core.model.agent import AGENT_KEY, MAX_AGENT_KEY
from contentgen_core.model.changes import UNSET as KEPT
from contentgen_core.model.changes import UnsetType as Kept

T = TypeVar("T")
Value = TypeVar("Value")


class Answer(Struct, rename="camel"):
    """Base of what the service writes."""

    @classmethod
    def copy_from(cls, value: object, /, **given: Any) -> Self:
        """Return an answer whose fields are the value's attributes of the same name, or what is given in their place.

        Each is converted to the type of its field: None to UNSET where the field may be absent, moments to UTC, tuples
        to lists, and what an AnswerOf is made from to that. UNSET and answers stay as they are. A field with a default
        other than UNSET keeps it where the value has no such attribute. Raises TypeError for a field that is neither
        an attribute nor given."""
        key = (cls, *given) if given else cls
        construct = _CONSTRUCTORS.get(key)
        if construct is None:
            construct = _CONSTRUCTORS[key] = _compile_constructor(cls, value, given)
        answer: Self = construct(value, **given)
        return answer


class AnswerOf(Answer, Generic[Value]):
    """Base of an answer that is made from one value. Override `of` where fields differ from the value's attributes."""

    @classmethod
    def of(cls, value: Value, /) -> Self:
        """Return the answer that shows the value."""
        construct = _CONSTRUCTORS.get(cls)
        return cls.copy_from(value) if construct is None else construct(value)


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


_CONSTRUCTORS: Final[dict[object, Callable[..., Any]]] = {}
"""By the type of answer, or by it and the names of what is given."""


def _compile_constructor(answer: type[Answer], value: object, given: dict[str, Any]) -> Callable[..., Any]:
    """Return the function that copies objects like `value` to an answer. It is compiled once for each set of given
    fields, as attrs compiles `__init__`, so that copying costs no more than an assignment a field."""
    fields = {field.name: field for field in structs.fields(answer)}
    if unknown := given.keys() - fields.keys():
        raise TypeError(f"{answer.__name__} has no field {', '.join(sorted(unknown))}")
    names: dict[str, Any] = {"_answer": answer, "_UNSET": UNSET, "_utc": utc}
    arguments = []
    for name, field in fields.items():
        if name not in given and not hasattr(value, name):
            if field.default is UNSET or field.required:
                raise TypeError(f"{answer.__name__}.{name}: {type(value).__name__} has no such attribute; give it")
            continue
        try:
            arguments.append(f"{name}={_expression(field.type, name, name in given, names)}")
        except TypeError as exc:
            raise TypeError(f"{answer.__name__}.{name}: {exc}") from None
    parameters = ", ".join(["_value", *given])
    exec(f"def construct({parameters}): return _answer({', '.join(arguments)})", names)  # noqa: S102 - names of fields
    construct: Callable[..., Any] = names["construct"]
    return construct


def _expression(type_: Any, name: str, given: bool, names: dict[str, Any]) -> str:
    """Return the code that converts the given value, or the attribute, to a field of the type."""
    type_, source = _without_metadata(type_), name if given else f"_value.{name}"
    if get_origin(type_) not in (Union, types.UnionType):
        return _conversion(type_, source, given, names)
    members = [_without_metadata(member) for member in get_args(type_)]
    conversions = {_conversion(m, "_x", given, names) for m in members if m not in (UnsetType, type(None))}
    if len(conversions) > 1:
        raise TypeError(f"there is more than one conversion to {type_}")
    conversion = conversions.pop()
    if UnsetType in members:
        present = conversion if conversion == "_x" else f"_x if _x is _UNSET else {conversion}"
        return f"_UNSET if (_x := {source}) is None else {present}"
    return source if conversion == "_x" else f"None if (_x := {source}) is None else {conversion}"


def _conversion(type_: Any, source: str, given: bool, names: dict[str, Any]) -> str:
    """Return the code that converts what `source` names, and is not None."""
    type_ = _without_metadata(type_)
    origin, arguments = get_origin(type_) or type_, get_args(type_)
    if origin is datetime:
        return f"_utc({source})"
    if origin in (list, tuple):
        item = _conversion(arguments[0], "_item", given, names)
        if item == "_item":
            return f"{origin.__name__}({source})"
        items = f"[{item} for _item in {source}]"
        return items if origin is list else f"tuple({items})"
    if origin is dict:
        return f"dict({source})"
    if isinstance(origin, type) and issubclass(origin, AnswerOf):
        names[answer := f"_Answer{len(names)}"] = origin
        return f"(_y if isinstance(_y := {source}, {answer}) else {answer}.of(_y))"
    if isinstance(origin, type) and issubclass(origin, Struct) and not given:
        raise TypeError(f"{origin.__name__} is no AnswerOf one value; give it")
    return source


def _without_metadata(type_: Any) -> Any:
    return _without_metadata(get_args(type_)[0]) if get_origin(type_) is Annotated else type_
