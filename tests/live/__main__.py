"""Runs the product against real software, which it installs and starts on loopback and stops afterwards: models (one
behaves as told, one enforces schemas, one serves a cross-encoder), targets to publish to, tools of agents,
a browser, and the image of the service."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from contentgen_adapters.shared.http import make_client
from tests.live import container, living, mcp_conformance, publishing, syncing
from tests.live.answers import FIXTURES
from tests.live.peers import aimock, install_llama, llama
from tests.live.report import Report
from tests.live.reranking import RERANKING
from tests.live.web_search import SEARCH_FIXTURES, SEARCHES
from tests.live.widget import WIDGETS
from tests.live.writing import BEHAVIOUR, SCHEMAS

MODELS: Final = ("aimock", "llama")
BROWSER: Final = "chromium"
PEERS: Final = (*MODELS, *publishing.NAMES, living.NAME, syncing.NAME, mcp_conformance.NAME, BROWSER, container.NAME)


async def check_models(folder: Path, chosen: set[str], report: Report) -> None:
    if "aimock" in chosen:
        with report.needs("aimock"):
            async with aimock(folder / "aimock", FIXTURES + SEARCH_FIXTURES) as address, make_client() as client:
                await report.run("aimock", BEHAVIOUR + SEARCHES, address, client)
    if "llama" in chosen:
        with report.needs("llama.cpp"):
            python = await install_llama(folder / "llama")
            async with llama(python, "llama_server.py") as address, make_client() as client:
                await report.run("llama.cpp", SCHEMAS, address, client)
            async with llama(python, "rerank_server.py") as address, make_client() as client:
                await report.run("llama.cpp", RERANKING, address, client)


async def main(chosen: set[str], installed: Path | None) -> int:
    report, began = Report(), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="contentgen-live-") as temporary:
        folder = Path(temporary)
        await check_models(folder, chosen, report)
        if chosen & set(publishing.NAMES):
            await publishing.check_publishing(folder, installed or folder, chosen, report)
        if living.NAME in chosen:
            await living.check_living(installed or folder, report)
        if syncing.NAME in chosen:
            await syncing.check_syncing(report)
        if mcp_conformance.NAME in chosen:
            await mcp_conformance.check_agents(installed or folder, report)
        if container.NAME in chosen:
            await container.check_image((installed or folder) / container.NAME, report)
        if BROWSER in chosen:
            with report.needs(BROWSER):
                await report.run(BROWSER, WIDGETS)
    report.console.print(f"{time.monotonic() - began:.0f} s in all")
    return report.close()


def arguments() -> tuple[set[str], Path | None]:
    """Which peers, and where packages are kept."""
    parser = argparse.ArgumentParser(prog="python -m tests.live", description=__doc__)
    parser.add_argument("peers", nargs="*", metavar="peer", help=f"of {', '.join(PEERS)}; without any: all")
    parser.add_argument("--installed", type=Path, metavar="folder", help="keep the packages of targets here")
    given = parser.parse_args()
    if unknown := set(given.peers) - set(PEERS):
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    return set(given.peers) or set(PEERS), given.installed


if __name__ == "__main__":
    sys.exit(asyncio.run(main(*arguments())))
