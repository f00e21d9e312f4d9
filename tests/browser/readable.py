"""How soon each page of the console can be read, over the demonstration: `python -m tests.browser.readable`.

Each page is loaded ROUNDS times by a browser that has nothing of the console yet. The least of each figure is told, for
other programs of the machine only add to it. /health, of a few bytes, is the reference.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from attrs import frozen
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import chromium
from tests.browser.person import Person
from tests.browser.screenshots import PAGES, TOPIC
from tests.process.service import Service, data_directory

ROUNDS: Final = 3
SECONDS: Final = 1.0
BYTES: Final = 100_000
_TIMES: Final = """async () => {
  const [navigation] = performance.getEntriesByType("navigation");
  const painted = await new Promise((found) => new PerformanceObserver((list) => {
    const [entry] = list.getEntriesByName("first-contentful-paint");
    if (entry) found(entry);
  }).observe({type: "paint", buffered: true}));
  const sent = [navigation, ...performance.getEntriesByType("resource")];
  const bytes = sent.reduce((sum, one) => sum + one.transferSize, 0);
  return {painted: painted.startTime / 1000, complete: navigation.domComplete / 1000, bytes};
}"""


@frozen
class Readable:
    """Seconds from the request of a page until its text was painted, and until it was complete with all its files;
    the bytes of all these, with the headers of the answers."""

    painted: float
    complete: float
    bytes: int


def article_of(page: Page) -> str:
    """The address of an article, written from its plan."""
    page.locator("#topic").fill(TOPIC)
    page.locator("#agent").select_option("home-energy-GB")
    page.locator("form.ask button").click()
    page.locator("form[action='/console/coverage/plan'] button").click()
    page.locator("button[value=approve]").first.click()
    expect(page.locator(".reading")).to_be_visible()
    return page.url.partition("?")[0]


def measure(browser: Browser, address: str, state: Any) -> Readable:
    """`state`: the cookies of somebody who is signed in."""
    found = []
    for _ in range(ROUNDS):
        with _unvisited(browser, state) as page:
            page.goto(address)
            found.append(page.evaluate(_TIMES))
    painted, complete, sent = (min(each[name] for each in found) for name in ("painted", "complete", "bytes"))
    return Readable(painted, complete, sent)


@contextmanager
def _unvisited(browser: Browser, state: Any) -> Iterator[Page]:
    context = browser.new_context(storage_state=state, viewport={"width": 1440, "height": 900})
    try:
        yield context.new_page()
    finally:
        context.close()


def measured(browser: Browser, service: Service) -> Mapping[str, Readable]:
    """Each page by its address, and the reference."""
    someone = Person.at(browser, service).sign_in()
    base = str(service.http.base_url).rstrip("/")
    article = article_of(someone.page).removeprefix(base)
    state = someone.context.storage_state()
    pages = ["/console", *(f"/console/{page}" for page in PAGES.values())]
    pages += [article, *(f"{article}/{part}" for part in ("review", "versions", "updates", "translations", "publish"))]
    pages += ["/console/calendar?view=week", "/console/settings/webhooks", "/health"]
    found = {page: measure(browser, f"{base}{page}", state) for page in pages}
    someone.close()
    return found


def main() -> int:
    with data_directory() as directory, chromium() as browser:
        service = Service(directory)
        try:
            service.start()
            found = measured(browser, service)
        finally:
            service.close()
    sys.stdout.write("| page | text painted | complete | sent |\n|---|---:|---:|---:|\n")
    for address, each in found.items():
        sys.stdout.write(f"| {address} | {each.painted:.2f} s | {each.complete:.2f} s | {each.bytes / 1000:.0f} KB |\n")
    return int(any(each.painted > SECONDS or each.bytes > BYTES for each in found.values()))


if __name__ == "__main__":
    sys.exit(main())
