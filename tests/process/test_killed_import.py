"""An import that is killed while several processes take its texts apart."""

from __future__ import annotations

import json
import subprocess
from contextlib import suppress
from pathlib import Path

import psutil

from contentgen_adapters.shared.processes import worker
from contentgen_grounded.cores import usable_cores
from tests.process.service import CONTENTGEN, environment, run, until

SOURCES = 3_000
SECTION = "The tide mill number {} grinds rye when the sea falls, and its wheel of oak turns {} times in an hour. "


def written(folder: Path) -> Path:
    file = folder / "mills.jsonl"
    with file.open("w", encoding="utf-8") as lines:
        for n in range(SOURCES):
            text = "".join(SECTION.format(n, n + turn) for turn in range(8))
            lines.write(json.dumps({"id": f"mill-{n}", "title": f"The mill {n}", "url": "", "text": text}) + "\n")
    return file


def splitting(program: psutil.Process) -> list[psutil.Process]:
    """Those of its processes that take texts apart; others may be ending."""
    found = []
    for process in program.children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if worker.__name__ in process.cmdline():
                found.append(process)
    return found


def test_what_a_killed_import_began_ends_with_it_and_the_next_one_completes_it(data_dir: Path, tmp_path: Path) -> None:
    command = ["kb", "import", str(written(tmp_path)), "--niche", "home-energy", "--json"]
    with subprocess.Popen(
        [CONTENTGEN, *command, "--data-dir", str(data_dir)],
        env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as importing:  # fmt: skip
        program = psutil.Process(importing.pid)
        helpers = until(
            lambda: splitting(program) or usable_cores() == 1,
            60,
            "no process takes part in a large import",
        )
        importing.kill()
        importing.wait()
    if not isinstance(helpers, bool):
        psutil.wait_procs(helpers, timeout=10)
        assert not any(helper.is_running() for helper in helpers), "a process outlives its import"
    done = run(*command, data_dir=data_dir, seconds=180)
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)
    assert counts["added"] + counts["unchanged"] == SOURCES
    assert counts["updated"] == counts["withoutText"] == 0
    again = json.loads(run(*command, data_dir=data_dir, seconds=180).stdout)
    assert (again["added"], again["unchanged"]) == (0, SOURCES)
