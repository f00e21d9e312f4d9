"""Compares what was asked for with what exists: in the database, in the index, at the target."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import httpx
import psycopg
from attrs import asdict, define, field

from tests.chaos.workload import Ask
from tests.chaos.world import World, within

STUCK_SECONDS: Final = 60.0
LATEST_SECONDS: Final = 240.0
"""How much longer is waited for what is stuck, to tell slow from never."""

_ROWS: Final = {
    "article": "SELECT id, status, coalesce(error, '') FROM articles",
    "translation": "SELECT id, record->>'status', coalesce(record->>'error', '') FROM translations",
    "document": "SELECT id, status, coalesce(record->>'error', '') FROM private_documents",
    "publication": "SELECT id, record->>'status', coalesce(record->>'error', '') FROM publications",
}
_ENDED: Final = {
    "article": {"generated", "published", "failed"},
    "translation": {"completed", "failed"},
    "document": {"ready", "failed"},
    "publication": {"published", "failed", "unknown"},
}
_TOLD: Final = ("OpenAI", "wordpress", "pexels")
"""Reasons that name a server of others: an honest end when that server failed again and again."""
_CHARGED: Final = {
    "articles": "SELECT count(*) FROM articles WHERE status <> 'failed'",
    "translationCredits": "SELECT coalesce(sum((record->>'credits')::int), 0) FROM translations"
    " WHERE record->>'status' <> 'failed'",
}

_JOBS: Final = (
    "SELECT id, kind, state, attempts, crashes, suspects, run_at - now(), leased_until - now(), last_error"
    " FROM jobs WHERE state IN ('queued', 'running')"
)


@define
class Findings:
    """What went wrong, each in words. `told`: what ended as failed with an honest reason, quota given back."""

    lost: list[str] = field(factory=list)
    doubled: list[str] = field(factory=list)
    charged: list[str] = field(factory=list)
    stuck: list[str] = field(factory=list)
    told: list[str] = field(factory=list)
    seconds: float = 0.0

    @property
    def bad(self) -> list[str]:
        return [*self.lost, *self.doubled, *self.charged, *self.stuck]

    def counts(self) -> dict[str, int]:
        return {name: len(found) for name, found in asdict(self).items() if isinstance(found, list)}


@define
class Auditor:
    """`baseline`: rows of before the campaign, by kind."""

    world: World
    baseline: dict[str, set[str]] = field(factory=dict)

    def settle(self, asks: Sequence[Ask], findings: Findings) -> None:
        """Wait until all has ended. What has not after STUCK_SECONDS is stuck."""

        def all_done() -> bool:
            if self.world.hurried:
                self.world.expire_leases_of_the_dead()
            try:
                return not self.left(asks) and self.world.ready() and not self.index_faults()
            except (psycopg.Error, httpx.HTTPError):
                return False

        took = within(all_done, STUCK_SECONDS)
        if took is None:
            findings.stuck += self.said_left(asks)
            took = STUCK_SECONDS + (within(all_done, LATEST_SECONDS) or LATEST_SECONDS)
        findings.seconds = took

    def left(self, asks: Sequence[Ask]) -> list[str]:
        """What has not ended."""
        with self.world.database() as database:
            rows = {kind: self._rows(database, kind) for kind in _ROWS}
        return [
            f"{ask.name} {ask.id}: {rows[ask.kind].get(ask.id, ('gone',))[0] if ask.id else 'not accepted'}"
            for ask in asks
            if not ask.refused and not (ask.id and rows[ask.kind].get(ask.id, ("failed",))[0] in _ENDED[ask.kind])
        ]

    def said_left(self, asks: Sequence[Ask]) -> list[str]:
        try:
            ready = self.world.service.http.get("/ready", timeout=5)
            away = [] if ready.status_code == 200 else [f"/ready says {ready.text[:300]}"]
            with self.world.database() as database:
                jobs = database.execute(_JOBS).fetchall()
            found = [*self.left(asks), *away, *self.index_faults(), *(f"job {job}" for job in jobs)]
            return found or ["it took longer"]
        except (psycopg.Error, httpx.HTTPError) as error:
            return [f"no answer: {error!r}"]

    def index_faults(self) -> list[str]:
        """Where the index is not what the database says."""
        import lancedb

        from contentgen_adapters.lance.layout import TABLE

        with self.world.database() as database:
            known = Counter(database.execute("SELECT document_id, chunk_index FROM kb_passages").fetchall())
            [(waiting,)] = database.execute("SELECT count(*) FROM kb_index_changes")
        try:
            table = lancedb.connect(str(self.world.data_dir / "index")).open_table(TABLE).to_arrow()
        except (ValueError, OSError, RuntimeError) as error:
            return [f"the index cannot be read: {str(error)[:200]}"]
        columns = (table.column(name).to_pylist() for name in ("document_id", "chunk_index"))
        indexed = Counter(zip(*columns, strict=True))
        missing, extra = (known - indexed).total(), (indexed - known).total()
        faults = [f"{waiting} documents wait for the index"] if waiting else []
        faults += [f"{missing} passages are not in the index"] if missing else []
        return faults + ([f"{extra} passages are in the index alone, or twice"] if extra else [])

    def audit(self, asks: Sequence[Ask]) -> Findings:
        findings = Findings()
        self.settle(asks, findings)
        with self.world.database() as database:
            for kind in _ROWS:
                self._audit_rows(database, kind, [ask for ask in asks if ask.kind == kind], findings)
            self._audit_charges(database, findings)
        self._audit_posts(asks, findings)
        return findings

    def remember(self) -> None:
        """What exists now is none of the campaign's."""
        with self.world.database() as database:
            self.baseline = {kind: set(self._rows(database, kind)) for kind in _ROWS}

    def _rows(self, database: psycopg.Connection[Any], kind: str) -> dict[str, tuple[str, str]]:
        return {id: (status, reason) for id, status, reason in database.execute(_ROWS[kind]).fetchall()}

    def _audit_rows(
        self, database: psycopg.Connection[Any], kind: str, asks: Sequence[Ask], findings: Findings
    ) -> None:
        rows = self._rows(database, kind)
        for ask in asks:
            status, reason = rows.get(ask.id, ("gone", ""))
            if ask.refused:
                findings.lost.append(f"{ask.name} was refused: {ask.refused}")
            elif status == "gone":
                findings.lost.append(f"{ask.name} {ask.id} is gone")
            elif status in ("failed", "unknown"):
                told = any(name in reason for name in _TOLD)
                (findings.told if told else findings.lost).append(f"{ask.name} {ask.id} is {status}: {reason}")
        ids = Counter(ask.id for ask in asks if ask.id)
        findings.lost += [
            f"{kind} {id} stands for {count} that were asked for" for id, count in ids.items() if count > 1
        ]
        extra = rows.keys() - ids.keys() - self.baseline.get(kind, set())
        findings.doubled += [f"nobody asked for {kind} {id}" for id in sorted(extra)]

    def _audit_charges(self, database: psycopg.Connection[Any], findings: Findings) -> None:
        for quota, sql in _CHARGED.items():
            [(due,)] = database.execute(sql)
            [(used,)] = database.execute("SELECT coalesce(sum(used), 0) FROM quota_usage WHERE quota = %s", (quota,))
            if used != due:
                findings.charged.append(f"{used} {quota} are charged for {due}")

    def _audit_posts(self, asks: Sequence[Ask], findings: Findings) -> None:
        posts = Counter(self.world.peers.blog.posts())
        findings.doubled += [f"{count} posts are called {title}" for title, count in posts.items() if count > 1]
        with self.world.database() as database:
            rows = self._rows(database, "publication")
        for ask in asks:
            if ask.kind == "publication" and ask.id:
                status = rows.get(ask.id, ("gone",))[0]
                if (status == "published") != bool(posts[ask.name]) and status != "unknown":
                    findings.lost.append(f"{ask.name} is {status} with {posts[ask.name]} posts at the target")
