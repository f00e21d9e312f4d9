"""All faults of a refused body: those of its types, and those that the core would find in the fields that are right.
Decoding stops at the first one; only a body that was refused is looked at again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin

import msgspec

from contentgen_core.errors import FieldError, InvalidInput
from contentgen_core.policies.text.storable import NUL_FAULT, nul_paths
from contentgen_http.api.schema_faults import fault_of
from contentgen_http.wire.base import Rule

MAX_FAULTS: Final = 50
_MAX_ITEMS: Final = 1_000
"""Items of a list that are looked at: a longer list has its fault found by the first decoding."""


def faults_of(
    first: msgspec.ValidationError | None, sent: object, kind: type[msgspec.Struct]
) -> tuple[FieldError, ...]:
    """The first fault, as decoding found it (None: it found none), then those of other fields, MAX_FAULTS in all.

    `sent`: the body as JSON values. `kind`: the struct it should be."""
    found: dict[str, FieldError] = {}
    unstorable = (FieldError(path, NUL_FAULT) for path in nul_paths(sent))
    looked_at = (_inner if isinstance(sent, dict) else _found)(sent, kind, "")
    others = chain(islice(looked_at, MAX_FAULTS), islice(unstorable, MAX_FAULTS))
    for each in chain([] if first is None else [str(first)], others):
        fault = fault_of(each, kind) if isinstance(each, str) else each
        found.setdefault(fault.field, fault)
    return tuple(islice(found.values(), MAX_FAULTS))


def _found(value: object, kind: Any, path: str) -> Iterator[str | FieldError]:
    """All faults of a value: the texts of ValidationErrors, and those of the core. `path`: where it stands
    (`.plan.sections[0]`)."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        inner = _inner(value, kind, path)
        one = next(inner, None)
        if one is None:
            yield _at(str(error), path)
        else:
            yield one
            yield from inner
    else:
        yield from _of_core(value, kind, path.removeprefix("."))


def _of_core(value: object, kind: Any, path: str) -> Iterator[FieldError]:
    """What the core refuses in a value of the right type."""
    for rule in () if value is None else _rules(kind):
        try:
            rule.check(value, field=path)
        except InvalidInput as error:
            yield from error.errors


def _inner(value: object, kind: Any, path: str) -> Iterator[str | FieldError]:
    """Those of the fields of an object or the items of a list; none where the value itself is at fault."""
    for choice in _choices(kind):
        if isinstance(value, dict) and isinstance(choice, type) and issubclass(choice, msgspec.Struct):
            yield from _of_fields(value, choice, path)
        elif isinstance(value, list) and get_origin(choice) in (list, tuple):
            item = get_args(choice)[0]
            for i, each in enumerate(value[:_MAX_ITEMS]):
                yield from _found(each, item, f"{path}[{i}]")


def _of_fields(value: Mapping[str, object], kind: type[msgspec.Struct], path: str) -> Iterator[str | FieldError]:
    fields = msgspec.structs.fields(kind)
    for field in fields:
        if field.encode_name in value:
            yield from _found(value[field.encode_name], field.type, f"{path}.{field.encode_name}")
        elif field.required:
            yield _at(f"Object missing required field `{field.encode_name}`", path)
    if kind.__struct_config__.forbid_unknown_fields:
        known = {field.encode_name for field in fields}
        for name in value:
            if name not in known:
                yield _at(f"Object contains unknown field `{name}`", path)


def _rules(kind: Any) -> Iterator[Rule]:
    """Those of the core on a field of this type."""
    if get_origin(kind) is Annotated:
        inner, *beside = get_args(kind)
        yield from _rules(inner)
        yield from (each for each in beside if isinstance(each, Rule))
    elif get_origin(kind) in (Union, UnionType):
        for member in get_args(kind):
            yield from _rules(member)


def _choices(kind: Any) -> Iterator[Any]:
    origin = get_origin(kind)
    if origin is Annotated:
        yield from _choices(get_args(kind)[0])
    elif origin in (Union, UnionType):
        for member in get_args(kind):
            yield from _choices(member)
    else:
        yield kind


def _at(message: str, path: str) -> str:
    """The message of a fault below `path`, with its place counted from the body."""
    if not path:
        return message
    text, separator, below = message.rpartition(" - at `$")
    return f"{text}{separator}{path}{below}" if separator else f"{message} - at `${path}`"
