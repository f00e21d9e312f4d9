"""The benchmarks run on request only: what they take from the product must still be there."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages

import benchmarks
import pytest

PEERS = "benchmarks.peers.with_"  # they run where their peer is installed
MODULES = [
    module.name
    for module in walk_packages(benchmarks.__path__, "benchmarks.")
    if not module.name.startswith(PEERS) and not module.name.endswith("__main__")
]


@pytest.mark.parametrize("name", MODULES)
def test_every_module_of_the_benchmarks_can_be_imported(name: str) -> None:
    import_module(name)
