"""Programs that are unpacked for the tests, by several processes at once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.live import debian
from tests.live.peers import CannotInstall


class Packages:
    """In the place of apt and dpkg: one archive with one program. `fails`: how many extractions still do."""

    def __init__(self, fails: int = 0) -> None:
        self.fails = fails
        self.commands: list[str] = []

    async def __call__(self, *command: str, folder: Path | None = None) -> str:
        self.commands.append(" ".join(command[:2]))
        await asyncio.sleep(0.01)
        if "--simulate" in command:
            return "Inst chromium (1.0)\n"
        if folder is not None:
            (folder / "chromium.deb").touch()
            return ""
        (Path(command[-1]) / "program").touch()
        if self.fails:
            self.fails -= 1
            raise CannotInstall("no space left")
        return ""


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> Packages:
    made = Packages()
    monkeypatch.setattr(debian, "install", made)
    monkeypatch.setattr(debian.shutil, "which", lambda name: f"/usr/bin/{name}")
    return made


async def test_of_several_at_once_one_unpacks_and_the_others_wait(packages: Packages, tmp_path: Path) -> None:
    places = await asyncio.gather(*(debian.unpacked(tmp_path / "programs", ["chromium"]) for _ in range(4)))
    assert packages.commands == ["apt-get --simulate", "apt-get download", "dpkg --extract"]
    assert all((place.folder / "program").exists() for place in places)


async def test_what_was_unpacked_in_part_is_unpacked_anew(packages: Packages, tmp_path: Path) -> None:
    packages.fails = 1
    with pytest.raises(CannotInstall):
        await debian.unpacked(tmp_path, ["chromium"])
    found = await debian.unpacked(tmp_path, ["chromium"])
    assert (found.folder / "program").exists()
    assert packages.commands.count("dpkg --extract") == 2
