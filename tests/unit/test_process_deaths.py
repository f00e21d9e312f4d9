"""What /health tells of processes that die again and again."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from contentgen_http.processes.process_deaths import LONG_LIFE_SECONDS, MOST_DEATHS, ProcessDeaths
from contentgen_http.processes.shared_file import SharedFile, shared_file


@pytest.fixture
def file() -> Iterator[SharedFile]:
    with shared_file() as made:
        yield made


def test_a_process_that_dies_again_and_again_is_a_fault_until_it_lives_long(file: SharedFile) -> None:
    now = [1000.0]
    deaths, elsewhere = ProcessDeaths(file, lambda: now[0]), ProcessDeaths(file, lambda: now[0])
    for _ in range(MOST_DEATHS - 1):
        deaths.record("jobs 1", 1.0, -9, pause=30.0)
        assert elsewhere.fault() is None
    deaths.record("jobs 1", 1.0, -11, pause=30.0)
    fault = elsewhere.fault()
    assert fault is not None
    assert "The process jobs 1 has ended 5 times in a row" in fault
    assert "status -11" in fault
    now[0] += 30.0 + LONG_LIFE_SECONDS - 1
    assert elsewhere.fault() is not None
    now[0] += 1
    assert elsewhere.fault() is None
    deaths.record("jobs 1", LONG_LIFE_SECONDS, -9)
    assert elsewhere.fault() is None, "after a long life one starts to count again"


def test_deaths_of_several_processes_are_counted_apart(file: SharedFile) -> None:
    deaths = ProcessDeaths(file)
    for n in range(4 * MOST_DEATHS):
        deaths.record(f"jobs {n % 5}", 1.0, 1)
    assert deaths.fault() is None
    for n in range(200):
        for _ in range(MOST_DEATHS):
            deaths.record(f"{n} of a long name", 1.0, "x" * 1000)
    assert "The process 199 of a long name" in (deaths.fault() or ""), "the latest, where not all find room"


def test_a_file_that_is_just_written_is_no_fault(file: SharedFile) -> None:
    os.pwrite(file.descriptor, b'[["jobs 1", 5, "-', 0)
    assert ProcessDeaths(file).fault() is None
