"""Helpers for request bodies: fields without empty values, and checks of lengths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from contentgen_core.ports.publishing import PublishFailed, Refusal


def without_none(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


def check_length(target: str, what: str, length: int, most: int, unit: str = "characters") -> None:
    """Raises PublishFailed with the limit when a text is too long: it is not shortened without the user.

    `target`: name of the service. `what`: the text. `length`, `most`: in `unit`.
    """
    if length > most:
        message = f"{what} is too long: {length:,} {unit}, and at most {most:,} are taken"
        raise PublishFailed(target, message, Refusal.INVALID)
