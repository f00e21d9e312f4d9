"""The package as it is where only some of its extras are installed: modules that belong to none of them cannot be
imported."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions, requires

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

FORBID = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ABSENT:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
"""


def distributions(*extras: str) -> frozenset[str]:
    """Return the names of what `pip install contentgen-grounded[extras]` installs."""
    return frozenset(_closure("contentgen-grounded", frozenset(extras)))


def absent(*extras: str) -> frozenset[str]:
    """Top-level modules of what `pip install contentgen-grounded[extras]` would not have installed."""
    there = distributions(*extras)
    return frozenset(
        module
        for module, distributions in packages_distributions().items()
        if not there & {canonicalize_name(name) for name in distributions} and module not in sys.stdlib_module_names
    )


def run_with(extras: tuple[str, ...], code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A program in a Python that has these extras alone."""
    forbid = f"ABSENT = {set(absent(*extras))!r}\n{FORBID}"
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", forbid + code, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def _closure(name: str, extras: frozenset[str], seen: set[tuple[str, frozenset[str]]] | None = None) -> Iterator[str]:
    """The names of the distributions that one needs, itself included."""
    seen = set() if seen is None else seen
    if (name, extras) in seen:
        return
    seen.add((name, extras))
    yield name
    for line in requires(name) or ():
        needed = Requirement(line)
        if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in {"", *extras}):
            yield from _closure(canonicalize_name(needed.name), frozenset(needed.extras), seen)
