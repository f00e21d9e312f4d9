"""Names of tenants, people, keys and integrations."""

from __future__ import annotations

from typing import Final

from contentgen_core.errors import InvalidInput
from contentgen_core.policies.text.storable import fits

MAX_NAME: Final = 100


def name_fault(name: str, most: int = MAX_NAME) -> str | None:
    """Why a name, trimmed, is none; None where nothing is wrong. `most`: characters."""
    return None if fits(name, most, least=1) else f"between 1 and {most} characters"


def checked_name(text: str, most: int = MAX_NAME) -> str:
    """The name, trimmed. Raises InvalidInput, with the field `name`."""
    name = text.strip()
    if (fault := name_fault(name, most)) is not None:
        raise InvalidInput.of("name", fault)
    return name
