"""Guard against slow work inside a transaction, in every test."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from contextvars import ContextVar
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from attrs import define, evolve, field, frozen

from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.services import Ports

# Whatever computes on texts of any length, waits for a disk or asks others.
SLOW: Final = (
    "index",
    "embedder",
    "reranker",
    "entailment",
    "model",
    "batched_planner",
    "batched_model",
    "analysis",
    "detector",
    "chunker",
    "entities",
    "graph_tools",
    "documents",
    "uploads",
    "splitter",
    "source_splitter",
    "objects",
    "pages",
    "sources",
    "search_exports",
    "search_console",
    "index_now",
    "renderer",
    "exporter",
    "targets",
    "webhook_sender",
    "mailer",
    "rate_limiter",
)

# These look something up in memory, or read a title.
QUICK: Final = frozenset(
    {
        "sources.fault_of",
        "sources.kinds",
        "pages.fault_of",
        "targets.get",
        "targets.all",
        "targets.connect",
        "renderer.slug",
    }
)
SHORT: Final = 600  # characters: the analysis of a topic or title takes some 50 µs

_OPEN: Final[ContextVar[int]] = ContextVar("open_transactions", default=0)


@define
class Apart:
    """Watches ports. `broken`: calls inside a transaction, each with the lines of ours that led there."""

    broken: list[str] = field(factory=list)

    def ports(self, ports: Ports) -> Ports:
        slow = {name: self.slow(name, getattr(ports, name)) for name in SLOW if getattr(ports, name) is not None}
        finders = tuple(self.slow("trend_finders", finder) for finder in ports.trend_finders)
        return evolve(ports, unit_of_work=_Watched(ports.unit_of_work), trend_finders=finders, **slow)

    def slow(self, name: str, port: Any) -> Any:
        return _Slow(name, port, self)

    def check(self) -> None:
        assert not self.broken, "inside a transaction:\n" + "\n".join(dict.fromkeys(self.broken))

    def called(self, name: str, *args: Any) -> None:
        short = name.startswith("analysis.") and args and isinstance(args[0], str) and len(args[0]) <= SHORT
        if _OPEN.get() and name not in QUICK and not short:
            self.broken.append(f"{name}: " + " < ".join(_ours(sys._getframe(2))))


@frozen
class _Watched:
    inner: UnitOfWork

    def __call__(self) -> AbstractAsyncContextManager[Transaction]:
        return _Transaction(self.inner())


@define
class _Transaction(AbstractAsyncContextManager[Transaction]):
    inner: AbstractAsyncContextManager[Transaction]

    async def __aenter__(self) -> Transaction:
        tx = await self.inner.__aenter__()
        _OPEN.set(_OPEN.get() + 1)
        return tx

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool | None:
        _OPEN.set(_OPEN.get() - 1)
        return await self.inner.__aexit__(kind, error, traceback)


class _Slow:
    """A port, and what its methods return that has methods of its own."""

    def __init__(self, name: str, port: Any, apart: Apart) -> None:
        self._name, self._port, self._apart = name, port, apart

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._told("()", self._port)(*args, **kwargs)

    def __getattr__(self, attribute: str) -> Any:
        value = getattr(self._port, attribute)
        return self._told(attribute, value) if callable(value) and not isinstance(value, type) else value

    def _told(self, attribute: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def told(*args: Any, **kwargs: Any) -> Any:
            self._apart.called(f"{self._name}.{attribute}", *args)
            return call(*args, **kwargs)

        return told


def _ours(frame: Any) -> Sequence[str]:
    lines = []
    while frame is not None and len(lines) < 3:
        path = Path(frame.f_code.co_filename)
        if "src" in path.parts:
            lines.append(f"{'/'.join(path.parts[path.parts.index('src') + 2 :])}:{frame.f_lineno}")
        frame = frame.f_back
    return lines
