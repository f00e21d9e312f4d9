"""Chromium for the tests: the machine's, else Debian's, unpacked into `.tools` without touching the machine."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, sync_playwright

from tests.live.debian import unpacked
from tests.live.peers import CannotInstall

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
UNPACKED: Final = Path(__file__).parents[2] / ".tools" / "chromium"
_ARGUMENTS: Final = (
    "--no-sandbox",  # it refuses to run as root otherwise, as in most containers
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--font-render-hinting=none",
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless Chromium. Raises CannotInstall, which says what to install."""
    program, environment = _program()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=list(_ARGUMENTS), env=dict(environment) if environment else None
        )
        try:
            yield browser
        finally:
            browser.close()


def _program() -> tuple[str, Mapping[str, str | float | bool] | None]:
    for name in NAMES:
        if found := shutil.which(name):
            return found, None
    try:
        programs = asyncio.run(unpacked(UNPACKED, ["chromium"]))
        # Beside its wrapper script, which looks for its parts in the machine's own folders.
        return str(programs.folder / "usr" / "lib" / "chromium" / "chromium"), programs.environment
    except CannotInstall as error:
        raise CannotInstall(f"Install Chromium, so that `chromium` is on PATH ({error})") from error
