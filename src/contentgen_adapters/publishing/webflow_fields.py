"""The fields of a Webflow collection, and values converted to their types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from contentgen_adapters.publishing.payload import without_none
from contentgen_core.ports.publishing import PublishFailed, Refusal

NAME: Final = "Webflow"
_TEXTS: Final = ("PlainText", "RichText", "Link")


class Field(msgspec.Struct, rename="camel"):
    slug: str
    type: str
    display_name: str = ""
    validations: dict[str, Any] | None = None


class Collection(msgspec.Struct, rename="camel"):
    id: str
    slug: str = ""
    display_name: str = ""
    fields: list[Field] = []


def is_rich(each: Field) -> bool:
    return each.type == "RichText"


def value_of(target: Field, value: str, alt: str | None) -> Any:
    """Convert a text to the type of a field. `alt`: of an image. Raises PublishFailed for an unsupported type."""
    if target.type == "Image":
        return without_none({"url": value, "alt": alt})
    if target.type not in _TEXTS:
        message = f"the field {target.slug!r} is of the kind {target.type}, which takes no text"
        raise PublishFailed(NAME, message, Refusal.INVALID)
    return value


def further(collection: Collection, given: Mapping[str, str]) -> dict[str, Any]:
    """The values of further fields, by slug, converted to their types. Raises PublishFailed."""
    kinds = {each.slug: each.type for each in collection.fields}
    made: dict[str, Any] = {}
    for slug, value in given.items():
        try:
            match kinds[slug]:
                case "Number":
                    made[slug] = float(value)
                case "Switch":
                    made[slug] = value.strip().lower() in ("true", "yes", "1")
                case "MultiReference":
                    made[slug] = [part.strip() for part in value.split(",") if part.strip()]
                case _:
                    made[slug] = value
        except (KeyError, ValueError) as error:
            message = f"the collection has no field {slug!r} that takes {value!r}"
            raise PublishFailed(NAME, message, Refusal.INVALID) from error
    return made
