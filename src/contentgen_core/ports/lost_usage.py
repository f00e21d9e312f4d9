"""Tokens of calls of a model whose answer nobody got: cut off, refused, unusable, or cancelled on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from contentgen_core.model.article import Usage

_noted: Final[ContextVar[list[Usage] | None]] = ContextVar("lost_usage", default=None)


def note_lost_usage(usage: Usage) -> None:
    """Note what a call took that returns no answer to carry it; for adapters. Does nothing where nobody collects."""
    noted = _noted.get()
    if noted is not None and (usage.input_tokens or usage.output_tokens):
        noted.append(usage)


@contextmanager
def lost_if_failed(usages: Iterable[Usage]) -> Iterator[None]:
    """Note what calls took as lost if the block fails that was to store their answers. `usages`: as they are then."""
    try:
        yield
    except BaseException:
        for usage in usages:
            note_lost_usage(usage)
        raise


@contextmanager
def collect_lost_usage() -> Iterator[list[Usage]]:
    """Collect what calls within the block lose, in this task and in those that it starts."""
    collected: list[Usage] = []
    token = _noted.set(collected)
    try:
        yield collected
    finally:
        _noted.reset(token)
