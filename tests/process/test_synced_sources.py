"""A site and a folder, kept in sync by a real service through edits, renames, deletions, a kill and a site that goes
away."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil
from pathlib import Path
from typing import Any

import httpx
from attrs import define, field

from tests.process.gates import kill, restart
from tests.process.knowledge import held
from tests.process.service import Service, figure, until
from tests.support.web_server import WebServer

PAGES = 30
FILES = 12
NICHE = "home-energy"
_PAGE = """<!doctype html><html lang="en"><head><title>Rule {n} of the county</title></head><body><main><article>
<h1>Rule {n} of the county</h1><p>{text}</p></article></main></body></html>"""


def words(kind: str, n: int, revision: int) -> str:
    return (
        f"The {kind} numbered {n} says that a heat pump of class {n} may make {30 + revision} decibels at the border of"
        f" plot {n}, measured by an engineer of office {n * 7}. Whoever builds within {n + 3} metres of it asks"
        f" department {n * 11} first, and waits {revision + 2} weeks for the answer that the county gives."
    )


@define
class Place:
    """A site with a sitemap, and a folder; what each says now, by page or file."""

    server: WebServer
    folder: Path
    pages: dict[str, tuple[int, int]] = field(factory=dict)
    files: dict[str, str] = field(factory=dict)

    def page(self, n: int, revision: int = 0) -> None:
        text = words("rule", n, revision)
        self.server.put(f"/rules/{n}", _PAGE.format(n=n, text=text), etag=f'"{n}-{revision}"')
        self.pages[f"/rules/{n}"] = (n, revision)

    def no_page(self, n: int) -> None:
        self.server.status(f"/rules/{n}", 404)
        del self.pages[f"/rules/{n}"]

    def file(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, "utf-8")
        self.files[name] = text

    def rename(self, name: str, other: str) -> None:
        (self.folder / name).rename(self.folder / other)
        self.files[other] = self.files.pop(name)

    def no_file(self, name: str) -> None:
        (self.folder / name).unlink()
        del self.files[name]

    def sitemap(self) -> None:
        rows = "".join(
            f"<url><loc>{self.server.url(path)}</loc><lastmod>2026-01-{1 + revision:02}</lastmod></url>"
            for path, (_, revision) in self.pages.items()
        )
        self.server.put("/sitemap.xml", f"<urlset>{rows}</urlset>", "application/xml")

    def asked(self) -> int:
        return sum(visit.path.startswith("/rules/") for visit in list(self.server.visits))


def synced(client: httpx.Client, source: dict[str, Any], seconds: float = 60) -> dict[str, Any]:
    """The report of the sync under way."""

    def ended() -> dict[str, Any] | None:
        found: dict[str, Any] = client.get(f"/sources/{source['id']}").json()
        return None if found["syncing"] else found

    report: dict[str, Any] = until(ended, seconds, lambda: client.get(f"/sources/{source['id']}").text)["lastSync"]
    return report


def sync(client: httpx.Client, source: dict[str, Any]) -> dict[str, Any]:
    assert client.post(f"/sources/{source['id']}/sync").status_code == 200
    return synced(client, source)


def assert_same(service: Service, place: Place, site: dict[str, Any], folder: dict[str, Any]) -> None:
    """What the knowledge base has is what the places say, each once, and nothing else."""
    pages = {place.server.url(path): words("rule", *of) for path, of in place.pages.items()}
    found = held(service, site["id"])
    assert found.keys() == pages.keys()
    assert all(pages[key] in text for key, (_, text) in found.items())
    files = held(service, folder["id"])
    assert files.keys() == place.files.keys()
    assert all(place.files[key].partition("\n\n")[2].strip() in text for key, (_, text) in files.items())


def test_a_site_and_a_folder_are_mirrored_through_all_that_happens(
    serve: Callable[..., Service], tmp_path: Path
) -> None:
    with WebServer() as server:
        place = Place(server, tmp_path / "handbook")
        place.folder.mkdir()
        for n in range(PAGES):
            place.page(n)
        for n in range(FILES):
            place.file(f"{n:03}.md", f"# Chapter {n}\n\n{words('chapter', n, 0)}\n")
        place.sitemap()
        env = {"CONTENTGEN_ALLOWED_PRIVATE_HOSTS": server.host, "CONTENTGEN_SOURCE_FOLDERS": str(tmp_path)}
        service = serve(env)
        service.start()
        with service.client() as client:
            new = {"nicheKey": NICHE, "graceDays": 0}
            site = client.post("/sources", json=new | {"kind": "sitemap", "name": "S", "place": server.url("/")}).json()
            until(lambda: place.asked() > PAGES // 2, 60, lambda: client.get("/sources").text)
            restart(service, kill(service))
        with service.client() as client:
            began = time.monotonic()
            report = synced(client, site, 60 + PAGES / 5)
            assert (report["outcome"], report["listed"], report["added"]) == ("done", PAGES, PAGES), report
            folder = client.post(
                "/sources", json=new | {"kind": "folder", "name": "F", "place": str(place.folder)}
            ).json()
            report = synced(client, folder, 60 + FILES / 5)
            assert (report["outcome"], report["added"], report["skipped"]) == ("done", FILES, {}), report
            figure(f"{PAGES} pages and {FILES} files, with a kill: {time.monotonic() - began:.1f} s after it")
            assert_same(service, place, site, folder)
            _edit(service, client, place, site, folder)
            _go_away(service, client, place, site, folder)
        assert "Traceback" not in service.log()


def _edit(service: Service, client: httpx.Client, place: Place, site: dict[str, Any], folder: dict[str, Any]) -> None:
    before, asked, began = held(service, folder["id"]), place.asked(), time.monotonic()
    for n in range(0, PAGES, 10):
        place.page(n, 1)
    place.no_page(1)
    place.page(PAGES)
    place.sitemap()
    place.rename("001.md", "moved.md")
    place.file("002.md", f"# Chapter 2\n\n{words('chapter', 2, 1)}\n")
    place.no_file("003.md")
    report = sync(client, site)
    edited = len(range(0, PAGES, 10))
    in_turn = ceil((PAGES - 1 - edited) / 7)
    assert {name: report[name] for name in ("added", "changed", "removed", "read")} == {
        "added": 1,
        "changed": edited,
        "removed": 1,
        "read": edited + 1 + in_turn,
    }, report
    assert place.asked() - asked == edited + 1 + in_turn + 1, "what changed, a seventh, and where the missing page is"
    report = sync(client, folder)
    assert (report["added"], report["changed"], report["removed"]) == (0, 1, 1), report
    after = held(service, folder["id"])
    assert after["moved.md"][0] == before["001.md"][0], "a file with another name is the same document"
    assert after["002.md"][0] == before["002.md"][0]
    assert_same(service, place, site, folder)
    figure(f"the edits: {time.monotonic() - began:.1f} s")


def _go_away(
    service: Service, client: httpx.Client, place: Place, site: dict[str, Any], folder: dict[str, Any]
) -> None:
    place.server.status("/sitemap.xml", 503)
    report = sync(client, site)
    assert (report["outcome"], "503" in report["error"]) == ("failed", True), report
    assert_same(service, place, site, folder)
    place.server.put("/sitemap.xml", "<urlset></urlset>", "application/xml")
    report = sync(client, site)
    assert (report["outcome"], report["missing"], report["removed"]) == ("doubtful", 0, 0), report
    assert_same(service, place, site, folder)
    place.sitemap()
    report = sync(client, site)
    assert (report["outcome"], report["unchanged"], report["read"]) == ("done", PAGES, ceil(PAGES / 7)), report
    assert_same(service, place, site, folder)
