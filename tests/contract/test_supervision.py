"""Processes under a supervisor, which here does nothing but watch them."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from multiprocessing import forkserver, resource_tracker, util
from pathlib import Path

import pytest

from contentgen_core.errors import NotConfigured
from contentgen_grounded.settings import Settings
from contentgen_http.processes import supervision
from contentgen_http.processes.process_deaths import ProcessDeaths
from contentgen_http.processes.shared_file import SharedFile, shared_file
from contentgen_http.processes.supervision import MOST_FAILED_STARTS, Group, Lifetime, ProcessFailed, Supervisor
from tests.process.service import alive
from tests.support.waiting import until

HERE = "tests.contract.test_supervision"


@pytest.fixture(autouse=True)
def spawned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "_start_method", lambda: "spawn")  # nothing is worth preloading
    monkeypatch.setattr(supervision, "FIRST_DELAY_SECONDS", 0.05)


async def report(settings: Settings, folder: Path, lifetime: Lifetime) -> None:
    """Says in a file of its own whether it is the first."""
    stopped = asyncio.Event()
    lifetime.begin(lambda at_once: stopped.set())
    (folder / f"{os.getpid()}.part").write_text(str(lifetime.first))
    (folder / f"{os.getpid()}.part").rename(folder / f"{os.getpid()}")
    lifetime.ready()
    await stopped.wait()


async def refuse(settings: Settings, lifetime: Lifetime) -> None:
    raise NotConfigured("The writer has no key.", "CONTENTGEN_KEY")


async def write_shared(settings: Settings, shared: SharedFile, lifetime: Lifetime) -> None:
    os.pwrite(shared.descriptor, b"from a process", 0)
    lifetime.ready()
    await asyncio.sleep(60)


async def start_program(settings: Settings, shared: SharedFile, lifetime: Lifetime) -> None:
    """Says with what status a program ends that looks for the same file."""
    code = f"import os; os.fstat({shared.descriptor})"
    program = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stderr=asyncio.subprocess.DEVNULL)
    os.pwrite(shared.descriptor, str(await program.wait()).encode(), 0)
    lifetime.ready()
    await asyncio.sleep(60)


async def break_down(settings: Settings, folder: Path, lifetime: Lifetime) -> None:
    (folder / str(os.getpid())).touch()
    raise FileNotFoundError("the folder of the data")


async def end_at_once(settings: Settings, lifetime: Lifetime) -> None:
    lifetime.ready()


def reports(folder: Path) -> dict[int, bool]:
    """Whether a process is the first, by its id."""
    return {int(file.name): file.read_text() == "True" for file in folder.iterdir() if file.name.isdigit()}


@asynccontextmanager
async def running(*groups: Group) -> AsyncIterator[Supervisor]:
    supervisor = Supervisor(groups, 30.0, Settings())
    task = asyncio.create_task(supervisor.run())
    try:
        yield supervisor
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_groups_run_as_many_as_they_say_and_one_of_all_is_the_first(tmp_path: Path) -> None:
    async with running(
        Group("first", 1, f"{HERE}:report", (tmp_path,)), Group("second", 2, f"{HERE}:report", (tmp_path,))
    ):
        await until(lambda: len(reports(tmp_path)) == 3, 60)
        told = reports(tmp_path)
    assert sorted(told.values()) == [False, False, True]
    assert not any(map(alive, told))


async def test_a_first_process_that_dies_again_and_again_ends_the_service_with_its_reason(tmp_path: Path) -> None:
    supervisor = Supervisor([Group("first", 1, f"{HERE}:break_down", (tmp_path,))], 30.0, Settings())
    with pytest.raises(ProcessFailed, match="ended 5 times before it was ready, at last with status 1"):
        await asyncio.wait_for(supervisor.run(), 120)
    assert len(os.listdir(tmp_path)) == MOST_FAILED_STARTS


async def test_one_that_dies_again_and_again_beside_others_is_a_fault(tmp_path: Path) -> None:
    groups = (
        Group("serve", 1, f"{HERE}:report", (tmp_path,)),
        Group("jobs", 1, f"{HERE}:break_down", (tmp_path,)),
    )
    with shared_file() as file:
        deaths = ProcessDeaths(file)
        supervisor = Supervisor(groups, 30.0, Settings(), deaths)
        task = asyncio.create_task(supervisor.run())
        try:
            await until(lambda: deaths.fault() is not None, 120)
            assert "The process jobs 1 has ended 5 times in a row" in (deaths.fault() or "")
            assert not task.done()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def test_a_start_that_fails_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failures: list[Exception] = [ConnectionRefusedError("the fork server is gone"), EOFError("unexpected EOF")]
    start = multiprocessing.get_context("spawn").Process.start

    def fail_at_first(process: object) -> None:
        if failures:
            raise failures.pop(0)
        start(process)  # type: ignore[arg-type]

    monkeypatch.setattr(multiprocessing.get_context("spawn").Process, "start", fail_at_first)
    async with running(Group("first", 1, f"{HERE}:report", (tmp_path,))):
        await until(lambda: len(reports(tmp_path)) == 1, 60)
    assert not failures


def preload(monkeypatch: pytest.MonkeyPatch, start: Callable[[], None]) -> None:
    """Has `start` called in place of what starts the process that others are forked from."""
    monkeypatch.setattr(supervision, "_start_method", lambda: "forkserver")
    monkeypatch.setattr(forkserver, "ensure_running", start)
    monkeypatch.setattr(forkserver, "set_forkserver_preload", lambda modules: None)
    for name in ("OPENBLAS_NUM_THREADS", "JE_ARROW_MALLOC_CONF", "MALLOC_ARENA_MAX"):
        monkeypatch.setenv(name, os.environ.get(name, ""))
    supervision.preload()


def test_an_interruption_reaches_us_and_not_what_is_preloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    at_start: list[object] = []
    before = signal.getsignal(signal.SIGINT)
    preload(monkeypatch, lambda: at_start.append(signal.getsignal(signal.SIGINT)))
    assert at_start == [signal.SIG_IGN]
    assert signal.getsignal(signal.SIGINT) == before


def test_no_process_is_kept_for_semaphores_that_nobody_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    tracker = resource_tracker.ResourceTracker()
    monkeypatch.setattr(resource_tracker, "_resource_tracker", tracker)
    started: list[object] = []
    monkeypatch.setattr(util, "spawnv_passfds", lambda *program: started.append(program))
    preload(monkeypatch, tracker.ensure_running)  # as the real one does first
    assert not started
    os.close(tracker.getfd())


def test_a_process_is_as_nice_as_its_group_says(monkeypatch: pytest.MonkeyPatch) -> None:
    nice: list[int] = []
    monkeypatch.setattr(os, "nice", nice.append)
    monkeypatch.setattr(supervision, "configure_logging", lambda level: None)
    interrupted = signal.getsignal(signal.SIGINT)
    heard, told = multiprocessing.Pipe(duplex=False)
    try:
        supervision._run(told, True, 5, f"{HERE}:end_at_once", Settings())
    finally:
        signal.signal(signal.SIGINT, interrupted)
    assert nice == [5]
    assert heard.recv_bytes() == b""


async def test_one_that_dies_is_started_again_and_does_not_do_again_what_is_done_once(tmp_path: Path) -> None:
    async with running(Group("only", 1, f"{HERE}:report", (tmp_path,))):
        await until(lambda: len(reports(tmp_path)) == 1, 60)
        [dying] = reports(tmp_path)
        os.kill(dying, signal.SIGKILL)
        await until(lambda: len(reports(tmp_path)) == 2, 60)
        assert [first for pid, first in reports(tmp_path).items() if pid != dying] == [False]


async def test_what_the_first_cannot_start_with_ends_them_all_with_its_reason(tmp_path: Path) -> None:
    supervisor = Supervisor(
        (Group("first", 1, f"{HERE}:refuse", ()), Group("second", 1, f"{HERE}:report", (tmp_path,))), 5.0, Settings()
    )
    with pytest.raises(ProcessFailed, match="The writer has no key"):
        await asyncio.wait_for(supervisor.run(), 60)
    assert reports(tmp_path) == {}


async def test_a_file_without_a_name_reaches_a_process(tmp_path: Path) -> None:
    with shared_file() as shared:
        async with running(Group("only", 1, f"{HERE}:write_shared", (shared,))) as supervisor:
            await asyncio.wait_for(supervisor.ready.wait(), 60)
            assert os.pread(shared.descriptor, 100, 0) == b"from a process"


async def test_what_a_process_was_given_is_not_given_on_to_programs() -> None:
    with shared_file() as shared:
        async with running(Group("only", 1, f"{HERE}:start_program", (shared,))) as supervisor:
            await asyncio.wait_for(supervisor.ready.wait(), 60)
            assert os.pread(shared.descriptor, 100, 0) == b"1"
