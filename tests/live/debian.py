"""Programs of Debian packages, for a machine that may lack them: what apt would install is unpacked into a folder, so
that no rights are needed and nothing of the machine changes. What is installed already is used as it is."""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Final

from attrs import frozen

from tests.live.peers import CannotInstall, install

_SYSTEM: Final = Path("/")
_PLACES: Final = ("usr/bin", "usr/sbin", "bin", "sbin")


@frozen
class Programs:
    """Of the packages unpacked below `folder`, and of the machine."""

    folder: Path

    def find(self, *names: str) -> Path:
        """The first of these (patterns too) that there is, the unpacked ones first. Raises CannotInstall."""
        for root in (self.folder, _SYSTEM):
            for name in names:
                found = [path for place in _PLACES for path in sorted((root / place).glob(name))]
                for path in found:
                    if os.access(path, os.X_OK):
                        return path
        raise CannotInstall(f"there is no {' or '.join(names)} in the packages")

    def share(self, name: str) -> Path:
        """A folder of /usr/share. Raises CannotInstall."""
        for root in (self.folder, _SYSTEM):
            if (path := root / "usr" / "share" / name).is_dir():
                return path
        raise CannotInstall(f"there is no /usr/share/{name} in the packages")

    def root_of(self, program: Path) -> Path:
        return self.folder if program.is_relative_to(self.folder) else _SYSTEM

    @property
    def environment(self) -> Mapping[str, str]:
        """In which the unpacked programs find their libraries."""
        places = [str(path) for path in (self.folder / "usr" / "lib", self.folder / "lib") if path.is_dir()]
        folders = ("*-linux-gnu*", "*-linux-gnu*/pulseaudio")  # libpulse looks for a part of it by an absolute path
        libraries = [str(path) for place in places for name in folders for path in Path(place).glob(name)]
        return {**os.environ, "LC_ALL": "C", "LD_LIBRARY_PATH": ":".join(libraries)}


async def unpacked(folder: Path, packages: Sequence[str]) -> Programs:
    """`folder` may hold them already; while another process fills it, this one waits. Raises CannotInstall."""
    with await asyncio.to_thread(_locked, folder):
        if not (folder / "root").exists():
            await _unpack(folder, packages)
    return Programs(folder / "root")


def _locked(folder: Path) -> IO[str]:
    """The lock of a folder, once nobody else has it. The system releases that of a process that died."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = (folder / "lock").open("w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


async def _unpack(folder: Path, packages: Sequence[str]) -> None:
    for tool in ("apt-get", "dpkg"):
        if shutil.which(tool) is None:
            raise CannotInstall(f"{tool} is not on PATH: this needs Debian or one of its kin")
    plan = await install("apt-get", "--simulate", "--no-install-recommends", "install", *packages)
    missing = [line.split()[1] for line in plan.splitlines() if line.startswith("Inst ")]
    archives, half = folder / "archives", folder / "half"
    for begun in (archives, half):  # by a process that died
        shutil.rmtree(begun, ignore_errors=True)
        begun.mkdir()
    if missing:
        await install("apt-get", "download", *missing, folder=archives)
    for archive in sorted(archives.iterdir()):
        await install("dpkg", "--extract", str(archive), str(half))
    half.rename(folder / "root")
