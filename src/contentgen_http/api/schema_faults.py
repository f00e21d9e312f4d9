"""Translates msgspec's validation errors into the API's: JSON types, paths in the request, allowed values."""

from __future__ import annotations

import re
from typing import Final

import msgspec
from msgspec.inspect import EnumType, ListType, LiteralType, Metadata, StructType, Type, UnionType

from contentgen_core.errors import FieldError
from contentgen_http.wire.base import NOT_BLANK

_AT: Final = re.compile(r" - at `\$\.?([^`]*)`$")
_MISSING: Final = re.compile(r"Object missing required field `([^`]*)`")
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_BOUND: Final = re.compile(r"Expected `(\w+)`( of length)? (<=|>=) (-?\d+)")
_STEPS: Final = re.compile(r"([^.\[\]]+)|\[(\d+)\]")
_JSON_WORDS: Final = {
    "str": "string",
    "int": "integer",
    "bool": "boolean",
    "float": "number",
    "datetime": "date and time",
}
_MAX_NAME: Final = 100


def fault_of(message: str, kind: type[msgspec.Struct]) -> FieldError:
    """The field error for the text of a ValidationError. `kind`: the struct that was decoded."""
    at = _AT.search(message)
    path = at.group(1) if at else ""
    text = message[: at.start()] if at else message
    if missing := _MISSING.fullmatch(text):
        return FieldError(_join(path, missing.group(1)), "is required")
    if unknown := _UNKNOWN.fullmatch(text):
        return FieldError(_join(path, unknown.group(1)[:_MAX_NAME]), "is not a field of this operation")
    if text.startswith("Invalid enum value"):
        return FieldError(path, f"must be one of {', '.join(_allowed(kind, path))}")
    return FieldError(path or "body", _plain(text))


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _plain(text: str) -> str:
    if bound := _BOUND.fullmatch(text):
        kind, length, side, number = bound.groups()
        unit = " items" if kind == "array" else " characters" if length else ""
        return f"{'at most' if side == '<=' else 'at least'} {number}{unit}"
    if text.startswith("Expected `str` matching regex"):
        pattern = text.partition("regex ")[2].strip("'")
        return "must not be empty" if pattern == repr(NOT_BLANK).strip("'") else f"must match {pattern}"
    words = re.sub(r"`(\w+)`", lambda word: _JSON_WORDS.get(word.group(1), word.group(1)), text)
    return words.replace(" | ", " or ").replace("Expected", "must be", 1) if words.startswith("Expected") else words


def _allowed(kind: type[msgspec.Struct], path: str) -> list[str]:
    """The values allowed for the field at this path."""
    info: Type | None = msgspec.inspect.type_info(kind)
    for name, _index in _STEPS.findall(path):
        info = _step(info, name)
    values = [str(value) for choice in _choices(info) for value in _values(choice)]
    return list(dict.fromkeys(values))


def _step(info: Type | None, name: str) -> Type | None:
    for choice in _choices(info):
        if isinstance(choice, StructType) and name:
            return next((field.type for field in choice.fields if field.encode_name == name), None)
        if isinstance(choice, ListType) and not name:
            return choice.item_type
    return None


def _choices(info: Type | None) -> list[Type]:
    match info:
        case None:
            return []
        case Metadata():
            return _choices(info.type)
        case UnionType():
            return [choice for member in info.types for choice in _choices(member)]
        case _:
            return [info]


def _values(info: Type) -> list[object]:
    match info:
        case LiteralType():
            return list(info.values)
        case EnumType():
            return [member.value for member in info.cls]
        case _:
            return []
