"""Validation of a niche's texts."""

from __future__ import annotations

from typing import Final

from contentgen_core.errors import FieldError, InvalidInput
from contentgen_core.policies.text.storable import fits

MAX_NAME: Final = 100
MAX_DESCRIPTION: Final = 2_000
MAX_ICON: Final = 200


def check_texts(name: str | None, description: str | None, icon: str | None) -> None:
    """Raises InvalidInput naming each faulty field. None is not checked."""
    faults = []
    texts = (("name", name, MAX_NAME), ("description", description, MAX_DESCRIPTION), ("icon", icon, MAX_ICON))
    for field, value, most in texts:
        if value is not None and not fits(value, most):
            faults.append(FieldError(field, f"at most {most} characters, without NUL"))
    if name is not None and not name.strip():
        faults.append(FieldError("name", "must not be empty"))
    if faults:
        raise InvalidInput(*faults)
