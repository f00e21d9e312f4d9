"""How many processes a machine is worth."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_grounded.cores import MOST_API, MOST_JOB, api_processes, job_processes, usable_cores
from contentgen_http.processes.serving import Processes

ALLOWED = len(os.sched_getaffinity(0))


def limited(folder: Path, text: str) -> int:
    (folder / "cpu.max").write_text(text)
    return usable_cores(folder)


def test_without_a_limit_it_is_the_cores_that_we_may_run_on(tmp_path: Path) -> None:
    assert usable_cores(tmp_path) == ALLOWED
    assert limited(tmp_path, "max 100000\n") == ALLOWED


def test_a_containers_limit_is_rounded_up(tmp_path: Path) -> None:
    assert limited(tmp_path, "50000 100000\n") == 1
    assert limited(tmp_path, "100000 100000\n") == 1
    assert limited(tmp_path, "150000 100000\n") == min(2, ALLOWED)
    assert limited(tmp_path, "6400000 100000\n") == ALLOWED


def test_the_limit_is_read_of_the_older_cgroups_too(tmp_path: Path) -> None:
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000\n")
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text("100000\n")
    assert usable_cores(tmp_path) == 1
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text("-1\n")
    assert usable_cores(tmp_path) == ALLOWED


@pytest.mark.parametrize("text", ["", "many 100000", "100000", "1 0"])
def test_a_limit_that_cannot_be_read_is_none(tmp_path: Path, text: str) -> None:
    assert limited(tmp_path, text) == ALLOWED


@given(cores=st.integers(1, 500))
def test_every_core_up_to_a_bound_has_a_process_that_does_jobs_and_fewer_answer(cores: int) -> None:
    assert job_processes(cores) == min(cores, MOST_JOB)
    assert 1 <= api_processes(cores) <= min(job_processes(cores), MOST_API)
    assert api_processes(cores) <= api_processes(cores + 1)


def test_small_machines() -> None:
    assert [(api_processes(cores), job_processes(cores)) for cores in (1, 2, 4, 8)] == [(1, 1), (1, 2), (2, 4), (4, 8)]


def test_what_is_asked_for_is_what_there_is() -> None:
    assert Processes.chosen(3, 5, queue=False) == Processes(3, 5)
    assert Processes.chosen(3, 5, queue=True) == Processes(3, 5)
    assert Processes.chosen(1, 0, queue=False).alone
    assert not Processes.chosen(1, 1, queue=False).alone


def test_with_a_redis_the_workers_do_the_jobs() -> None:
    assert Processes.chosen(None, None, queue=True).job == 0
    assert Processes.chosen(None, None, queue=False).job >= 1
