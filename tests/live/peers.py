"""Real servers on loopback, installed into a folder that goes with them. Each stops when its block ends."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import httpx

AIMOCK: Final = "@copilotkit/aimock@1.43"
LLAMA: Final = ("xllamacpp", "gguf")
INSTALL_SECONDS: Final = 300.0
START_SECONDS: Final = 30.0


class CannotInstall(Exception):
    """Something is missing on this machine or cannot be fetched; the message says what."""


async def _install(*command: str) -> None:
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    try:
        _, errors = await asyncio.wait_for(process.communicate(), INSTALL_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
        raise CannotInstall(f"`{' '.join(command)}` took more than {INSTALL_SECONDS:g} s") from None
    if process.returncode:
        raise CannotInstall(f"`{' '.join(command)}` failed: {errors.decode(errors='replace').strip()[-400:]}")


@asynccontextmanager
async def _running(*command: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


@asynccontextmanager
async def aimock(folder: Path, fixtures: list[dict[str, Any]]) -> AsyncIterator[str]:
    """An OpenAI-compatible server that gives these answers; yields its address. Raises CannotInstall."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        raise CannotInstall("node and npm are not on PATH")
    await _install(npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), AIMOCK)
    answers = folder / "answers.json"
    answers.write_text(json.dumps({"fixtures": fixtures}), encoding="utf-8")
    script = folder / "node_modules" / "@copilotkit" / "aimock" / "dist" / "cli.js"
    port = _free_port()
    async with _running(node, str(script), "--strict", "-p", str(port), "-f", str(answers), "--log-level", "silent"):
        address = f"http://127.0.0.1:{port}"
        await _answers(address)
        yield f"{address}/v1"


async def install_llama(folder: Path) -> Path:
    """An interpreter that has llama.cpp. Raises CannotInstall."""
    await _install(sys.executable, "-m", "venv", str(folder))
    python = folder / "bin" / "python"
    await _install(str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *LLAMA)
    return python


@asynccontextmanager
async def llama(python: Path, script: str) -> AsyncIterator[str]:
    """A llama.cpp server over random weights, by a script of this folder; yields its address. Raises CannotInstall."""
    async with _running(str(python), str(Path(__file__).with_name(script))) as process:
        assert process.stdout is not None
        while line := await asyncio.wait_for(process.stdout.readline(), START_SECONDS):
            if line.startswith(b"http"):
                yield f"{line.decode().strip()}/v1"
                return
        raise CannotInstall(f"{script} ended before it listened")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def _answers(address: str) -> None:
    async with httpx.AsyncClient() as client, asyncio.timeout(START_SECONDS):
        while True:
            try:
                await client.get(address)
            except httpx.TransportError:
                await asyncio.sleep(0.1)
            else:
                return
