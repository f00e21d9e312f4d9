"""Real servers on loopback, installed into a folder that goes with them. Each stops when its block ends."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

import httpx

AIMOCK: Final = "@copilotkit/aimock@1.43"
LLAMA: Final = ("xllamacpp", "gguf")
INSTALL_SECONDS: Final = 300.0
START_SECONDS: Final = 60.0


class CannotInstall(Exception):
    """Something is missing on this machine or cannot be fetched; the message says what."""


async def install(
    *command: str,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    seconds: float = INSTALL_SECONDS,
) -> str:
    """Run a command that prepares something; what it printed. Raises CannotInstall."""
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, cwd=folder, env=environment
    )
    try:
        printed, errors = await asyncio.wait_for(process.communicate(), seconds)
    except TimeoutError:
        process.kill()
        await process.wait()
        raise CannotInstall(f"`{' '.join(command)}` took more than {seconds:g} s") from None
    if process.returncode:
        said = (errors or printed).decode(errors="replace").strip()
        raise CannotInstall(f"`{' '.join(command)}` failed: {said[-400:]}")
    return printed.decode(errors="replace")


@asynccontextmanager
async def running(
    *command: str, folder: Path | None = None, environment: Mapping[str, str] | None = None, log: Path | None = None
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A server; what it prints can be read, or goes into `log`."""
    with ExitStack() as stack:
        printed = stack.enter_context(log.open("wb")) if log else None
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=printed or asyncio.subprocess.PIPE,
            stderr=printed or asyncio.subprocess.DEVNULL,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)  # its own children too
        await process.wait()


@asynccontextmanager
async def aimock(folder: Path, fixtures: list[dict[str, Any]]) -> AsyncIterator[str]:
    """An OpenAI-compatible server that gives these answers; yields its address. Raises CannotInstall."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        raise CannotInstall("node and npm are not on PATH")
    await install(npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), AIMOCK)
    answers = folder / "answers.json"
    answers.write_text(json.dumps({"fixtures": fixtures}), encoding="utf-8")
    script = folder / "node_modules" / "@copilotkit" / "aimock" / "dist" / "cli.js"
    port = free_port()
    async with running(node, str(script), "--strict", "-p", str(port), "-f", str(answers), "--log-level", "silent"):
        address = f"http://127.0.0.1:{port}"
        await answering(address)
        yield f"{address}/v1"


async def install_llama(folder: Path) -> Path:
    """An interpreter that has llama.cpp. Raises CannotInstall."""
    await install(sys.executable, "-m", "venv", str(folder))
    python = folder / "bin" / "python"
    await install(str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *LLAMA)
    return python


@asynccontextmanager
async def llama(python: Path, script: str) -> AsyncIterator[str]:
    """A llama.cpp server over random weights, by a script of this folder; yields its address. Raises CannotInstall."""
    async with running(str(python), str(Path(__file__).with_name(script))) as process:
        assert process.stdout is not None
        while line := await asyncio.wait_for(process.stdout.readline(), START_SECONDS):
            if line.startswith(b"http"):
                yield f"{line.decode().strip()}/v1"
                return
        raise CannotInstall(f"{script} ended before it listened")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def answering(address: str, seconds: float = START_SECONDS) -> None:
    """Wait until somebody answers there. Raises CannotInstall."""
    try:
        await asyncio.wait_for(_answers(address), seconds)
    except TimeoutError:
        raise CannotInstall(f"no answer at {address} within {seconds:g} s of its start") from None


async def _answers(address: str) -> None:
    async with httpx.AsyncClient(timeout=30, trust_env=False) as client:
        while True:
            try:
                await client.get(address)
            except httpx.TransportError:
                await asyncio.sleep(0.1)
            else:
                return
