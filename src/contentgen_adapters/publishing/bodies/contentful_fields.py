"""A post as the fields of a Contentful content type, within their types, limits and locales."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from contentgen_adapters.publishing.bodies.contentful import rich_text
from contentgen_adapters.publishing.bodies.lengths import units
from contentgen_adapters.publishing.bodies.markdown import markdown
from contentgen_adapters.publishing.bodies.texts import one_line, shorten
from contentgen_core.model.publishing_target import Post

MAX_SYMBOL: Final = 256
MAX_TEXT: Final = 50_000
KNOWN: Final = ("title", "body", "slug", "excerpt", "featuredImage", "tags", "categories", "canonicalUrl", "metaTitle",
                "metaDescription")  # fmt: skip
_MAY_BE_CUT: Final = ("excerpt", "metaTitle", "metaDescription")


class Items(msgspec.Struct):
    type: str = ""
    link_type: str | None = msgspec.field(default=None, name="linkType")
    validations: list[dict[str, Any]] = []


class Field(msgspec.Struct):
    id: str
    type: str
    localized: bool = False
    link_type: str | None = msgspec.field(default=None, name="linkType")
    items: Items | None = None
    validations: list[dict[str, Any]] = []

    @property
    def longest(self) -> int:
        """The most characters of a text, by its type and the owner's validation."""
        sizes = [rule["size"].get("max") for rule in self.validations if isinstance(rule.get("size"), dict)]
        own = [size for size in sizes if isinstance(size, int)]
        return min(MAX_SYMBOL if self.type == "Symbol" else MAX_TEXT, *own, MAX_TEXT)

    @property
    def marks(self) -> list[str] | None:
        """The marks that the owner has switched on in a rich text; None: all."""
        rules = [rule["enabledMarks"] for rule in self.validations if isinstance(rule.get("enabledMarks"), list)]
        return rules[0] if rules else None

    @property
    def takes_assets(self) -> bool:
        """Whether the owner lets a rich text show assets as blocks."""
        rules = (rule.get("enabledNodeTypes") for rule in self.validations)
        return all("embedded-asset-block" in rule for rule in rules if isinstance(rule, list))

    @property
    def kind(self) -> str:
        """The type in messages."""
        if self.type == "Array" and self.items is not None:
            return f"list of {self.items.link_type or self.items.type}"
        return f"link to {self.link_type}" if self.type == "Link" else self.type

    @property
    def allowed(self) -> list[str]:
        """The values that the owner allows in a list; empty for any."""
        rules = self.items.validations if self.items is not None else []
        return [str(value) for rule in rules for value in rule.get("in") or ()]


class ContentType(msgspec.Struct):
    name: str
    fields: list[Field]


class TypeMismatch(ValueError):
    """A post or a field map that does not match the content type; the message is for users."""


def map_fields(content_type: ContentType, field_map: Mapping[str, str]) -> dict[str, Field]:
    """Return the content type's fields by our names."""
    by_id = {field.id: field for field in content_type.fields}
    if missing := sorted(theirs for theirs in field_map.values() if theirs not in by_id):
        raise TypeMismatch(f"the content type {content_type.name} has no field {', '.join(missing)}")
    fields = {ours: by_id[theirs] for ours, theirs in field_map.items()}
    for ours, field in fields.items():
        if field.kind not in _kinds(ours):
            raise TypeMismatch(f"the field {field.id} is of the type {field.kind}, which cannot take {ours}")
    return fields


def _kinds(ours: str) -> tuple[str, ...]:
    match ours:
        case "body":
            return ("RichText", "Text")
        case "tags" | "categories":
            return ("list of Symbol",)
        case "featuredImage":
            return ("link to Asset",)
        case _:
            return ("Symbol", "Text")


def values(
    post: Post, fields: Mapping[str, Field], asset: str | None, pictures: Mapping[str, str]
) -> Iterator[tuple[Field, Any]]:
    """The value of each field that has one. `asset`: the id of the featured image's asset. `pictures`: the ids of the
    assets of the text's pictures, by their address in it. CPU-bound. Raises TypeMismatch for a text that is too
    long."""
    parts: dict[str, Any] = {
        "title": post.title,
        "slug": post.slug,
        "excerpt": post.excerpt,
        "canonicalUrl": post.canonical_url,
        "metaTitle": post.meta_title,
        "metaDescription": post.meta_description,
    }
    for ours, field in fields.items():
        match ours:
            case "body":
                if field.type == "RichText":
                    yield field, rich_text(post, field.marks, pictures)
                else:
                    yield field, _fitting(ours, field, markdown(post))
            case "tags" | "categories":
                names = [shorten(one_line(name), MAX_SYMBOL) for name in getattr(post, ours)]
                if names or ours in post.clears:
                    yield field, list(dict.fromkeys(names))
            case "featuredImage":
                if asset is not None:
                    yield field, {"sys": {"type": "Link", "linkType": "Asset", "id": asset}}
            case _:
                if parts[ours]:
                    yield field, _fitting(ours, field, parts[ours])


def _fitting(ours: str, field: Field, text: str) -> str:
    if units(text) <= field.longest:
        return text
    if ours in _MAY_BE_CUT and field.longest >= 2:
        return shorten(one_line(text), field.longest)
    raise TypeMismatch(
        f"the {ours} is too long: {units(text):,} characters, the field {field.id} takes {field.longest:,}"
    )
