"""A Strapi of one's own from npm, over SQLite, with the content types of the folder `strapi_app` and without its admin
panel, which would have to be built."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import httpx
from attrs import frozen

from tests.live.peers import CannotInstall, answering, free_port, install, running

INSTALL_SECONDS: Final = 900.0
"""Some 850 packages."""
START_SECONDS: Final = 120.0
"""It makes its database first."""


@frozen
class Strapi:
    """`tokens`: by their type, `full-access` and `read-only`."""

    address: str
    version: str
    tokens: Mapping[str, str]

    def client(self) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {self.tokens['full-access']}"}
        return httpx.AsyncClient(base_url=f"{self.address}/api", headers=headers, timeout=30, trust_env=False)


async def install_strapi(folder: Path) -> Path:
    """The folder with its packages, which may hold them already. Raises CannotInstall."""
    npm = shutil.which("npm")
    if npm is None:
        raise CannotInstall("node and npm are not on PATH")
    await asyncio.to_thread(shutil.copytree, Path(__file__).with_name("strapi_app"), folder, dirs_exist_ok=True)
    if not (folder / "node_modules" / ".package-lock.json").exists():
        await install(npm, "install", "--silent", "--no-audit", "--no-fund", folder=folder, seconds=INSTALL_SECONDS)
    (folder / "public" / "uploads").mkdir(parents=True, exist_ok=True)
    return folder


@asynccontextmanager
async def strapi(folder: Path, data: Path) -> AsyncIterator[Strapi]:
    """`folder`: with the packages; `data`: an empty one. Raises CannotInstall."""
    node = shutil.which("node")
    if node is None:
        raise CannotInstall("node is not on PATH")
    scripts = folder / "node_modules" / "@strapi" / "strapi"
    port, tokens = free_port(), data / "tokens.json"
    environment = {
        **os.environ, "NODE_ENV": "production", "PORT": str(port), "DATABASE": str(data / "strapi.db"),
        "TOKENS": str(tokens), "STRAPI_TELEMETRY_DISABLED": "true", "NO_COLOR": "1",
    }  # fmt: skip
    command = (node, str(scripts / "bin" / "strapi.js"), "start")
    async with running(*command, folder=folder, environment=environment, log=data / "strapi.log"):
        address = f"http://127.0.0.1:{port}"
        await answering(f"{address}/api/articles", START_SECONDS)
        version = json.loads(scripts.joinpath("package.json").read_text("utf-8"))["version"]
        yield Strapi(address, version, json.loads(tokens.read_text("utf-8")))
