"""Exceptions as a log may show them.

The words of an exception come from anywhere: a topic that could not be read, a provider's answer that repeats the
prompt, a key in an address. So a log has where it happened and what kind it was, and words only where they are ours."""

from __future__ import annotations

import traceback
from types import TracebackType
from typing import Final

from contentgen_core.errors import ContentgenError

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None]
_CAUSE: Final = "\nThe above exception was the direct cause of the following exception:\n\n"
_CONTEXT: Final = "\nDuring handling of the above exception, another exception occurred:\n\n"
_DEEPEST: Final = 10  # exceptions of one chain, and members of one group


def without_words(exc_info: ExcInfo) -> str:
    """Return a traceback like Python's, causes and groups included, whose last line has the kind of error and no
    private text: the text of our own errors as far as it is ours, PostgreSQL's SQLSTATE, the system's error name.
    """
    return _render(exc_info[1], 0, set()).rstrip("\n")


def full_traceback(exc_info: ExcInfo) -> str:
    """Return Python's own traceback, for the level debug, which promises nothing."""
    return "".join(traceback.format_exception(exc_info[1])).rstrip("\n")


def kind_of(error: BaseException) -> str:
    """Return one line: the class of the error and its details that are not private."""
    name = type(error).__qualname__
    if isinstance(error, ContentgenError):
        return f"{name}: {error.log_text}"
    if isinstance(error, OSError) and error.strerror:
        return f"{name}: {error.strerror}"
    sqlstate = getattr(error, "sqlstate", None)
    return f"{name}: SQLSTATE {sqlstate}" if isinstance(sqlstate, str) else name


def _render(error: BaseException, depth: int, seen: set[int]) -> str:
    if depth > _DEEPEST or id(error) in seen:
        return ""
    seen.add(id(error))
    before = ""
    if error.__cause__ is not None:
        before = _render(error.__cause__, depth + 1, seen) + _CAUSE
    elif error.__context__ is not None and not error.__suppress_context__:
        before = _render(error.__context__, depth + 1, seen) + _CONTEXT
    frames = "".join(traceback.format_tb(error.__traceback__))
    members = ""
    if isinstance(error, BaseExceptionGroup):
        for number, member in enumerate(error.exceptions[:_DEEPEST], start=1):
            members += f"Member {number} of {len(error.exceptions)}:\n{_render(member, depth + 1, seen)}"
    return f"{before}Traceback (most recent call last):\n{frames}{kind_of(error)}\n{members}"
