"""Ids of texts that the pages of insight and of agents put together from a value."""

from __future__ import annotations

from typing import Final

from contentgen_core.model.search_demand import SearchQueue
from contentgen_core.model.writing import FiguresBy, Stage

_CHARTS: Final = ("articles", "words", "coverage", "support", "tokens", "cost")
INSIGHT: Final = {
    *(f"by-{by.value}" for by in FiguresBy),
    *(f"trace-{stage.value}" for stage in Stage),
    *(f"insight-{name}" for name in (*_CHARTS, "unknown")),
}
QUEUES: Final = {
    *(f"queue-{queue.value}" for queue in SearchQueue),
    *(f"queue-{queue.value}-is" for queue in SearchQueue),
    *(f"demand-do-{queue.value}" for queue in (SearchQueue.WRITE, SearchQueue.ENRICH)),
    *(f"demand-{reason}" for reason in ("shown", "position", "missing", "lost", "stale", "clicks", "no-file")),
    *(f"demand-why-{queue.value}" for queue in (SearchQueue.WRITE, SearchQueue.MERGE)),
}
