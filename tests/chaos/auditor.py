"""Compares what was asked for with what exists: in the database, in the index, at the target."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import httpx
import psycopg
from attrs import asdict, define, field

from contentgen_adapters.embeddings.hashed import HashedEmbedder
from tests.chaos.asks import ROWS, Ask, CoverTopics
from tests.chaos.workload import Workload
from tests.chaos.world import World, within

STUCK_SECONDS: Final = 60.0
LATEST_SECONDS: Final = 90.0
"""How much longer is waited for what is stuck, to tell slow from never."""

_TOLD: Final = ("OpenAI", "wordpress", "pexels", "generation_failed", "no_topic")
"""Reasons that name a server of others: an honest end when that server failed again and again."""
_CHARGED: Final = {
    "articles": "SELECT count(*) FROM articles a WHERE status <> 'failed' AND id <> ALL(%(known)s)"
    " AND NOT EXISTS (SELECT 1 FROM translations t WHERE t.made_article_id = a.id)",
    "translationCredits": "SELECT coalesce(sum((record->>'credits')::int), 0) FROM translations"
    " WHERE record->>'status' <> 'failed' AND id <> ALL(%(known)s)",
    "enrichments": "SELECT count(*) FROM enrichments WHERE record->>'status' <> 'failed' AND id <> ALL(%(known)s)",
}

_RUNS: Final = "SELECT id, status FROM executions WHERE fire_at IS NOT NULL"
_FIRED: Final = "SELECT id, agent_id FROM executions WHERE fire_at IS NOT NULL"
_TRANSLATED: Final = "SELECT made_article_id FROM translations WHERE made_article_id IS NOT NULL"
_TITLES: Final = (
    "SELECT coalesce(record->'request'->>'title', title) FROM publications LEFT JOIN articles a ON a.id = article_id"
)
SCHEDULED_AGENTS: Final = 2
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

    def settle(self, workload: Workload, findings: Findings) -> None:
        """Wait until all has ended. What has not after STUCK_SECONDS is stuck."""

        def all_done() -> bool:
            if self.world.hurried:
                self.world.expire_leases_of_the_dead()
            try:
                return not self.left(workload.standing()) and self.world.ready() and not self.index_faults()
            except (psycopg.Error, httpx.HTTPError):
                return False

        took = within(all_done, STUCK_SECONDS)
        if took is None:
            findings.stuck += self.said_left(workload.standing())
            took = STUCK_SECONDS + (within(all_done, LATEST_SECONDS) or LATEST_SECONDS)
        findings.seconds = took

    def left(self, asks: Sequence[Ask]) -> list[str]:
        """What has not ended, what nobody asked for directly included."""
        with self.world.database() as database:
            rows = {kind: self._rows(database, kind) for kind in ROWS}
            runs = database.execute(_RUNS).fetchall()
        found = [f"run {id} by a schedule: {status}" for id, status in runs if status in ("queued", "running")]
        for ask in asks:
            if not ask.refused:
                status = rows[ask.kind].get(ask.id, ("gone",))[0] if ask.rows else ask.id or "not done"
                if not ask.id or (ask.rows and status not in ask.ends | {"failed", "gone"}):
                    found.append(f"{ask.name} {ask.id}: {status if ask.id else 'not accepted'}")
        made = {id: rows["article"].get(id, ("gone",))[0] for run in self._made_by_runs() for id in run}
        return found + [
            f"article {id} of a run: {status}" for id, status in made.items() if status in ("generating", "generated")
        ]  # runs publish theirs

    def _made_by_runs(self) -> list[list[str]]:
        with self.world.database() as database:
            found = database.execute("SELECT id, record->'articles' FROM executions").fetchall()
        known = self.baseline.get("run", set())
        return [[article["article_id"] for article in made or ()] for id, made in found if id not in known]

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

        from contentgen_adapters.lance.layout import WORDS, vectors_table

        embedder, found = HashedEmbedder(), list[str]()
        with self.world.database() as database:
            known = Counter(database.execute("SELECT document_id, chunk_index FROM kb_passages").fetchall())
            for waiting in ("kb_index_changes", "kb_documents_to_embed"):
                [(documents,)] = database.execute(f"SELECT count(*) FROM {waiting}")
                found += [f"{documents} documents wait in {waiting}"] if documents else []
        for table in (WORDS, vectors_table(embedder.model, embedder.dimension)):
            try:
                rows = lancedb.connect(str(self.world.data_dir / "index")).open_table(table).to_arrow()
            except (ValueError, OSError, RuntimeError) as error:
                return [*found, f"the index cannot be read: {str(error)[:200]}"]
            columns = (rows.column(name).to_pylist() for name in ("document_id", "chunk_index"))
            indexed = Counter(zip(*columns, strict=True))
            missing, extra = (known - indexed).total(), (indexed - known).total()
            found += [f"{missing} passages are not in {table}"] if missing else []
            found += [f"{extra} passages are in {table} alone, or twice"] if extra else []
        return found

    def audit(self, workload: Workload) -> Findings:
        findings = Findings()
        self.settle(workload, findings)
        asks = workload.standing()
        with self.world.database() as database:
            for kind in ROWS:
                self._audit_rows(database, kind, [ask for ask in asks if ask.kind == kind], findings)
            self._audit_charges(database, findings)
        self._audit_runs(findings)
        self._audit_posts(asks, findings)
        return findings

    def close_round(self) -> None:
        """What exists now is none of the next round's; its month, and its day, are new."""
        with self.world.database() as database:
            self.baseline = {kind: set(self._rows(database, kind)) for kind in ROWS}
            self.baseline["run"] = {id for (id,) in database.execute("SELECT id FROM executions").fetchall()}
            database.execute("DELETE FROM quota_usage")
            database.execute("DELETE FROM invitations")

    def _rows(self, database: psycopg.Connection[Any], kind: str) -> dict[str, tuple[str, str]]:
        return {id: (status, reason) for id, status, reason in database.execute(ROWS[kind].rows).fetchall()}

    def _audit_rows(
        self, database: psycopg.Connection[Any], kind: str, asks: Sequence[Ask], findings: Findings
    ) -> None:
        rows = self._rows(database, kind)
        for ask in asks:
            status, reason = rows.get(ask.id, ("gone", ""))
            if ask.refused:
                findings.lost.append(f"{ask.name} was refused: {ask.refused}")
            elif ask.id and status == "gone":
                findings.lost.append(f"{ask.name} {ask.id} is gone")
            elif status in ("failed", "unknown"):
                told = any(name in reason for name in _TOLD)
                (findings.told if told else findings.lost).append(f"{ask.name} {ask.id} is {status}: {reason}")
        ids = Counter(ask.id for ask in asks if ask.id)
        if kind != CoverTopics.kind:
            same = [id for id, count in ids.items() if count > 1]
            findings.lost += [f"{kind} {id} stands for several that were asked for" for id in same]
        expected = ids.keys() | self.baseline.get(kind, set())
        if kind == "article":
            expected |= {id for made in self._made_by_runs() for id in made}
            expected |= {id for (id,) in database.execute(_TRANSLATED).fetchall()}
        findings.doubled += [f"nobody asked for {kind} {id}" for id in sorted(rows.keys() - expected)]

    def _audit_runs(self, findings: Findings) -> None:
        """Each was to write one article, and the schedule came due once for each agent."""
        findings.doubled += [f"a run wrote {len(made)} articles" for made in self._made_by_runs() if len(made) > 1]
        with self.world.database() as database:
            fired = Counter(
                agent for id, agent in database.execute(_FIRED).fetchall() if id not in self.baseline.get("run", set())
            )
        findings.doubled += [f"{agent} was fired {count} times" for agent, count in fired.items() if count > 1]
        if len(fired) < SCHEDULED_AGENTS:
            findings.lost.append(f"the schedule fired for {len(fired)} of {SCHEDULED_AGENTS} agents")

    def _audit_charges(self, database: psycopg.Connection[Any], findings: Findings) -> None:
        kinds = {"articles": "article", "translationCredits": "translation", "enrichments": "enrichment"}
        for quota, sql in _CHARGED.items():
            [(due,)] = database.execute(sql, {"known": sorted(self.baseline.get(kinds[quota], set()))})
            [(used,)] = database.execute("SELECT coalesce(sum(used), 0) FROM quota_usage WHERE quota = %s", (quota,))
            if used != due:
                findings.charged.append(f"{used} {quota} are charged for {due}")

    def _audit_posts(self, asks: Sequence[Ask], findings: Findings) -> None:
        posts = Counter(self.world.peers.blog.posts())
        with self.world.database() as database:
            expected = Counter(title for (title,) in database.execute(_TITLES).fetchall())
        findings.doubled += [
            f"{count} posts too many are called {title}" for title, count in (posts - expected).items()
        ]
        with self.world.database() as database:
            rows = self._rows(database, "publication")
        for ask in asks:
            if ask.kind == "publication" and ask.id:
                status = rows.get(ask.id, ("gone",))[0]
                if (status == "published") != bool(posts[ask.name]) and status != "unknown":
                    findings.lost.append(f"{ask.name} is {status} with {posts[ask.name]} posts at the target")
