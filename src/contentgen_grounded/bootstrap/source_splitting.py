"""Who splits large imports."""

from __future__ import annotations

from contentgen_adapters.documents.source_splitting import ProcessSourceSplitter
from contentgen_adapters.shared.processes.pool import PLACES, ProcessPool
from contentgen_core.ports.documents import SourceSplitter
from contentgen_grounded.bootstrap.splitting import SPLITTING_MANY
from contentgen_grounded.cores import usable_cores


def source_splitter(pool: ProcessPool) -> SourceSplitter | None:
    """Splits large imports in as many processes of the pool as there are cores, but for one, on which this process
    splits as well, and for one place of the pool; None where that leaves none."""
    at_once = min(usable_cores(), PLACES) - 1
    return ProcessSourceSplitter(pool, SPLITTING_MANY, at_once) if at_once else None
