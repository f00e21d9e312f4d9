"""Targets whose fields are their owner's own: which field of theirs takes which part of a post."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final
from urllib.parse import quote, urlsplit

from contentgen_core.errors import InvalidInput

_FIELD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_PLACE: Final = re.compile(r"\{([^{}]*)\}")


def field_map(
    settings: Mapping[str, Any], default: Mapping[str, str], known: Collection[str], needed: Collection[str]
) -> dict[str, str]:
    """The setting `fieldMap`: their fields by our names; an empty one leaves a part out. Raises InvalidInput."""
    given = settings.get("fieldMap") or default
    chosen = {ours: theirs.strip() for ours, theirs in given.items() if theirs.strip()}
    unknown = sorted(set(chosen) - set(known))
    missing = sorted(set(needed) - set(chosen))
    malformed = sorted(theirs for theirs in chosen.values() if not _FIELD.fullmatch(theirs))
    if unknown:
        raise _wrong(f"there is no {', '.join(unknown)}; what can be mapped: {', '.join(known)}")
    if missing:
        raise _wrong(f"names no field for {', '.join(missing)}")
    if malformed:
        raise _wrong(f"{', '.join(malformed)[:200]} cannot be the id of a field")
    if len(set(chosen.values())) < len(chosen):
        raise _wrong("names the same field twice")
    return chosen


def url_template(settings: Mapping[str, Any]) -> str | None:
    """The setting `urlTemplate`. Raises InvalidInput."""
    template = str(settings.get("urlTemplate") or "").strip()
    if not template:
        return None
    places = set(_PLACE.findall(template))
    if not places or places - {"slug", "id"} or urlsplit(template).scheme not in ("http", "https"):
        raise InvalidInput.of(
            "settings.urlTemplate", "an http or https address with {slug} or {id} in it, and no other place"
        )
    return template


def address(template: str | None, slug: str | None, id: str) -> str | None:
    """Where people read a post."""
    if template is None or ("{slug}" in template and not slug):
        return None
    return template.replace("{slug}", quote(slug or "", safe="")).replace("{id}", quote(id, safe=""))


def _wrong(message: str) -> InvalidInput:
    return InvalidInput.of("settings.fieldMap", message)
