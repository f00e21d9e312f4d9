"""Clusters on the disk, and the processes on them."""

from __future__ import annotations

import contextlib
import subprocess
from pathlib import Path

import psutil
import psycopg


def copy_cluster(cluster: Path, target: Path) -> None:
    subprocess.run(["cp", "-a", cluster, target], check=True)  # keeps the owner, and is faster than shutil


def query(conninfo: str, statement: str) -> tuple[object, ...] | None:
    with psycopg.connect(conninfo) as connection:
        return connection.execute(statement.encode()).fetchone()


def processes_on(data_dir: Path) -> list[psutil.Process]:
    """The keeper, the server and the server's own processes, in this order."""
    cluster, found = (data_dir / "postgres").resolve(), list[psutil.Process]()
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            program = Path("".join(process.cmdline()[:1]))
            if program.name == "postgres" and Path(process.cwd()) == cluster:
                found += [*process.parents()[:1], process, *process.children()]
    return [process for process in found if process.pid != 1]


def end_all_on(data_dir: Path) -> None:
    """A test that failed half-way must not leave a server behind."""
    for process in processes_on(data_dir):
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
