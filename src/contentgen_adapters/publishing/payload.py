"""What most payloads need: fields that are there, and limits that are told before a call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from contentgen_core.ports.publishing import PublishFailed, Refusal


def present(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Without those that are None."""
    return {name: value for name, value in fields.items() if value is not None}


def check_length(target: str, what: str, length: int, most: int, unit: str = "characters") -> None:
    """Raises PublishFailed naming the limit: shortening a title or a text is for a person."""
    if length > most:
        message = f"{what} is too long: {length:,} {unit}, and at most {most:,} are taken"
        raise PublishFailed(target, message, Refusal.INVALID)
