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
        """Queue works, which must not raise."""
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
    """The threads that embed: some for questions, some for a few passages, and some, at low priority, for many. Each
    niceness has threads of its own; threads start with their first work.
    """

    def __init__(self, threads: int, questions: int) -> None:
        """`threads`: for a few passages; half as many for many. `questions`: threads for questions."""
        self._threads = {"questions": questions, "few": threads, "many": max(1, threads // 2)}
        self._turns: dict[tuple[str, int], Turns] = {}
        self._making = threading.Lock()

    def add(self, owner: object, niceness: int, kind: Kind, works: list[Work]) -> None:
        """Queue the works of one task, one per text, which must not raise. `niceness`: of the client."""
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
