"""A disk that fills up while the service works, and has room again later."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from tests.process.articles import ENDED, generate, problem, statuses, topics, used
from tests.process.service import Service, data_directory, figure, run, until
from tests.support.model_server import ModelServer

DISK_MIB = 160
SHARED_MEMORY = Path("/dev/shm")
NO_SMALL_DISK = """\
This test needs a small file system to fill. It mounts one of its own, which takes root and the right to mount; or it
uses /dev/shm where that is smaller than 1 GiB, as in most containers. Neither is possible here."""


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A data directory on a small file system of its own."""
    with data_directory() as directory:
        if mounted(directory):
            try:
                yield directory
            finally:
                subprocess.run(["umount", "--lazy", str(directory)], check=True)
            return
        assert SHARED_MEMORY.is_dir(), NO_SMALL_DISK
        room = os.statvfs(SHARED_MEMORY)
        assert room.f_blocks * room.f_frsize < 2**30, NO_SMALL_DISK
        with data_directory(SHARED_MEMORY) as elsewhere:
            yield elsewhere


def mounted(directory: Path) -> bool:
    directory.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK_MIB}m,mode=0700", "none", str(directory)],
        capture_output=True,
        check=False,
    )
    if made.returncode != 0:
        directory.rmdir()
    return made.returncode == 0


@contextmanager
def full(disk: Path) -> Iterator[None]:
    """Not one byte is free; what is freed meanwhile is taken too."""
    done = threading.Event()
    filler = disk / "filler"

    def fill() -> None:
        with filler.open("ab", buffering=0) as file:
            while not done.wait(0.02):
                for size in (2**20, 4096, 512, 1):
                    with suppress(OSError):
                        while True:
                            file.write(b"\0" * size)

    thread = threading.Thread(target=fill)
    thread.start()
    try:
        until(lambda: is_full(disk), 20, "the disk is full")
        yield
    finally:
        done.set()
        thread.join()
        filler.unlink()


def is_full(disk: Path) -> bool:
    try:
        with (disk / "probe").open("wb", buffering=0) as file:
            file.write(b"\0" * 4096)
    except OSError as error:
        return error.errno == errno.ENOSPC
    finally:
        (disk / "probe").unlink(missing_ok=True)
    return False


def write_sources(file: Path, count: int) -> None:
    """So many documents, each with words of its own, about 4 KiB each."""
    with file.open("w", encoding="utf-8") as lines:
        for n in range(count):
            text = " ".join(f"Device {n}x{k} needs {n + k} watts in room {k}." for k in range(100))
            lines.write(json.dumps({"id": str(n), "title": f"Device {n}", "url": "", "text": text}) + "\n")


def test_a_full_disk_during_generations_costs_no_article(small_disk: Path, model: ModelServer) -> None:
    model.delay = 0.5
    service = Service(small_disk, model.environment)
    try:
        service.start()
        with service.client() as client:
            answers = [generate(client, niche, topic) for niche, topic in topics(6)]
            ids = [answer.json()["articleId"] for answer in answers]
            until(lambda: model.answered("plan") >= 2, 30, lambda: model.calls)
            refused = refused_while_full(small_disk, client)
            figure(f"{len(refused)} answers while the disk was full: {sorted({a.status_code for a in refused})}")
            until(lambda: service.http.get("/ready").status_code == 200, 60, lambda: service.http.get("/ready").text)
            accepted = [a.json()["articleId"] for a in refused if a.status_code == 200]
            until(lambda: client.get("/articles").status_code == 200, 30, lambda: client.get("/articles").text)
            until(lambda: set(statuses(client).values()) <= ENDED, 90, lambda: statuses(client))
            ended = statuses(client)
            assert sorted(ended) == sorted([*ids, *accepted])
            assert set(ended.values()) == {"generated"}
            assert used(client) == len(ended)
            assert generate(client, "home-energy", "Heat pumps and noise").status_code == 200
        assert "Traceback" not in service.log()
    finally:
        service.close()


def refused_while_full(disk: Path, client: httpx.Client) -> list[httpx.Response]:
    """What was answered to those who asked to write: at least one refusal, each of them clear."""
    answers: list[httpx.Response] = []
    later = iter(topics(200)[6:])
    with full(disk):

        def refused() -> bool:
            answers.append(generate(client, *next(later)))
            assert client.get("/health").status_code == 200
            return sum(answer.status_code == 503 for answer in answers) >= 3

        until(refused, 60, lambda: [answer.text for answer in answers[-3:]])
    for answer in answers:
        if answer.status_code != 200:
            assert problem(answer, 503)["code"] == "unavailable"
            assert int(answer.headers["Retry-After"]) >= 1
    return answers


@pytest.mark.parametrize("beside", [True, False], ids=["beside a service", "alone"])
def test_a_disk_that_fills_up_during_an_import_loses_nothing_and_the_next_one_completes_it(
    small_disk: Path, tmp_path: Path, beside: bool
) -> None:
    sources = tmp_path / "devices.jsonl"
    write_sources(sources, 1_500)
    command = ["kb", "import", sources, "--niche", "home-energy", "--json"]
    service = Service(small_disk, demo=False)
    try:
        if beside:
            service.start()
        assert run("migrate", data_dir=small_disk).returncode == 0
        with filling_up(small_disk, free_mib=6):
            first = run(*command, data_dir=small_disk)
        assert first.returncode == 1, first.stdout
        assert "Traceback" not in first.stderr
        assert "full" in first.stderr, first.stderr
        second = run(*command, data_dir=small_disk)
        assert second.returncode == 0, second.stderr
        counts = json.loads(second.stdout)
        assert counts["added"] + counts["unchanged"] == 1_500
        assert counts["unreadable"] == 0
        figure(f"the second import found {counts['unchanged']} of 1500 stored")
        third = json.loads(run(*command, data_dir=small_disk).stdout)
        assert (third["added"], third["updated"], third["unchanged"]) == (0, 0, 1_500)
        if beside:
            until(lambda: service.http.get("/ready").status_code == 200, 30, lambda: service.http.get("/ready").text)
            assert "Traceback" not in service.log()
    finally:
        service.close()


@contextmanager
def filling_up(disk: Path, free_mib: int) -> Iterator[None]:
    """Little room is left."""
    filler = disk / "filler"
    room = os.statvfs(disk)
    with filler.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, room.f_bavail * room.f_frsize - free_mib * 2**20)
    try:
        yield
    finally:
        filler.unlink()


def test_a_start_on_a_full_disk_is_told(small_disk: Path) -> None:
    with full(small_disk):
        for command in (["serve", "--port", "0"], ["migrate"]):
            ended = run(*command, data_dir=small_disk)
            assert ended.returncode == 1
            assert "full" in ended.stderr
            assert "Traceback" not in ended.stderr
    assert run("migrate", data_dir=small_disk).returncode == 0
