"""A disk that fills up while the service works, and has room again later."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from attrs import frozen

from tests.process.articles import ENDED, generate, problem, statuses, topics, used
from tests.process.service import Service, data_directory, figure, run, until, wait_for_end_of_database
from tests.support.model_server import ModelServer

MOUNT = ("mount", "-t", "tmpfs", "-o", "size=160m,mode=0700", "none")
SHARED_MEMORY = Path("/dev/shm")
NO_SMALL_DISK = """\
This test needs a small file system to fill. It mounts one, for which it needs to be root with the right to mount, or a
user who may make namespaces; or it uses /dev/shm where that is smaller than 1 GiB, as in most containers. None of these
is possible here."""


@frozen
class Disk:
    """`data_dir`: as the processes on it see it, which `enter` starts; `seen`: as the test sees it."""

    data_dir: Path
    seen: Path
    enter: tuple[str, ...] = ()

    def run(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return run(*arguments, data_dir=self.data_dir, enter=self.enter)

    def service(self, env: Mapping[str, str] | None = None, *, demo: bool = True) -> Service:
        return Service(self.data_dir, env, demo=demo, enter=self.enter, seen=self.seen)


@pytest.fixture
def small_disk() -> Iterator[Disk]:
    """A data directory on a small file system of its own."""
    with ExitStack() as stack:
        yield _mounted(stack) or _mounted_for_ourselves(stack) or _shared_memory(stack)


def _mounted(stack: ExitStack) -> Disk | None:
    directory = stack.enter_context(data_directory())
    directory.mkdir()
    made = subprocess.run([*MOUNT, str(directory)], capture_output=True, check=False)
    if made.returncode != 0:
        return None
    stack.callback(subprocess.run, ["umount", "--lazy", str(directory)], check=True)
    return Disk(directory, directory)


def _mounted_for_ourselves(stack: ExitStack) -> Disk | None:
    """In a namespace that a sleeping process keeps; as another user than root, since it knows no other user."""
    if os.geteuid() == 0 or not all(map(shutil.which, ("unshare", "nsenter"))):
        return None
    directory = stack.enter_context(data_directory())
    directory.mkdir()
    script = f'{" ".join(MOUNT)} "$0" && echo mounted && exec sleep 3600'
    keeper = subprocess.Popen(
        ["unshare", "--user", "--map-current-user", "--keep-caps", "--mount", "sh", "-c", script, str(directory)],
        stdout=subprocess.PIPE,
    )
    stack.enter_context(keeper)
    stack.callback(keeper.kill)
    assert keeper.stdout is not None
    if keeper.stdout.readline() != b"mounted\n":
        return None
    enter = ("nsenter", f"--target={keeper.pid}", "--user", "--preserve-credentials", "--mount", "--")
    seen = Path(f"/proc/{keeper.pid}/root{directory}")
    stack.callback(wait_for_end_of_database, seen)
    return Disk(directory, seen, enter)


def _shared_memory(stack: ExitStack) -> Disk:
    assert SHARED_MEMORY.is_dir(), NO_SMALL_DISK
    room = os.statvfs(SHARED_MEMORY)
    assert room.f_blocks * room.f_frsize < 2**30, NO_SMALL_DISK
    directory = stack.enter_context(data_directory(SHARED_MEMORY))
    return Disk(directory, directory)


@contextmanager
def full(disk: Disk) -> Iterator[None]:
    """Not one byte is free; what is freed meanwhile is taken too."""
    done = threading.Event()
    filler = disk.seen / "filler"

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


def is_full(disk: Disk) -> bool:
    try:
        with (disk.seen / "probe").open("wb", buffering=0) as file:
            file.write(b"\0" * 4096)
    except OSError as error:
        return error.errno == errno.ENOSPC
    finally:
        (disk.seen / "probe").unlink(missing_ok=True)
    return False


def write_sources(file: Path, count: int) -> None:
    """So many documents, each with words of its own, about 4 KiB each."""
    with file.open("w", encoding="utf-8") as lines:
        for n in range(count):
            text = " ".join(f"Device {n}x{k} needs {n + k} watts in room {k}." for k in range(100))
            lines.write(json.dumps({"id": str(n), "title": f"Device {n}", "url": "", "text": text}) + "\n")


def test_a_full_disk_during_generations_costs_no_article(small_disk: Disk, model: ModelServer) -> None:
    model.delay = 0.5
    service = small_disk.service(model.environment)
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


def refused_while_full(disk: Disk, client: httpx.Client) -> list[httpx.Response]:
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
    small_disk: Disk, tmp_path: Path, beside: bool
) -> None:
    sources = tmp_path / "devices.jsonl"
    write_sources(sources, 1_500)
    command: list[str | Path] = ["kb", "import", sources, "--niche", "home-energy", "--json"]
    service = small_disk.service(demo=False)
    try:
        if beside:
            service.start()
        assert small_disk.run("migrate").returncode == 0
        with filling_up(small_disk, free_mib=6):
            first = small_disk.run(*command)
        assert first.returncode == 1, first.stdout
        assert "Traceback" not in first.stderr
        assert "full" in first.stderr, first.stderr
        second = small_disk.run(*command)
        assert second.returncode == 0, second.stderr
        counts = json.loads(second.stdout)
        assert counts["added"] + counts["unchanged"] == 1_500
        assert counts["unreadable"] == 0
        figure(f"the second import found {counts['unchanged']} of 1500 stored")
        third = json.loads(small_disk.run(*command).stdout)
        assert (third["added"], third["updated"], third["unchanged"]) == (0, 0, 1_500)
        if beside:
            until(lambda: service.http.get("/ready").status_code == 200, 30, lambda: service.http.get("/ready").text)
            assert "Traceback" not in service.log()
    finally:
        service.close()


@contextmanager
def filling_up(disk: Disk, free_mib: int) -> Iterator[None]:
    """Little room is left."""
    filler = disk.seen / "filler"
    room = os.statvfs(disk.seen)
    with filler.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, room.f_bavail * room.f_frsize - free_mib * 2**20)
    try:
        yield
    finally:
        filler.unlink()


def test_a_start_on_a_full_disk_is_told(small_disk: Disk) -> None:
    with full(small_disk):
        for command in (["serve", "--port", "0"], ["migrate"]):
            ended = small_disk.run(*command)
            assert ended.returncode == 1
            assert "full" in ended.stderr
            assert "Traceback" not in ended.stderr
    assert small_disk.run("migrate").returncode == 0
