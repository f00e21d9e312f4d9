"""Values of the core made from their annotations: one of each type that an answer can be made from."""

from __future__ import annotations

import types
import typing
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from itertools import count
from typing import Any

import attrs
from msgspec import Struct


class Samples:
    """Makes values. `full`: optional ones are there, and collections have two items; otherwise they are None, and
    empty. No two numbers or texts are the same, and moments are in another zone than UTC."""

    def __init__(self, *, full: bool) -> None:
        self.full = full
        self.numbers = count(1)

    def make(self, type_: Any, name: str = "text") -> Any:
        """Return a value of the type. `name`: what texts begin with. Raises TypeError for a type that is not known."""
        if isinstance(type_, typing.NewType):
            return self.make(type_.__supertype__, name)
        origin, arguments = typing.get_origin(type_), typing.get_args(type_)
        if origin is typing.Annotated:
            return self.make(arguments[0], name)
        if origin in (typing.Union, types.UnionType):
            return self._optional([member for member in arguments if member is not types.NoneType], arguments, name)
        if origin is typing.Literal:
            return arguments[next(self.numbers) % len(arguments)]
        if origin in (list, tuple, frozenset, Sequence, Iterable, Collection):
            return self._collection(origin, arguments, name)
        if origin in (dict, Mapping):
            return {key: self.make(arguments[1], name) for key in self._keys(arguments[0])}
        return self._plain(type_, name)

    def _keys(self, type_: Any) -> list[Any]:
        """Return all members of an enumeration: what maps them usually maps each."""
        is_enumeration = isinstance(type_, type) and issubclass(type_, Enum)
        return [*type_] if is_enumeration else [self.make(type_, "key") for _ in range(self._many())]

    def _many(self) -> int:
        return 2 if self.full else 0

    def _optional(self, members: list[Any], arguments: Sequence[Any], name: str) -> Any:
        if types.NoneType in arguments and not self.full:
            return None
        return self.make(members[0], name)

    def _collection(self, origin: Any, arguments: tuple[Any, ...], name: str) -> Any:
        if origin is tuple and arguments[-1] is not Ellipsis:
            return tuple(self.make(argument, name) for argument in arguments)
        items = [self.make(arguments[0], name) for _ in range(self._many())]
        return origin(items) if origin in (tuple, frozenset) else items

    def _plain(self, type_: Any, name: str) -> Any:
        number = next(self.numbers)
        if type_ in (Any, object):
            return f"{name} {number}"
        if issubclass(type_, Enum):
            return list(type_)[number % len(type_)]
        moment = datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=2))) + timedelta(days=number)
        values = {
            str: self._text(name, number),
            int: number,
            float: number / 7,
            bool: number % 2 == 0,
            Decimal: Decimal(number),
            datetime: moment,
            date: moment.astimezone(UTC).date(),
            timedelta: timedelta(seconds=number),
        }
        return values[type_] if type_ in values else self._object(type_)

    def _text(self, name: str, number: int) -> str:
        if name.endswith("url"):
            return f"https://example.org/{number}"
        return f"{number:064x}" if name.endswith("hash") else f"{name} {number}"

    def _object(self, type_: Any) -> Any:
        hints = typing.get_type_hints(type_, include_extras=True)
        if attrs.has(type_):
            names = {field.name: field.alias for field in attrs.fields(type_) if field.init}
        elif issubclass(type_, Struct):
            names = {}  # a query, whose fields have defaults
        elif issubclass(type_, tuple):
            names = {name: name for name in type_._fields}  # type: ignore[attr-defined]
        else:
            raise TypeError(f"no sample of {type_}")
        return type_(**{alias: self.make(hints[name], name) for name, alias in names.items()})
