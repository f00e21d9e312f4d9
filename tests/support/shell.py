"""A shell that goes on from command to command, as the one before a reader of the documentation."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Self

from attrs import field, frozen

# The status of each answer is told on standard error; a stream that has no end is listened to for some seconds.
_PREAMBLE = r"""
set -o pipefail
curl() {
  case " $* " in
    *" -N "*) timeout 3 curl "$@"; [ $? -eq 124 ] ;;
    *) command curl --connect-timeout 5 -w '%{stderr}http=%{http_code}\n' "$@" ;;
  esac
}
"""

ROOT = Path(__file__).parents[2]


@frozen
class Ran:
    """`answers`: the HTTP statuses that curl got."""

    status: int
    out: str
    err: str
    answers: list[int] = field(factory=list)


class Shell:
    """Its variables and functions live as long as it does; whatever it started ends with it."""

    def __init__(self, folder: Path, env: Mapping[str, str]) -> None:
        self._folder = folder
        self._steps = folder / ".steps"
        self._steps.mkdir()
        self._count = 0
        self._process = subprocess.Popen(
            ["bash", "--noprofile", "--norc"], cwd=folder, env=_with_commands(folder, env), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        self.run(_PREAMBLE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGTERM)
        self._process.wait(30)

    def run(self, command: str, seconds: float = 120) -> Ran:
        self._count += 1
        step = self._steps / str(self._count)
        files = {name: step.with_suffix(f".{name}") for name in ("sh", "out", "err", "status")}
        files["sh"].write_text(command + "\n", "utf-8")
        assert self._process.stdin is not None
        self._process.stdin.write(
            f". {files['sh']} > {files['out']} 2> {files['err']} < /dev/null; "
            f"echo $? > {step}.ended; mv {step}.ended {files['status']}\n"
        )
        self._process.stdin.flush()
        deadline = time.monotonic() + seconds
        while not files["status"].exists():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"did not end: {command}\n{files['err'].read_text('utf-8', 'replace')}")
            time.sleep(0.01)
        err = files["err"].read_text("utf-8", "replace")
        return Ran(
            int(files["status"].read_text()),
            files["out"].read_text("utf-8", "replace"),
            re.sub(r"http=\d+\n", "", err),
            [int(status) for status in re.findall(r"http=(\d+)", err)],
        )


def _with_commands(folder: Path, env: Mapping[str, str]) -> dict[str, str]:
    """With what a reader has and a small machine may not."""
    path = env.get("PATH", os.defpath)
    own = folder / ".bin"
    own.mkdir()
    for name in ("curl", "jq"):
        if shutil.which(name, path=path) is None:
            command = own / name
            command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tests.support.commands.{name} "$@"\n')
            command.chmod(0o755)
    return {**env, "PATH": f"{path}{os.pathsep}{own}", "PYTHONPATH": str(ROOT)} if any(own.iterdir()) else dict(env)
