"""Threads that embed, for one asker or for several in turn."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Literal

Kind = Literal["passage", "query"]

FEW: Final = 32
"""Passages that a request waits for: those that its question found."""
_NICENESS: Final = 10  # of the threads that embed many passages

Work = Callable[[], None]


class Turns:
    """Threads that take one piece of work from each owner who has some, in turn; an owner's in their order."""

    def __init__(self, threads: int, niceness: int) -> None:
        """`niceness`: of the threads, unless the process is nicer, where the platform knows priorities of threads."""
        self._waiting: dict[object, deque[Work]] = {}  # who is next comes first
        self._some = threading.Condition()
        for _ in range(threads):
            threading.Thread(target=self._run, args=(niceness,), daemon=True).start()

    def add(self, owner: object, works: list[Work]) -> None:
        """None of `works` raises anything."""
        with self._some:
            self._waiting.setdefault(owner, deque()).extend(works)
            self._some.notify(len(works))

    def drop(self, owner: object) -> None:
        """Forget what the owner has waiting."""
        with self._some:
            self._waiting.pop(owner, None)

    def _run(self, niceness: int) -> None:
        with suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), max(niceness, os.nice(0)))
        while True:
            self._next()()

    def _next(self) -> Work:
        with self._some:
            while not self._waiting:
                self._some.wait()
            owner = next(iter(self._waiting))
            works = self._waiting.pop(owner)
            work = works.popleft()
            if works:
                self._waiting[owner] = works
            return work


class Workers:
    """Who embeds: some threads for questions, others for a few passages, and others, at low priority, for many. Those
    who stand back have threads of their own, as nice as they are; threads start with their first work."""

    def __init__(self, threads: int, questions: int) -> None:
        """`threads`: for a few passages; half of it for many. `questions`: threads for these."""
        self._threads = {"questions": questions, "few": threads, "many": max(1, threads // 2)}
        self._turns: dict[tuple[str, int], Turns] = {}
        self._making = threading.Lock()

    def add(self, owner: object, niceness: int, kind: Kind, works: list[Work]) -> None:
        """`niceness`: of the owner. `works`: one a text of one task, none of which raises anything."""
        if kind == "query":
            what = "questions"
        elif len(works) <= FEW:
            what = "few"
        else:
            what, niceness = "many", _NICENESS
        with self._making:
            turns = self._turns.get((what, niceness))
            if turns is None:
                turns = self._turns[what, niceness] = Turns(self._threads[what], niceness)
        turns.add(owner, works)

    def drop(self, owner: object) -> None:
        """Forget what the owner has waiting."""
        with self._making:
            turns = list(self._turns.values())
        for each in turns:
            each.drop(owner)
