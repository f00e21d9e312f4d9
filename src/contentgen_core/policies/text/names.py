"""Names of tenants, people, keys and integrations."""

from __future__ import annotations

from typing import Final

from contentgen_core.errors import InvalidInput
from contentgen_core.policies.text.storable import fits

MAX_NAME: Final = 100


def name_fault(name: str, max_length: int = MAX_NAME) -> str | None:
    """Explain why a trimmed name is invalid; None if it is valid. `max_length`: in characters."""
    return None if fits(name, max_length, min_length=1) else f"between 1 and {max_length} characters"


def checked_name(text: str, max_length: int = MAX_NAME) -> str:
    """The trimmed name. Raises InvalidInput for the field `name`."""
    name = text.strip()
    if (fault := name_fault(name, max_length)) is not None:
        raise InvalidInput.of("name", fault)
    return name
