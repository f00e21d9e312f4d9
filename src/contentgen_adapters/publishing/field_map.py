"""The setting that maps parts of a post to user-defined fields of a target."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final
from urllib.parse import quote, urlsplit

from contentgen_core.errors import InvalidInput

_FIELD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_PLACEHOLDER: Final = re.compile(r"\{([^{}]*)\}")


def field_map(
    settings: Mapping[str, Any], default: Mapping[str, str], known: Collection[str], needed: Collection[str]
) -> dict[str, str]:
    """The setting `fieldMap`: the target's fields by our names for the parts of a post.

    `default`: without the setting. `known`: our names. `needed`: names that must be mapped; others are left out when
    mapped to nothing. Raises InvalidInput.
    """
    given = settings.get("fieldMap") or default
    chosen = {ours: theirs.strip() for ours, theirs in given.items() if theirs.strip()}
    unknown = sorted(set(chosen) - set(known))
    missing = sorted(set(needed) - set(chosen))
    malformed = sorted(theirs for theirs in chosen.values() if not _FIELD.fullmatch(theirs))
    if unknown:
        raise _invalid(f"there is no {', '.join(unknown)}; what can be mapped: {', '.join(known)}")
    if missing:
        raise _invalid(f"names no field for {', '.join(missing)}")
    if malformed:
        raise _invalid(f"{', '.join(malformed)[:200]} cannot be the id of a field")
    if len(set(chosen.values())) < len(chosen):
        raise _invalid("names the same field twice")
    return chosen


def url_template(settings: Mapping[str, Any]) -> str | None:
    """The setting `urlTemplate`: the public address of a post, with `{slug}` or `{id}`. Raises InvalidInput."""
    template = str(settings.get("urlTemplate") or "").strip()
    if not template:
        return None
    placeholders = set(_PLACEHOLDER.findall(template))
    if not placeholders or placeholders - {"slug", "id"} or urlsplit(template).scheme not in ("http", "https"):
        raise InvalidInput.of(
            "settings.urlTemplate", "an http or https address with {slug} or {id} in it, and no other place"
        )
    return template


def post_address(template: str | None, slug: str | None, id: str) -> str | None:
    """The public address of a post; None without a template, or without the slug that it needs."""
    if template is None or ("{slug}" in template and not slug):
        return None
    return template.replace("{slug}", quote(slug or "", safe="")).replace("{id}", quote(id, safe=""))


def _invalid(message: str) -> InvalidInput:
    return InvalidInput.of("settings.fieldMap", message)
