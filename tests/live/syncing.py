"""What must hold while a site of 500 pages and a folder of 200 files are followed: through edits, renames, deletions, a
service that is killed in the middle of a sync, and a site that goes away in all the ways that sites do. After each the
knowledge base is what a fresh import gives, but for what waits for the end of its grace period."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from attrs import define, field, frozen

from tests.live.product import Product, product
from tests.live.report import Report
from tests.process.gates import kill, restart
from tests.process.knowledge import held
from tests.process.service import connect, until
from tests.support.web_server import WebServer

NAME: Final = "syncing"
PAGES: Final = 500
FILES: Final = 200
GRACE_DAYS: Final = 7
_SECONDS: Final = 240.0
_MODIFIED: Final = "Mon, 05 Jan 2026 08:00:{:02} GMT"
_PAGE: Final = """<!doctype html><html lang="en"><head><title>{title}</title></head><body><main><article>
<h1>{title}</h1><p>{text}</p></article></main></body></html>"""


@frozen
class Said:
    """What a page or file says. `revision`: another text of the same number."""

    number: int
    revision: int = 0

    @property
    def title(self) -> str:
        return f"Rule {self.number} of the county"

    @property
    def text(self) -> str:
        n, revision = self.number, self.revision
        return (
            f"The rule numbered {n} says that a heat pump of class {n} may make {30 + revision} decibels at the border"
            f" of plot {n}, measured by an engineer of office {n * 7}. Whoever builds within {n + 3} metres of it asks"
            f" department {n * 11} first, and waits {revision + 2} weeks for the answer that the county gives."
        )


@define
class Mirror:
    """`pages`, `files`: what the site and the folder say now, by path and by name; `leaving`: what they said of what is
    gone since less than the grace period. Every second page has a date in the sitemap, the others an ETag or a
    Last-Modified alone."""

    product: Product
    server: WebServer
    folder: Path
    site: str = ""
    files_source: str = ""
    pages: dict[str, Said] = field(factory=dict)
    files: dict[str, Said] = field(factory=dict)
    leaving: dict[str, Said] = field(factory=dict)
    most_memory: int = 0
    figures: list[str] = field(factory=list)

    async def call(self, method: str, path: str, body: object = None) -> Any:
        answer = await self.product.http.request(method, path, json=body)
        assert answer.status_code == 200, f"{method} {path}: {answer.text}"
        return answer.json()

    def page(self, path: str, said: Said) -> None:
        body = _PAGE.format(title=said.title, text=said.text)
        match said.number % 4:
            case 1:
                self.server.put(path, body, etag=f'"{said.number}-{said.revision}"')
            case 3:
                self.server.put(path, body, last_modified=_MODIFIED.format(said.revision))
            case _:
                self.server.put(path, body)
        self.pages[path] = said

    def no_page(self, path: str) -> Said:
        self.server.status(path, 404)
        return self.pages.pop(path)

    def sitemap(self) -> None:
        """An index of two sitemaps, each with half of the pages."""
        rows = [self._row(path, said) for path, said in self.pages.items()]
        for name, some in (("a", rows[::2]), ("b", rows[1::2])):
            self.server.put(f"/{name}.xml", f"<urlset>{''.join(some)}</urlset>", "application/xml")
        index = "".join(f"<sitemap><loc>{self.server.url(f'/{name}.xml')}</loc></sitemap>" for name in "ab")
        self.server.put("/sitemap.xml", f"<sitemapindex>{index}</sitemapindex>", "application/xml")

    def _row(self, path: str, said: Said) -> str:
        dated = f"<lastmod>2026-01-{1 + said.revision:02}</lastmod>" if _is_dated(said) else ""
        return f"<url><loc>{self.server.url(path)}</loc>{dated}</url>"

    def file(self, name: str, said: Said) -> None:
        (self.folder / name).write_text(f"# {said.title}\n\n{said.text}\n", "utf-8")
        self.files[name] = said

    async def follow(self, kind: str, place: str, niche: str, grace: int = GRACE_DAYS) -> str:
        body = {"kind": kind, "name": kind, "place": place, "nicheKey": niche, "graceDays": grace, "everyHours": 720}
        id: str = (await self.call("POST", "/sources", body))["id"]
        return id

    async def ended(self, source: str) -> dict[str, Any]:
        """The report of the sync under way."""
        async with asyncio.timeout(_SECONDS):
            while (found := await self.call("GET", f"/sources/{source}"))["syncing"]:
                self.most_memory = max(self.most_memory, _peak(self.product))
                await asyncio.sleep(0.2)
        report: dict[str, Any] = found["lastSync"]
        counted = report["added"] + report["changed"] + report["unchanged"] + sum(report["skipped"].values())
        assert counted == report["listed"], f"not all that is listed is counted: {report}"
        return report

    async def synced(self, source: str) -> dict[str, Any]:
        await self.call("POST", f"/sources/{source}/sync")
        return await self.ended(source)

    async def killed_after(self, asked: int) -> None:
        """Kill the service once the site was asked so often from now on, and start it again."""
        before = len(self.server.visits)
        await asyncio.to_thread(
            until, lambda: len(self.server.visits) - before >= asked, 60, "the requests of a sync to be killed"
        )
        self.most_memory = max(self.most_memory, _peak(self.product))
        workers = await asyncio.to_thread(kill, self.product.service)
        await asyncio.to_thread(restart, self.product.service, workers)

    def days_go_by(self, days: int) -> None:
        """What is missing is so since some days more."""
        with connect(self.product.service.data_dir) as database:
            database.execute("UPDATE synced_items SET missing_since = missing_since - %s", (timedelta(days=days),))

    def documents(self, source: str) -> dict[str, tuple[str, str]]:
        return held(self.product.service, source)

    async def assert_mirrored(self) -> None:
        """Both sources have what a fresh import gives, and beside it only what is leaving, as it was."""
        fresh = await self._fresh()
        for source, imported in zip((self.site, self.files_source), fresh, strict=True):
            found = {key: text for key, (_, text) in self.documents(source).items()}
            staying = {key: text for key, text in found.items() if key not in self.leaving}
            assert staying == imported, _difference(staying, imported)
        left = {**self.documents(self.site), **self.documents(self.files_source)}
        for key, said in self.leaving.items():
            assert said.text in left[key][1], f"{key} left before the end of its grace period, or changed"

    async def _fresh(self) -> list[dict[str, str]]:
        niche = (await self.call("POST", "/niches", {"name": "Afresh"}))["nicheKey"]
        imported = []
        for kind, place in (("sitemap", self.server.url("/")), ("folder", str(self.folder))):
            source = await self.follow(kind, place, niche)
            await self.ended(source)
            imported.append({key: text for key, (_, text) in self.documents(source).items()})
            await self.call("DELETE", f"/sources/{source}")
            assert not self.documents(source), "a source that is deleted takes its documents along"
        await self.call("DELETE", f"/niches/{niche}")
        expected = {self.server.url(path): said for path, said in self.pages.items()}
        for texts, says in zip(imported, (expected, self.files), strict=True):
            assert texts.keys() == says.keys()
            assert all(says[key].text in text for key, text in texts.items())
        return imported


def _is_dated(said: Said) -> bool:
    return said.number % 2 == 0


def _difference(found: dict[str, str], expected: dict[str, str]) -> str:
    keys = sorted(key for key in found.keys() | expected.keys() if found.get(key) != expected.get(key))
    return f"{len(keys)} items differ from a fresh import: {keys[:5]}"


def _peak(served: Product) -> int:
    """The most memory of the service's process so far, in MB; 0 where the system does not say."""
    process = served.service.process
    try:
        assert process is not None
        status = Path(f"/proc/{process.pid}/status").read_text("utf-8")
    except OSError:
        return 0
    return next((int(line.split()[1]) // 1024 for line in status.splitlines() if line.startswith("VmHWM:")), 0)


async def a_first_sync_survives_a_kill(mirror: Mirror) -> None:
    for n in range(PAGES):
        mirror.page(f"/rules/{n}", Said(n))
    for n in range(FILES):
        mirror.file(f"{n:03}.md", Said(n + 10_000))
    mirror.sitemap()
    niche = (await mirror.call("POST", "/niches", {"name": "Rules"}))["nicheKey"]
    mirror.site = await mirror.follow("sitemap", mirror.server.url("/"), niche)
    await mirror.killed_after(PAGES // 2)
    report = await mirror.ended(mirror.site)
    assert (report["outcome"], report["added"], report["skipped"]) == ("done", PAGES, {}), report
    asked = sum(visit.path.startswith("/rules/") for visit in mirror.server.visits)
    assert asked <= PAGES + 50, f"{asked} pages were asked for: what was stored before the kill is not read again"
    mirror.files_source = await mirror.follow("folder", str(mirror.folder), niche)
    report = await mirror.ended(mirror.files_source)
    assert (report["outcome"], report["added"], report["skipped"]) == ("done", FILES, {}), report
    await mirror.assert_mirrored()
    mirror.figures.append(f"first sync of {PAGES} pages with a kill in the middle: {asked} pages asked for")


async def a_second_sync_downloads_nothing(mirror: Mirror) -> None:
    before = mirror.documents(mirror.site)
    asked, began = len(mirror.server.visits), asyncio.get_running_loop().time()
    report = await mirror.synced(mirror.site)
    assert (report["unchanged"], report["added"], report["changed"]) == (PAGES, 0, 0), report
    visits = [visit for visit in mirror.server.visits[asked:] if visit.path.startswith("/rules/")]
    assert len(visits) == PAGES // 2, "pages with a date in the sitemap are not asked for"
    assert all(visit.is_unchanged for visit in visits), "a page was downloaded again"
    assert mirror.documents(mirror.site) == before
    seconds = asyncio.get_running_loop().time() - began
    mirror.figures.append(f"second sync: {len(visits)} pages asked for, none downloaded, {seconds:.1f} s")


async def edits_renames_and_deletions_survive_a_kill(mirror: Mirror) -> None:
    before = {**mirror.documents(mirror.site), **mirror.documents(mirror.files_source)}
    paths, names = list(mirror.pages), list(mirror.files)
    edited, moved, gone = paths[:60], paths[60:80], paths[80:100]
    for path in edited:
        mirror.page(path, Said(mirror.pages[path].number, 1))
    for path in moved:
        said = mirror.no_page(path)
        mirror.leaving[mirror.server.url(path)] = said
        mirror.page(f"/moved{path}", said)
    for path in gone:
        mirror.leaving[mirror.server.url(path)] = mirror.no_page(path)
    for n in range(PAGES, PAGES + 20):
        mirror.page(f"/rules/{n}", Said(n))
    mirror.sitemap()
    for name in names[:20]:
        mirror.file(name, Said(mirror.files[name].number, 1))
    for name in names[20:40]:
        mirror.folder.joinpath(name).rename(mirror.folder / f"moved-{name}")
        mirror.files[f"moved-{name}"] = mirror.files.pop(name)
    for name in names[40:50]:
        mirror.folder.joinpath(name).unlink()
        mirror.leaving[name] = mirror.files.pop(name)
    for n in range(FILES, FILES + 10):
        mirror.file(f"{n:03}.md", Said(n + 10_000))
    asked, began = len(mirror.server.visits), asyncio.get_running_loop().time()
    for source in (mirror.site, mirror.files_source):
        await mirror.call("POST", f"/sources/{source}/sync")
    await mirror.killed_after(60)
    site, files = await mirror.ended(mirror.site), await mirror.ended(mirror.files_source)
    assert (site["outcome"], site["added"], site["changed"]) == ("done", 40, 60), site
    assert (site["missing"], site["removed"]) == (40, 0), site
    assert (files["added"], files["changed"], files["missing"], files["removed"]) == (10, 20, 10, 0), files
    downloaded = sum(not v.is_unchanged for v in mirror.server.visits[asked:] if "/rules/" in v.path)
    assert downloaded <= 100 + 25, f"{downloaded} pages were downloaded, of 100 that are new or changed"
    seconds = asyncio.get_running_loop().time() - began
    await mirror.assert_mirrored()
    after = {**mirror.documents(mirror.site), **mirror.documents(mirror.files_source)}
    for name in names[20:40]:
        assert after[f"moved-{name}"][0] == before[name][0], "a file with another name is the same document"
    for key in (*map(mirror.server.url, edited), *names[:20]):
        assert after[key][0] == before[key][0], "what is edited stays the same document"
    mirror.figures.append(f"edits of 100 pages and 60 files with a kill: {downloaded} downloaded, {seconds:.1f} s")


async def what_is_gone_leaves_after_its_grace_period_and_not_before(mirror: Mirror) -> None:
    mirror.days_go_by(GRACE_DAYS - 1)
    for source in (mirror.site, mirror.files_source):
        assert (await mirror.synced(source))["removed"] == 0
    await mirror.assert_mirrored()
    mirror.days_go_by(1)
    assert (await mirror.synced(mirror.site))["removed"] == 40
    assert (await mirror.synced(mirror.files_source))["removed"] == 10
    mirror.leaving.clear()
    await mirror.assert_mirrored()


async def a_site_that_goes_away_takes_nothing_with_it(mirror: Mirror) -> None:
    before = mirror.documents(mirror.site)
    server = mirror.server

    async def stays(outcome: str, says: str) -> None:
        report = await mirror.synced(mirror.site)
        assert (report["outcome"], report["missing"], report["removed"]) == (outcome, 0, 0), report
        assert says in report["error"], report
        assert mirror.documents(mirror.site) == before, f"the knowledge base changed with {says}"

    with server.refusing():
        await stays("failed", "connection failed")
    for status in (503, 404):
        server.all_status = status
        await stays("failed", f"HTTP {status}")
    server.all_status = None
    server.put("/sitemap.xml", "<html><body>We will be back soon.</body></html>")
    await stays("failed", "no sitemap")
    mirror.sitemap()
    server.status("/b.xml", 500)
    await stays("failed", "HTTP 500")
    server.put("/sitemap.xml", "<urlset></urlset>", "application/xml")
    await stays("doubtful", "nothing counts as gone")
    mirror.sitemap()
    assert (await mirror.synced(mirror.site))["unchanged"] == len(mirror.pages)
    await mirror.assert_mirrored()


async def a_site_that_stays_empty_has_its_grace_period(mirror: Mirror) -> None:
    before = mirror.documents(mirror.site)
    mirror.server.put("/sitemap.xml", "<urlset></urlset>", "application/xml")
    assert (await mirror.synced(mirror.site))["outcome"] == "doubtful"
    report = await mirror.synced(mirror.site)
    assert (report["outcome"], report["missing"], report["removed"]) == ("done", len(mirror.pages), 0), report
    mirror.days_go_by(GRACE_DAYS - 1)
    assert (await mirror.synced(mirror.site))["removed"] == 0
    assert mirror.documents(mirror.site) == before
    mirror.sitemap()
    asked = len(mirror.server.visits)
    report = await mirror.synced(mirror.site)
    assert (report["unchanged"], report["missing"], report["removed"]) == (len(mirror.pages), 0, 0), report
    assert all(visit.is_unchanged for visit in mirror.server.visits[asked:] if "/rules/" in visit.path)
    assert mirror.documents(mirror.site) == before
    await mirror.assert_mirrored()


async def pages_that_all_answer_404_are_doubted_first(mirror: Mirror) -> None:
    """The sitemap is there, and names what is not."""
    before = mirror.documents(mirror.site)
    said = dict(mirror.pages)
    for path in said:
        mirror.no_page(path)
    mirror.pages.update({path: Said(each.number, each.revision + 1) for path, each in said.items()})
    mirror.sitemap()
    report = await mirror.synced(mirror.site)
    assert (report["outcome"], report["missing"], report["removed"]) == ("doubtful", 0, 0), report
    assert mirror.documents(mirror.site) == before
    for path, each in said.items():
        mirror.page(path, Said(each.number, each.revision + 1))
    report = await mirror.synced(mirror.site)
    assert (report["changed"], report["missing"], report["removed"]) == (len(said), 0, 0), report
    await mirror.assert_mirrored()
    assert {key: id for key, (id, _) in mirror.documents(mirror.site).items()} == {
        key: id for key, (id, _) in before.items()
    }, "documents keep their identity"


async def nothing_was_told_as_an_error_of_ours(mirror: Mirror) -> None:
    mirror.figures.append(f"{len(mirror.server.visits)} requests in all, {mirror.most_memory} MB at most")
    assert mirror.most_memory, "no memory was measured"
    assert "Traceback" not in mirror.product.service.log()


SYNCING: Final = (
    a_first_sync_survives_a_kill,
    a_second_sync_downloads_nothing,
    edits_renames_and_deletions_survive_a_kill,
    what_is_gone_leaves_after_its_grace_period_and_not_before,
    a_site_that_goes_away_takes_nothing_with_it,
    a_site_that_stays_empty_has_its_grace_period,
    pages_that_all_answer_404_are_doubted_first,
    nothing_was_told_as_an_error_of_ours,
)


async def check_syncing(report: Report) -> None:
    async with _mirror() as mirror:
        await report.run(NAME, SYNCING, mirror)
        for each in mirror.figures:
            report.console.print(f"{NAME}: {each}", markup=False)


@asynccontextmanager
async def _mirror() -> AsyncIterator[Mirror]:
    with tempfile.TemporaryDirectory(prefix="contentgen-rules-") as folder, WebServer() as server:
        async with product([server.url("/")], {"CONTENTGEN_SOURCE_FOLDERS": folder}) as served:
            yield Mirror(served, server, Path(folder))
