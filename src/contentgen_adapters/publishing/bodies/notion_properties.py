"""Fill the properties of a Notion page from a post, as far as its data source has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import frozen

from contentgen_adapters.publishing.bodies.notion_texts import rich_texts
from contentgen_adapters.shared.document.inline import Span
from contentgen_core.model.publication import PostStatus
from contentgen_core.model.publishing_target import Post
from contentgen_core.ports.publishing import PublishFailed, Refusal

KNOWN: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "externalId": ("External ID", ("rich_text",)),
    "status": ("Status", ("status", "select")),
    "tags": ("Tags", ("multi_select",)),
    "categories": ("Categories", ("multi_select", "select")),
    "excerpt": ("Excerpt", ("rich_text",)),
    "slug": ("Slug", ("rich_text",)),
    "canonicalUrl": ("Canonical URL", ("url", "rich_text")),
}
"""By our name: the property's usual name, and the types that can take it."""
_LONGEST_OPTION: Final = 100

Schema = Mapping[str, Mapping[str, Any]]
"""The properties of a data source, by name."""


@frozen
class Properties:
    """The properties to fill. `names`: of the properties that the user named, by ours. `draft`, `published`: the values
    of the status.
    """

    names: Mapping[str, str]
    draft: str
    published: str

    def name(self, ours: str) -> str:
        return self.names.get(ours) or KNOWN[ours][0]

    def used(self, schema: Schema) -> dict[str, str]:
        """Map our names to the properties that exist and fit. Raises PublishFailed for one that the user named and that
        does not.
        """
        used = {}
        for ours, (_, types) in KNOWN.items():
            name = self.name(ours)
            if schema.get(name, {}).get("type") in types:
                used[ours] = name
            elif ours in self.names:
                raise invalid(f'the database has no property "{name}" of the type {" or ".join(types)}')
        return used

    def of(self, post: Post, schema: Schema) -> dict[str, Any]:
        """Return the properties of a post, the title included. Values that the post lacks are emptied. Raises
        PublishFailed.
        """
        used = self.used(schema)
        status = self._status(post.status, schema, used.get("status", ""))
        given = {
            "externalId": (post.external_key,),
            "status": (status,),
            "tags": post.tags,
            "categories": post.categories,
            "excerpt": (post.excerpt,),
            "slug": (post.slug,),
            "canonicalUrl": (post.canonical_url,),
        }
        title = next(name for name, each in schema.items() if each.get("type") == "title")
        made = {title: {"title": rich_text(post.title)}}
        for ours, name in used.items():
            if ours != "status" or status is not None:
                made[name] = _value(str(schema[name]["type"]), [text for text in given[ours] if text])
        return made

    def draft_status(self, schema: Schema) -> dict[str, Any]:
        """Return the status property with the value of a draft. Raises PublishFailed if there is none."""
        name = self.used(schema).get("status", "")
        value = self._status(PostStatus.DRAFT, schema, name)
        return {name: _value(str(schema[name]["type"]), [value or ""])}

    def status_of(self, properties: Schema) -> PostStatus:
        """Return the status of a page as Notion returned it."""
        held = properties.get(self.name("status"), {})
        value = held.get(held.get("type", "")) if held.get("type") in KNOWN["status"][1] else None
        return PostStatus.DRAFT if (value or {}).get("name") == self.draft else PostStatus.PUBLISHED

    def _status(self, status: PostStatus, schema: Schema, property: str) -> str | None:
        """Return the value of the status; None if the property does not have it: only people can add values to a
        status.
        """
        name = self.draft if status is PostStatus.DRAFT else self.published
        found = schema.get(property, {})
        options = [option["name"] for option in (found.get("status") or {}).get("options", ())]
        if found.get("type") == "select" or name in options:
            return name
        if status is PostStatus.DRAFT:
            raise invalid(f'a draft takes a property "{self.name("status")}" that has the value "{name}"')
        return None


def rich_text(text: str) -> list[dict[str, Any]]:
    return next(rich_texts([Span(text)]), [])


def invalid(message: str) -> PublishFailed:
    return PublishFailed("notion", message, Refusal.INVALID)


def _value(type: str, texts: list[str]) -> dict[str, Any]:
    match type:
        case "rich_text":
            return {"rich_text": rich_text(" ".join(texts))}
        case "url":
            return {"url": texts[0] if texts else None}
        case "multi_select":
            return {"multi_select": [{"name": name} for name in dict.fromkeys(map(_option, texts)) if name]}
        case _:
            return {type: {"name": _option(texts[0])} if texts else None}


def _option(text: str) -> str:
    """Names of options hold no commas."""
    return " ".join(text.replace(",", " ").split())[:_LONGEST_OPTION]
