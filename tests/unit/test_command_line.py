"""The command line answers at once: what shows the commands loads nothing that a command works with."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version

import pytest

PROGRAM = """
import atexit, sys
from contentgen_http.__main__ import main
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
sys.argv[0] = "contentgen"
main()
"""
HEAVY = {
    "asyncio", "contentgen_grounded.bootstrap", "contentgen_grounded.settings", "contentgen_adapters",
    "contentgen_core.policies", "contentgen_core.ports", "contentgen_core.services", "contentgen_core.use_cases",
    "contentgen_http.telemetry",
    "dramatiq", "httpx", "lancedb", "litestar", "mcp", "msgspec", "numpy", "opentelemetry", "prometheus_client",
    "psycopg", "pyarrow", "redis", "structlog", "uvicorn",
}  # fmt: skip


def loaded(*arguments: str, **environment: str) -> tuple[str, set[str]]:
    """What the program prints, and the modules that it has loaded by its end."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout, set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["--help"], "Grounded content generation."),
        (["--version"], version("contentgen-grounded")),
        (["keys", "--help"], "accept-secret"),
        (["kb", "import", "--help"], "Only for this country's agent"),
        (["write", "--help"], "--allow-low-coverage"),
    ],
)
def test_help_and_the_version_load_nothing_that_works(arguments: list[str], printed: str) -> None:
    shown, modules = loaded(*arguments)
    assert printed in shown
    assert not modules & (HEAVY | {"rich"})


@pytest.mark.parametrize(
    ("shell", "typed", "proposed"),
    [
        ("bash", {"COMP_WORDS": "contentgen ke", "COMP_CWORD": "1"}, "keys"),
        ("bash", {"COMP_WORDS": "contentgen keys re", "COMP_CWORD": "2"}, "revoke"),
        ("zsh", {"_TYPER_COMPLETE_ARGS": "contentgen ke"}, "API keys of a tenant."),
    ],
)
def test_completion_in_a_shell_loads_nothing_that_works(shell: str, typed: dict[str, str], proposed: str) -> None:
    shown, modules = loaded(_CONTENTGEN_COMPLETE=f"complete_{shell}", **typed)
    assert proposed in shown
    assert not modules & (HEAVY if shell == "zsh" else HEAVY | {"rich"})  # Typer takes Rich for what zsh shows


def test_what_a_command_imports_is_not_looked_through_for_garbage() -> None:
    code = """
import gc
from contentgen_http.commands.console import loading
with loading("cli"):
    import contentgen_core.model.article
print(gc.is_tracked(contentgen_core), gc.get_freeze_count() > len(gc.get_objects()), gc.isenabled())
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert ended.stdout.split() == ["True", "True", "True"]
