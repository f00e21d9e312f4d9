"""Settings of the garbage collector for a long-running process with large libraries."""

from __future__ import annotations

import gc
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from contentgen_core.errors import ContentgenError

if TYPE_CHECKING:
    from contentgen_core.ports.knowledge_base import PassageIndex

OBJECTS_BETWEEN_COLLECTIONS: Final = 10_000
"""The threshold of generation 0; a page of articles alone allocates more objects than the default of 700."""


async def freeze_loaded_objects(index: PassageIndex) -> None:
    """Exempts all objects loaded by the time the index is open from collection (`gc.freeze`): they live as long as the
    process, and traversing them in a full collection takes a third of a second.

    `index`: opened first, since that loads its library.
    """
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, 20, 20)
    gc.freeze()
    with suppress(ContentgenError):  # an unavailable index has loaded its library as well
        await index.check()
    gc.collect()
    gc.freeze()
