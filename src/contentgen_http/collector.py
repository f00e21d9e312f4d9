"""The interpreter's garbage collector, set for a program that loads much and then runs for long."""

from __future__ import annotations

import gc
from contextlib import suppress
from typing import Final

from contentgen_core.errors import ContentgenError
from contentgen_core.ports.knowledge_base import PassageIndex

OBJECTS_BETWEEN_COLLECTIONS: Final = 10_000
"""A page of articles alone makes more objects than the default of 700."""


async def spare_the_loaded(index: PassageIndex) -> None:
    """What is loaded by the time the index is open stays until the end. Going through it again and again, as a full
    collection does, stops everything for a third of a second each time."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, 20, 20)
    gc.freeze()
    with suppress(ContentgenError):  # an index that is away has loaded its library all the same
        await index.check()
    gc.collect()
    gc.freeze()
