"""A site of 500 pages and a folder of 200 files, what they say now, and the service that follows them."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from attrs import define, field, frozen

from tests.live.product import Product
from tests.process.gates import kill, restart
from tests.process.knowledge import held
from tests.process.service import connect, until
from tests.support.web_server import WebServer

PAGES: Final = 500
FILES: Final = 200
GRACE_DAYS: Final = 7
_SECONDS: Final = 240.0
_MODIFIED: Final = "Mon, 05 Jan 2026 08:00:{:02} GMT"
_PAGE: Final = """<!doctype html><html lang="en"><head><title>{title}</title></head><body><main><article>
<h1>{title}</h1><p>{text}</p></article></main></body></html>"""


def html(title: str, text: str) -> str:
    return _PAGE.format(title=title, text=text)


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
    gone since less than the grace period. Every second page has a date in the sitemap; all have an ETag or a
    Last-Modified."""

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
        body = html(said.title, said.text)
        if said.number % 4 == 1:
            self.server.put(path, body, etag=f'"{said.number}-{said.revision}"')
        else:
            self.server.put(path, body, last_modified=_MODIFIED.format(said.revision))
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
        body = {"kind": kind, "name": kind, "place": place, "nicheKey": niche, "graceDays": grace, "everyHours": 24}
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

    async def accepted(self, source: str) -> dict[str, Any]:
        """The report of the sync that takes over what the source says."""
        await self.call("POST", f"/sources/{source}/accept")
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
