"""The image that deploy/Dockerfile describes, built and run without a daemon (buildah, files copied instead of mounted,
chroot instead of namespaces), and the quickstart against what it serves."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import httpx
from attrs import frozen

from tests.live.peers import CannotInstall, answering, free_port, install, running
from tests.live.report import Report
from tests.support.shell import Shell
from tests.support.shown import ROOT, agrees, blocks, commands

NAME: Final = "image"
DOCKERFILE: Final = ROOT / "deploy/Dockerfile"
QUICKSTART: Final = ROOT / "docs/quickstart/http.md"
USER: Final = 10001
IMAGE: Final = "localhost/contentgen:live"
PULL_SECONDS: Final = 120.0
BUILD_SECONDS: Final = 1800.0
START_SECONDS: Final = 180.0
CERTIFICATES: Final = "/etc/ssl/certs/ca-certificates.crt"


@frozen
class Builder:
    """buildah, with a store of its own in `folder`."""

    folder: Path

    @property
    def command(self) -> tuple[str, ...]:
        store, state = self.folder / "store", self.folder / "state"
        return ("buildah", "--root", str(store), "--runroot", str(state), "--storage-driver", "vfs")

    async def __call__(self, *arguments: str, seconds: float = 300.0) -> str:
        """What it printed. Raises CannotInstall."""
        return (await install(*self.command, *arguments, seconds=seconds)).strip()


@frozen
class Container:
    """A running container, whose data directory is `data`."""

    builder: Builder
    id: str
    data: Path
    port: int

    def entering(self, *command: str) -> list[str]:
        """What runs a command in it."""
        mounted = f"{self.data}:/var/lib/contentgen"
        options = ["--isolation", "chroot", "--user", f"{USER}:{USER}", "--volume", mounted]
        return [*self.builder.command, "run", *options, self.id, "--", *command]


async def check_image(folder: Path, report: Report) -> None:
    """`folder`: where the store of images is kept."""
    with report.needs(NAME):
        os.makedirs(folder, exist_ok=True)
        with report.takes(NAME, "to build"):
            builder = await built(folder, report)
        async with served(builder, folder) as container:
            await report.run(NAME, CHECKS, container, folder)


async def built(folder: Path, report: Report) -> Builder:
    """Raises CannotInstall."""
    if shutil.which("buildah") is None:
        raise CannotInstall("buildah is not on PATH: apt-get install buildah, which needs no daemon")
    if os.geteuid() != 0:
        raise CannotInstall("an image of several users is built here as root alone")
    builder = Builder(folder)
    for base in sorted(set(re.findall(r"^FROM (\S+)", DOCKERFILE.read_text("utf-8"), re.M))):
        await _base(builder, f"docker.io/library/{base}", report)
    arguments = (
        "--isolation",
        "chroot",
        "--network",
        "host",
        "--pull=never",
        "--format",
        "docker",
        "--file",
        str(DOCKERFILE),
    )
    await builder("build", *arguments, "--tag", IMAGE, str(ROOT), seconds=BUILD_SECONDS)
    return builder


async def _base(builder: Builder, name: str, report: Report) -> None:
    """The image that ours stands on, which trusts whom this machine trusts. Raises CannotInstall."""
    if await builder("images", "--quiet", "--filter", f"reference={name}"):
        return
    try:
        made = await builder("from", name, seconds=PULL_SECONDS)
    except CannotInstall as error:
        told = f"{NAME}: {name} cannot be pulled, Debian's Python stands in for it ({error})"
        report.console.print(told, markup=False)
        made = await _of_debian(builder)
    if _exists(CERTIFICATES):  # a machine behind a proxy may trust others than the image does
        await builder("copy", made, CERTIFICATES, CERTIFICATES)
        await builder("config", "--env", f"SSL_CERT_FILE={CERTIFICATES}", made)
    await builder("commit", "--rm", made, name)


async def _of_debian(builder: Builder) -> str:
    if shutil.which("debootstrap") is None:
        raise CannotInstall("no registry of images answers, and debootstrap is not on PATH")
    system = builder.folder / "debian"
    packages = "--include=python3,python3-venv,python3-pip,ca-certificates"
    await install("debootstrap", "--variant=minbase", packages, "bookworm", str(system), seconds=900.0)
    (system / "usr/bin/python").symlink_to("python3")
    for mark in system.glob("usr/lib/python3*/EXTERNALLY-MANAGED"):
        mark.unlink()  # the image of Python has none
    made = await builder("from", "scratch")
    await builder("copy", made, str(system), "/", seconds=600.0)
    shutil.rmtree(system)
    return made


@asynccontextmanager
async def served(builder: Builder, folder: Path) -> AsyncIterator[Container]:
    """The image's service with the demo. Raises CannotInstall."""
    data = folder / "data"
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir(mode=0o700)
    os.chown(data, USER, USER)
    container = Container(builder, await builder("from", "--pull=never", IMAGE), data, free_port())
    serve = container.entering("contentgen", "serve", "--demo", "--port", str(container.port))
    log = folder / "serve.log"
    try:
        async with running(*serve, log=log):
            await answering(f"http://127.0.0.1:{container.port}/health", START_SECONDS)
            yield container
    except CannotInstall as error:
        raise AssertionError(f"{error}; its log ends:\n{log.read_text('utf-8', 'replace')[-3000:]}") from error
    finally:
        await builder("rm", container.id)


