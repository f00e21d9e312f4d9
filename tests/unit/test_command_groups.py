"""Groups of commands are imported when they are used, and look as if they always had been."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import pytest
from typer.testing import CliRunner

from contentgen_http import cli
from contentgen_http.reference.pages import commands

COMMANDS = commands()


def said(arguments: Sequence[str], **environment: str) -> str:
    result = CliRunner().invoke(cli.app, list(arguments), env=environment, prog_name="contentgen")
    return result.output


@pytest.mark.parametrize("group", cli.GROUPS)
def test_a_group_shows_its_commands_under_what_it_is_for(group: str) -> None:
    shown = said([group, "--help"])
    assert cli.GROUPS[group] in " ".join(shown.split())
    named = {name.split()[1] for name, _ in COMMANDS if name.startswith(f"{group} ")}
    assert named
    for name in named:
        assert f"\n  {name} " in shown


@pytest.mark.parametrize("group", cli.GROUPS)
def test_a_command_of_a_group_is_found(group: str) -> None:
    name, function = next((name, function) for name, function in COMMANDS if name.startswith(f"{group} "))
    shown = said([*name.split(), "--help"])
    assert f"contentgen {name}" in shown
    assert " ".join((function.__doc__ or "").split())[:40] in " ".join(shown.split())


def test_a_command_that_is_none_is_refused_with_one_that_is_near() -> None:
    assert "No such command 'enrichs'. Did you mean 'enrich'?" in said(["kb", "enrichs"])
    assert "No such command 'tenant'. Did you mean 'tenants'" in said(["tenant"])


def test_completion_knows_groups_and_their_commands() -> None:
    asked = {"_CONTENTGEN_COMPLETE": "complete_bash"}
    assert said([], COMP_WORDS="contentgen ten", COMP_CWORD="1", **asked).split() == ["tenants"]
    assert said([], COMP_WORDS="contentgen kb re", COMP_CWORD="2", **asked).split() == ["reindex"]


def test_help_imports_no_group() -> None:
    shown = (
        "import sys\n"
        "from contentgen_http import cli\n"
        "try:\n"
        "    cli.app(['--help'])\n"
        "except SystemExit:\n"
        "    pass\n"
        "print('IMPORTED', *(name for name in sys.modules if name.startswith('contentgen_')))"
    )
    ended = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True, timeout=60)
    listed, _, imported = ended.stdout.partition("IMPORTED ")
    assert all(f"\n  {group} " in listed for group in cli.GROUPS)
    assert "contentgen_http.commands.console" in imported.split()
    assert not {f"contentgen_http.commands.{group}" for group in cli.GROUPS} & {*imported.split()}
