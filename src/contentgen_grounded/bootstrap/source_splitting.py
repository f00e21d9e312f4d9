"""Choose the processes that split large imports."""

from __future__ import annotations

from contentgen_adapters.documents.source_splitting import ProcessSourceSplitter
from contentgen_adapters.shared.processes.pool import PLACES, ProcessPool
from contentgen_core.ports.documents import SourceSplitter
from contentgen_grounded.bootstrap.splitting import SPLITTING_MANY
from contentgen_grounded.cores import usable_cores


def source_splitter(pool: ProcessPool) -> SourceSplitter | None:
    """Split large imports in processes of the pool: one for each core, but for the core on which this process splits as
    well, and with one place of the pool left free. None if that leaves no process.
    """
    at_once = min(usable_cores(), PLACES) - 1
    return ProcessSourceSplitter(pool, SPLITTING_MANY, at_once) if at_once else None