async def is_ready_as_an_ordinary_user(container: Container, folder: Path) -> None:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{container.port}", trust_env=False) as client:
        async with asyncio.timeout(START_SECONDS):
            while (answer := await client.get("/ready")).status_code != 200:
                await asyncio.sleep(0.2)
    assert {part["state"] for part in answer.json()["parts"].values()} == {"up"}
    owners = {path.stat().st_uid for path in container.data.rglob("*")}
    assert owners == {USER}, owners


async def shows_the_quickstart_as_it_is_written(container: Container, folder: Path) -> None:
    await asyncio.to_thread(_quickstart, container, folder)


def _quickstart(container: Container, folder: Path) -> None:
    place = folder / "reader"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    programs = place / "bin"
    programs.mkdir()
    program = programs / "contentgen"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(container.entering("contentgen"))} "$@"\n', "utf-8")
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "LANG": "C.UTF-8"}
    key = (container.data / "demo.key").read_text("utf-8").strip()
    ran = 0
    with Shell(place, environment) as shell:
        for block in blocks(QUICKSTART):
            for command in commands(block) if block.language in ("sh", "console") else ():
                typed = command.typed.replace("127.0.0.1:8000", f"127.0.0.1:{container.port}").replace("cg_…", key)
                done = shell.run(typed)
                assert done.status == 0, f"{block.place}: {typed}\n{done.out}\n{done.err}"
                if command.shown:
                    assert agrees(command.shown, done.out), f"{block.place}: {typed} gave\n{done.out}"
                ran += 1
    assert ran > 10, "the page has lost its commands"


async def ends_in_time_when_it_is_told_to(container: Container, folder: Path) -> None:
    """What an orchestrator does: SIGTERM, and some seconds."""
    listed = await install(
        "pgrep", "--oldest", "--uid", str(USER), "--full", f"contentgen serve --demo --port {container.port}"
    )
    process = int(listed)
    os.kill(process, 15)
    database = container.data / "postgres/postmaster.pid"
    async with asyncio.timeout(15):
        while _exists(f"/proc/{process}") or _exists(database):  # which ends with its last user
            await asyncio.sleep(0.1)


def _exists(place: str | Path) -> bool:
    return Path(place).exists()


CHECKS: Final = (
    is_ready_as_an_ordinary_user,
    shows_the_quickstart_as_it_is_written,
    ends_in_time_when_it_is_told_to,
)
