"""The settings as tables: all that there are, and those in force."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Annotated, get_origin, get_type_hints

import msgspec

from contentgen_grounded.settings import PREFIX, Settings, description_of, load

_SECRET = re.compile(r"_(keys?|secret)$")
_PASSWORD = re.compile(r"(?<=://)([^/@\s:]*):[^/@\s]*(?=@)")
_HIDDEN = "(set, not shown)"


def table() -> list[tuple[str, str, str]]:
    """Return (variable, default, description) of every setting."""
    rows = []
    defaults = Settings()
    for name, hint in get_type_hints(Settings, include_extras=True).items():
        if get_origin(hint) is not Annotated:
            continue
        default = getattr(defaults, name)
        rows.append((PREFIX + name.upper(), "" if default is None else str(default), description_of(hint)))
    return rows


class SettingInForce(msgspec.Struct, frozen=True):
    """A setting's value in this environment. `value`: as text, a secret hidden; `source`: `environment` or
    `default`.
    """

    variable: str
    value: str
    source: str
    description: str


def in_force(environ: Mapping[str, str] | None = None) -> list[SettingInForce]:
    """Return every setting with its value in this environment. Raises BadSetting."""
    environ = os.environ if environ is None else environ
    loaded = load(environ)
    return [
        SettingInForce(
            variable,
            _display(variable, getattr(loaded, variable.removeprefix(PREFIX).lower())),
            "environment" if environ.get(variable) else "default",
            description,
        )
        for variable, _, description in table()
    ]


def _display(variable: str, value: object) -> str:
    if value is None:
        return ""
    return _HIDDEN if _SECRET.search(variable.lower()) else _PASSWORD.sub(r"\1:***", str(value))
