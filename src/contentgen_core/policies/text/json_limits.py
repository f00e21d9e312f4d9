"""Limits of JSON objects whose keys the caller chooses: what every store and every program can carry."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from contentgen_core.errors import FieldError
from contentgen_core.policies.text.storable import NUL, NUL_FAULT

MAX_BYTES: Final = 16 * 1024
MAX_DEPTH: Final = 32
# Programs that read JSON numbers as IEEE doubles see no larger integers as they were written (RFC 8259, section 6).
MAX_INTEGER: Final = 2**53 - 1


def free_form_faults(document: Mapping[str, Any]) -> list[FieldError]:
    """Return the faults of a decoded JSON object; empty for a valid one. Faults: over 16 KiB when written compactly in
    UTF-8, more than 32 levels deep, integers that a double cannot hold exactly, NUL characters."""
    faults = list(_faults(document, "", 0))
    if not faults and len(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()) > MAX_BYTES:
        faults.append(FieldError("body", f"at most {MAX_BYTES // 1024} KiB altogether, with what is kept from before"))
    return faults


def _faults(value: object, path: str, depth: int) -> Iterator[FieldError]:
    if depth > MAX_DEPTH:
        yield FieldError(path[:100], f"at most {MAX_DEPTH} levels")
        return
    match value:
        case str() if NUL in value:
            yield FieldError(path, NUL_FAULT)
        case int() if abs(value) > MAX_INTEGER:
            yield FieldError(path, f"integers of at most {MAX_INTEGER}")
        case Mapping():
            for key, item in value.items():
                place = f"{path}.{key}" if path else str(key)
                if NUL in key:
                    yield FieldError("body", f"names {NUL_FAULT}")
                yield from _faults(item, place, depth + 1)
        case list():
            for n, item in enumerate(value):
                yield from _faults(item, f"{path}[{n}]", depth + 1)
