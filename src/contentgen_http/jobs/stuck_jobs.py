"""Where a job waits that has not moved for a minute: which call, in which of its tasks."""

from __future__ import annotations

import asyncio
import types
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any, Final, TypeVar

from attrs import frozen

STANDSTILL_SECONDS: Final = 60.0
MAX_PLACES: Final = 10
"""Of the tasks of a job, in a line of the log."""
_PACKAGES: Final = ("contentgen_grounded", "contentgen_core", "contentgen_adapters", "contentgen_http")

T = TypeVar("T")


@frozen
class _Seen:
    """`awaited`: what each of the job's tasks waits for; kept, so that nothing else gets its identity. `since`: when
    that was first so; `reported`: whether it was returned already."""

    awaited: tuple[object, ...]
    since: float
    reported: bool = False


class Standstills:
    """Looks at running jobs again and again. A job moves when any of its tasks waits for something else than before."""

    def __init__(self) -> None:
        self._seen: dict[asyncio.Task[Any], _Seen] = {}

    def found(self, running: Mapping[asyncio.Task[Any], T], now: float) -> list[tuple[T, list[str]]]:
        """Those that have stood still for STANDSTILL_SECONDS, each returned once, with the places where it waits.

        `now`: seconds of the monotonic clock."""
        standing, seen = [], {}
        for task, job in running.items():
            waits = list(_waits(task))
            awaited = tuple(future for _, future in waits)
            before = self._seen.get(task)
            if before is None or not _same(before.awaited, awaited):
                seen[task] = _Seen(awaited, now)
                continue
            due = now - before.since >= STANDSTILL_SECONDS
            if due and not before.reported:
                standing.append((job, [place for place, _ in waits][:MAX_PLACES]))
            seen[task] = _Seen(awaited, before.since, before.reported or due)
        self._seen = seen
        return standing


def _same(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    return len(before) == len(now) and all(one is other for one, other in zip(before, now, strict=True))


def _waits(task: asyncio.Task[Any]) -> Iterator[tuple[str, object]]:
    """(place, what is awaited there) of a task, or of the tasks that it waits for."""
    place, groups = _place(task.get_coro())
    future = getattr(task, "_fut_waiter", None)
    children = [child for group in groups for child in getattr(group, "_tasks", ()) if not child.done()]
    children += [child for child in getattr(future, "_children", ()) if not child.done()]
    children += [future] if isinstance(future, asyncio.Task) else []
    if not children:
        yield place, future
    for child in children:
        if isinstance(child, asyncio.Task):
            yield from _waits(child)
        else:
            yield place, child


def _place(awaited: object) -> tuple[str, list[asyncio.TaskGroup]]:
    """Our functions on the way to where a coroutine waits, outermost first, and the last function; the task groups
    whose end it waits for."""
    names: list[str] = []
    groups: list[asyncio.TaskGroup] = []
    last = ""
    while isinstance(awaited, (types.CoroutineType, types.GeneratorType)):
        if isinstance(awaited, types.CoroutineType):
            frame, awaited = awaited.cr_frame, awaited.cr_await
        else:
            frame, awaited = awaited.gi_frame, awaited.gi_yieldfrom
        if frame is not None:
            last = f"{frame.f_code.co_qualname}:{frame.f_lineno}"
            if set(PurePath(frame.f_code.co_filename).parts) & set(_PACKAGES):
                names.append(last)
            if isinstance(group := frame.f_locals.get("self"), asyncio.TaskGroup):
                groups.append(group)
    return " > ".join([*names, last] if not names or names[-1] != last else names), groups
