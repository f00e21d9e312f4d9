import subprocess
import sys

PROGRAM = """
import sys
from contentgen_http.processes.hidden_rich import without_rich
with without_rich():
    import structlog
drawn = sorted(name for name in sys.modules if name.partition(".")[0] in ("rich", "pygments"))
import rich.table
assert not drawn, drawn
"""
AFTERWARDS = """
import sys, rich
from contentgen_http.processes.hidden_rich import without_rich
with without_rich():
    import rich.table
assert sys.modules["rich"] is rich
"""


def test_structlog_is_imported_without_it_and_who_draws_a_table_has_it() -> None:
    subprocess.run([sys.executable, "-c", PROGRAM], check=True)


def test_whoever_has_it_keeps_it() -> None:
    subprocess.run([sys.executable, "-c", AFTERWARDS], check=True)
