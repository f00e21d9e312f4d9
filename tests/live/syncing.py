"""What must hold while a site of 500 pages and a folder of 200 files are followed: through edits, renames, deletions, a
service that is killed in the middle of a sync, and a site that goes away in all the ways that sites do. After each the
knowledge base is what a fresh import gives, but for what waits for the end of its grace period."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from math import ceil
from pathlib import Path
from typing import Final

from tests.live.mirror import FILES, GRACE_DAYS, PAGES, Mirror, Said, html
from tests.live.product import product
from tests.live.report import Report
from tests.support.web_server import WebServer

NAME: Final = "syncing"


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
    in_turn = ceil(PAGES / 2 / 7)
    assert len(visits) == PAGES // 2 + in_turn, "of pages with a date in the sitemap a seventh is asked for"
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
        mirror.page(f"/moved{path}", mirror.no_page(path))
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
    assert (site["outcome"], site["added"], site["changed"]) == ("done", 20, 60), site
    assert (site["missing"], site["removed"]) == (20, 0), site
    assert (files["added"], files["changed"], files["missing"], files["removed"]) == (10, 20, 10, 0), files
    downloaded = sum(not v.is_unchanged for v in mirror.server.visits[asked:] if v.path in mirror.pages)
    assert downloaded <= 100 + 25, f"{downloaded} pages were downloaded, of 100 that are new or changed"
    seconds = asyncio.get_running_loop().time() - began
    await mirror.assert_mirrored()
    after = {**mirror.documents(mirror.site), **mirror.documents(mirror.files_source)}
    for name in names[20:40]:
        assert after[f"moved-{name}"][0] == before[name][0], "a file with another name is the same document"
    for path in moved:
        known, found = before[mirror.server.url(path)], after[mirror.server.url(f"/moved{path}")]
        assert known[0] == found[0], "a page at another address is the same document"
    for key in (*map(mirror.server.url, edited), *names[:20]):
        assert after[key][0] == before[key][0], "what is edited stays the same document"
    mirror.figures.append(f"edits of 100 pages and 60 files with a kill: {downloaded} downloaded, {seconds:.1f} s")


async def what_is_gone_leaves_after_its_grace_period_and_not_before(mirror: Mirror) -> None:
    mirror.days_go_by(GRACE_DAYS - 1)
    for source in (mirror.site, mirror.files_source):
        assert (await mirror.synced(source))["removed"] == 0
    await mirror.assert_mirrored()
    mirror.days_go_by(1)
    assert (await mirror.synced(mirror.site))["removed"] == 20
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
        await stays("failed", "nothing answers")
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


async def a_site_that_stays_empty_is_believed_once_a_person_accepts(mirror: Mirror) -> None:
    before = mirror.documents(mirror.site)
    mirror.server.put("/sitemap.xml", "<urlset></urlset>", "application/xml")
    for _ in range(2):
        report = await mirror.synced(mirror.site)
        assert (report["outcome"], report["missing"], report["removed"]) == ("doubtful", 0, 0), report
        mirror.days_go_by(GRACE_DAYS)
    report = await mirror.accepted(mirror.site)
    assert (report["outcome"], report["missing"], report["removed"]) == ("done", len(mirror.pages), 0), report
    mirror.days_go_by(GRACE_DAYS - 1)
    assert (await mirror.synced(mirror.site))["removed"] == 0, "what was accepted has its grace period"
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


async def a_list_of_pages_and_a_feed_are_followed(mirror: Mirror) -> None:
    """Pages that all become one page for sale, and a feed that gives its entries other ids, cost nothing."""
    niche = (await mirror.call("POST", "/niches", {"name": "Some of them"}))["nicheKey"]
    some = dict(list(mirror.pages.items())[:200])
    listed = await mirror.follow("pages", "\n".join(map(mirror.server.url, some)), niche)
    assert (await mirror.ended(listed))["added"] == len(some)
    before = mirror.documents(listed)
    sale = html("For sale", f"This domain is for sale. {'Ask for it. ' * 20}")
    for path in some:
        mirror.server.put(path, sale)
    for _ in range(2):
        report = await mirror.synced(listed)
        assert (report["outcome"], report["skipped"]) == ("doubtful", {"doubtful": len(some)}), report
        assert (report["changed"], report["missing"], report["removed"]) == (0, 0, 0), report
        assert mirror.documents(listed) == before
    for path, said in some.items():
        mirror.page(path, said)
    report = await mirror.synced(listed)
    assert (report["outcome"], report["unchanged"], report["missing"]) == ("done", len(some), 0), report
    await mirror.call("PATCH", f"/sources/{listed}", {"place": "\n".join(map(mirror.server.url, list(some)[:50]))})
    report = await mirror.synced(listed)
    assert (report["outcome"], report["missing"]) == ("done", len(some) - 50), "the owner of a list is believed"
    _feed(mirror, list(some)[:20], "a")
    feed = await mirror.follow("feed", mirror.server.url("/feed"), niche)
    assert (await mirror.ended(feed))["skipped"] == {"duplicate": 20}, "the other source has them"
    await mirror.call("DELETE", f"/sources/{listed}")
    assert (await mirror.synced(feed))["added"] == 20
    known = mirror.documents(feed)
    _feed(mirror, list(some)[10:30], "b")
    report = await mirror.synced(feed)
    assert (report["added"], report["missing"], report["removed"]) == (10, 0, 0), report
    assert mirror.documents(feed).items() >= known.items()
    await mirror.call("DELETE", f"/sources/{feed}")


def _feed(mirror: Mirror, paths: Sequence[str], ids: str) -> None:
    entries = "".join(
        f"<item><guid>{ids}{n}</guid><link>{mirror.server.url(path)}</link><title>T</title></item>"
        for n, path in enumerate(paths)
    )
    mirror.server.put("/feed", f"<rss version='2.0'><channel>{entries}</channel></rss>", "application/rss+xml")


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
    a_site_that_stays_empty_is_believed_once_a_person_accepts,
    pages_that_all_answer_404_are_doubted_first,
    a_list_of_pages_and_a_feed_are_followed,
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
