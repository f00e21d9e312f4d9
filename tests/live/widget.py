"""The widget in a real headless Chromium: inside a sandboxed frame of another site it shows its trends, runs nothing
and asks nobody for anything."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import uvicorn
from attrs import define, field
from litestar.types import ASGIApp, Receive, Scope, Send

from contentgen_http.app import create_app
from tests.live.peers import CannotInstall
from tests.support.changed import changed
from tests.support.house import open_house
from tests.support.http import Generous
from tests.support.public import EVIL, a_trend, add_trends

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
SECONDS: Final = 60.0
WIDGET: Final = "/public/widget/trends?format=html&theme=light"
CANARY: Final = "/canary"
# Says so if anything in the frame runs, reaches its parent or leads it elsewhere.
HOST_PAGE: Final = """<!doctype html>
<html><head><meta charset="utf-8"><title>Another site</title><link rel="icon" href="data:,"></head><body>
<h1>Another site</h1>
<iframe id="trends" sandbox="allow-popups" width="400" height="400" src="{widget}"></iframe>
<script>
const heard = [];
addEventListener("message", (event) => heard.push(event.data));
addEventListener("load", () => setTimeout(() => {{
  const told = document.createElement("p");
  told.textContent = `messages: ${{heard.length}}; frames: ${{frames.length}}`;
  document.body.append(told);
}}, 500));
</script></body></html>
"""


@define
class Visits:
    """The application, and which addresses it was asked for. One page more: the site that has the frame."""

    app: ASGIApp
    host_page: bytes = b""
    asked: list[str] = field(factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        details: dict[str, Any] = scope  # type: ignore[assignment]
        if scope["type"] == "http":
            query = details["query_string"].decode()
            self.asked.append(details["path"] + (f"?{query}" if query else ""))
            if details["path"] == "/host":
                headers = [(b"content-type", b"text/html; charset=utf-8")]
                await send({"type": "http.response.start", "status": 200, "headers": headers})
                await send({"type": "http.response.body", "body": self.host_page, "more_body": False})
                return
        await self.app(scope, receive, send)


@asynccontextmanager
async def _served() -> AsyncIterator[tuple[str, Visits]]:
    async with open_house() as house:
        harm = f'<script>fetch("{CANARY}");parent.postMessage("ran","*")</script><img src="{CANARY}">{EVIL}'
        await add_trends(house.services.ports.unit_of_work, a_trend("heat", 80), a_trend("evil", 70, title=harm))
        visits = Visits(create_app(changed(house.services, ports={"rate_limiter": Generous()})))
        server = uvicorn.Server(uvicorn.Config(visits, port=0, log_config=None, access_log=False, lifespan="on"))
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        # Another name of this machine is another site to a browser.
        visits.host_page = HOST_PAGE.format(widget=f"http://localhost:{port}{WIDGET}").encode()
        try:
            yield f"http://127.0.0.1:{port}", visits
        finally:
            server.should_exit = True
            await serving


async def _chromium(profile: Path, *arguments: str) -> str:
    """What it prints. Raises CannotInstall where there is none."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        raise CannotInstall("there is no Chromium on this machine")
    process = await asyncio.create_subprocess_exec(
        found, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-logging=stderr",
        f"--user-data-dir={profile}", "--virtual-time-budget=3000", *arguments,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        said, logged = await asyncio.wait_for(process.communicate(), SECONDS)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, logged.decode("utf-8", "replace")[-2000:]
    console = [line for line in logged.decode("utf-8", "replace").splitlines() if "CONSOLE" in line]
    assert not console, f"the page is told off: {console}"
    return said.decode("utf-8", "replace")


async def the_widget_shows_trends_in_a_sandboxed_frame_and_does_nothing_else() -> None:
    """Raises AssertionError, and CannotInstall without a Chromium."""
    with tempfile.TemporaryDirectory(prefix="contentgen-widget-", ignore_cleanup_errors=True) as folder:
        async with _served() as (address, visits):
            host = await _chromium(Path(folder) / "a", "--dump-dom", f"{address}/host")
            assert sorted(visits.asked) == ["/host", WIDGET], f"asked for: {visits.asked}"
            assert "messages: 0; frames: 1" in host, host
            visits.asked.clear()
            shown = await _chromium(Path(folder) / "b", "--dump-dom", f"{address}{WIDGET}")
            assert visits.asked == [WIDGET], f"asked for: {visits.asked}"
            assert "The trend heat" in shown, shown
            assert "&lt;script&gt;" in shown, "the text is there, as text"
            assert "<script>" not in shown, shown
            picture = Path(folder) / "framed.png"
            await _chromium(Path(folder) / "c", f"--screenshot={picture}", "--window-size=500,600", f"{address}/host")
            blank = Path(folder) / "blank.png"
            empty = "data:text/html,<h1>Another site</h1><iframe width=400 height=400></iframe>"
            await _chromium(Path(folder) / "d", f"--screenshot={blank}", "--window-size=500,600", empty)
            grown = picture.stat().st_size / blank.stat().st_size
            assert grown > 1.5, f"the frame looks empty: {grown:.2f} times the size of an empty one"


WIDGETS: Final = (the_widget_shows_trends_in_a_sandboxed_frame_and_does_nothing_else,)
"""Checks without a peer: they need a Chromium that is installed."""
