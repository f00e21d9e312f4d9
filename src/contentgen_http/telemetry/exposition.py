"""Answer a scrape for the whole service of this machine, however many processes it has.

Processes that share their figures write them to files of one folder (prometheus_client's multiprocess
mode), and any of them answers for all. Gauges of processes that are gone are left out; their counters stay.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from attrs import frozen
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from contentgen_http.telemetry.metrics import Metrics
from contentgen_http.telemetry.shared_metrics import FOLDER

__all__ = ["CONTENT_TYPE_LATEST", "Processes", "Queue", "exposition"]


@frozen(eq=False)
class Queue(Collector):
    """The waiting work in the database, as one scrape found it. `due`: of each kind of job, how many are due and
    unclaimed, and for how many seconds the oldest is; `webhooks`: the same of webhook deliveries; `model_away`:
    whether the content model gives no answers.
    """

    due: Mapping[str, tuple[int, float]]
    index_changes: int
    webhooks: tuple[int, float] = (0, 0.0)
    model_away: bool = False

    def collect(self) -> Iterable[Metric]:
        due = GaugeMetricFamily("contentgen_jobs_due", "Jobs that wait for a worker.", labels=("kind",))
        waiting = GaugeMetricFamily(
            "contentgen_jobs_waiting_seconds", "For how long the oldest of them has waited.", labels=("kind",)
        )
        for kind, (count, seconds) in self.due.items():
            due.add_metric((kind,), count)
            waiting.add_metric((kind,), seconds)
        yield due
        yield waiting
        yield GaugeMetricFamily(
            "contentgen_index_changes_due", "Documents whose entry in the search index is out of date.",
            self.index_changes,
        )  # fmt: skip
        count, seconds = self.webhooks
        yield GaugeMetricFamily("contentgen_webhook_deliveries_due", "Webhook messages that wait to be sent.", count)
        yield GaugeMetricFamily(
            "contentgen_webhook_deliveries_waiting_seconds", "For how long the oldest of them has been due.", seconds
        )
        away = "Whether the content model gives no answers, so that articles wait for it (1), or not (0)."
        yield GaugeMetricFamily("contentgen_model_away", away, float(self.model_away))


def exposition(metrics: Metrics | None, queue: Queue | None = None, folder: str | None = None) -> bytes:
    """Return the metrics in Prometheus' text format. Reads files where figures are shared: not for an event loop.

    `metrics`: this process's, shown where nothing is shared. `folder`: where figures are shared, for a process
    that only watches; else what the environment says.
    """
    folder = folder or os.environ.get(FOLDER)
    if folder:
        registry = CollectorRegistry()
        living = _living(folder)
        registry.register(_Shared(Path(folder)))
        registry.register(Processes(living))
        text = generate_latest(registry)
    else:
        text = b"" if metrics is None else generate_latest(metrics.registry)
    if queue is not None:
        registry = CollectorRegistry()
        registry.register(queue)
        text += generate_latest(registry)
    return text


@frozen(eq=False)
class _Shared(Collector):
    """The figures in the files of one folder."""

    folder: Path

    def collect(self) -> Iterable[Metric]:
        # A process that just starts makes its file, and gives it a length after that.
        files = [str(file) for file in self.folder.glob("*.db") if file.stat().st_size]
        found: Iterable[Metric] = MultiProcessCollector.merge(files, accumulate=True)  # type: ignore[no-untyped-call]
        return found


def _living(folder: str) -> list[int]:
    """The processes that share figures there; the gauges of those that are gone are removed."""
    living = []
    for pid in {int(found[1]) for name in os.listdir(folder) if (found := re.search(r"_(\d+)\.db$", name))}:
        if Path(f"/proc/{pid}").exists() or (not Path("/proc/self").exists() and _is_alive(pid)):
            living.append(pid)
        else:
            mark_process_dead(pid, folder)  # type: ignore[no-untyped-call]
    return living


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


@frozen(eq=False)
class Processes(Collector):
    """A collector of the processes that share their figures: their number, with their CPU, memory and files added up;
    the start is the first one's. The number is exported before the first process starts: an empty answer would look
    like a fault.
    """

    pids: list[int]

    def collect(self) -> Iterable[Metric]:
        name = "contentgen_processes"
        families: dict[str, Metric] = {name: GaugeMetricFamily(name, "Processes that live.", len(self.pids))}
        for pid in self.pids:
            for family in ProcessCollector(pid=_constantly(pid), registry=None).collect():
                known = families.setdefault(family.name, family)
                if known is not family:
                    least = family.name == "process_start_time_seconds"
                    known.samples = [
                        mine._replace(value=min(mine.value, other.value) if least else mine.value + other.value)
                        for mine, other in zip(known.samples, family.samples, strict=True)
                    ]
        return families.values()


def _constantly(pid: int) -> Callable[[], int]:
    return lambda: pid
