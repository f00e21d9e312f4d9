"""Groups of commands that are imported when they are used: otherwise `--help`, and each command, would import all of
them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_group


def commands_of(group: str) -> typer.Typer:
    """The commands of that group, imported."""
    found: typer.Typer = getattr(import_module(f"contentgen_http.commands.{group}"), f"{group}_app")
    return found


def deferred_group(group: str) -> type[TyperGroup]:
    """A group without commands until its arguments are read: for running one, for its own help, for completion."""

    class Deferred(TyperGroup):
        def make_context(self, *place: Any, **extra: Any) -> Any:
            self.commands = get_group(commands_of(group)).commands
            return super().make_context(*place, **extra)

    return Deferred
