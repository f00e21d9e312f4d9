"""Checks of what a Python program hands over, with the choices in the error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import TypeVar

from contentgen_core.errors import InvalidInput
from contentgen_core.ports.documents import SourceText
from contentgen_grounded.settings import Settings

E = TypeVar("E", bound=StrEnum)


def member_of(kind: type[E], name: str, given: E | str) -> E:
    """Return the given member of an enumeration, passed itself or by its value. Raises InvalidInput with all values.

    `name`: the argument's.
    """
    values = [member.value for member in kind]
    if isinstance(given, str) and given in values:
        return kind(given)
    raise InvalidInput.of(name, f"{given!r} is none of {', '.join(values)}")


def checked_text(name: str, given: str) -> str:
    """Return a text. Raises InvalidInput for anything else."""
    if not isinstance(given, str):
        raise InvalidInput.of(name, f"is a {type(given).__name__}, not a text")
    return given


def checked_settings(given: Settings | None) -> Settings | None:
    """Return settings, or None. Raises InvalidInput for anything else."""
    if given is not None and not isinstance(given, Settings):
        raise InvalidInput.of("settings", f"is a {type(given).__name__}: give Settings(…) or load_settings()")
    return given


def checked_sources(given: Iterable[SourceText]) -> Iterator[SourceText]:
    """Yield the sources as they are read. Raises InvalidInput with the position of the first item that is not a
    source.
    """
    if isinstance(given, str | bytes | SourceText) or not isinstance(given, Iterable):
        raise InvalidInput.of(
            "sources", f"is a {type(given).__name__}: give several SourceText(source_key, title, text)"
        )
    for position, source in enumerate(given):
        yield _checked_source(f"sources[{position}]", source)


def _checked_source(name: str, source: SourceText) -> SourceText:
    if not isinstance(source, SourceText):
        raise InvalidInput.of(name, f"is a {type(source).__name__}: give SourceText(source_key, title, text)")
    for field in ("source_key", "title", "text"):
        checked_text(f"{name}.{field}", getattr(source, field))
    return source
