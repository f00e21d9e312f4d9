"""What Schemathesis loads before it runs (tests/contract/test_schemathesis.py): the same run for less.

It merges all that schemathesis.toml says of an operation anew for each case of it, several times, which is a fifth of a
run. What comes of that depends on the operation and the phase only, and nothing changes it once a run has begun.
"""

from __future__ import annotations

import gc
from functools import wraps
from typing import Any
from unittest.mock import patch

from requests import sessions
from schemathesis.config import ProjectConfig

_MERGED = ("phases_for", "generation_for", "checks_config_for")


def _merge_once(name: str) -> None:
    merge = getattr(ProjectConfig, name)
    merged: dict[tuple[Any, ...], Any] = {}

    @wraps(merge)
    def known(config: ProjectConfig, *, operation: Any = None, phase: str | None = None) -> Any:
        key = id(config), operation and operation.label, phase
        if key not in merged:
            merged[key] = merge(config, operation=operation, **({} if phase is None else {"phase": phase}))
        return merged[key]

    setattr(ProjectConfig, name, known)


def _no_proxies(*_: object, **__: object) -> dict[str, str]:
    """What lies between us and this machine. Read from the environment, it takes a fiftieth of a run."""
    return {}


for _name in _MERGED:
    _merge_once(_name)
patch.object(sessions, "get_environ_proxies", _no_proxies).start()
gc.freeze()  # what is imported lives to the end
gc.set_threshold(700, 10, 150)  # walking all that it keeps at each 70,000 new objects took a twelfth of a run
