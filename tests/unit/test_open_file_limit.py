"""The limit of open files is raised as far as it may be."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import resource, sys
from contentgen_http.server.open_file_limit import raise_file_limit
soft, hard, streams = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
raise_file_limit(streams)
print(*resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.parametrize(
    ("soft", "hard", "streams", "then", "warned"),
    [(256, 8_000, 4_000, 5_000, False), (256, 2_000, 4_000, 2_000, True), (7_000, 8_000, 4_000, 7_000, False)],
)
def test_the_limit_follows_from_the_streams(soft: int, hard: int, streams: int, then: int, warned: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(soft), str(hard), str(streams)], capture_output=True, text=True, check=True
    )
    *said, limits = done.stdout.splitlines()
    assert limits == f"{then} {hard}"
    assert any("few files" in line for line in said) == warned
