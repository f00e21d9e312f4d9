"""Where the interface description lets a caller name something by its id or key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from attrs import frozen

_PARAMETER: Final = re.compile(r"(?:^id|[a-z]Ids?|Key)$")
_FIELD: Final = re.compile(r"(?:^|\.)(?:id|[A-Za-z]*[a-z]Ids?|[a-z]+Key)(?:\[\])?$")


@frozen
class Reference:
    """`operation`: `POST /writer/generate`; `place`: `path.id`, `query.nicheKey`, `body.plan.sections[].sourceIds`."""

    operation: str
    place: str

    @property
    def name(self) -> str:
        return self.place.split(".")[-1].removesuffix("[]")

    def __str__(self) -> str:
        return f"{self.operation} {self.place}"


@frozen
class Described:
    """An operation of a tenant as the description has it. `example`: the request body that it shows. `required`: values
    of the parameters of the query that it needs."""

    method: str
    path: str
    references: tuple[Reference, ...]
    example: dict[str, Any] | None
    media: frozenset[str]
    required: dict[str, str]

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"


def tenant_operations(document: dict[str, Any]) -> Iterator[Described]:
    """Return all operations that need a key."""
    components = document["components"]["schemas"]
    for path, methods in document["paths"].items():
        for verb, operation in methods.items():
            if operation.get("security") == []:
                continue
            method = verb.upper()
            content = operation.get("requestBody", {"content": {}})["content"]
            examples = content.get("application/json", {}).get("examples", {})
            yield Described(
                method,
                path,
                tuple(Reference(f"{method} {path}", place) for place in _places(operation, content, components)),
                next((dict(shown["value"]) for shown in examples.values()), None),
                frozenset(operation["responses"]["200"]["content"]),
                {p["name"]: "heat" for p in operation["parameters"] if p["in"] == "query" and p.get("required")},
            )


def _places(operation: dict[str, Any], content: dict[str, Any], components: dict[str, Any]) -> Iterator[str]:
    for parameter in operation["parameters"]:
        where, name = parameter["in"], parameter["name"]
        if where == "path" or (where == "query" and _PARAMETER.search(name)):
            yield f"{where}.{name}"
    for sent in content.values():
        yield from (f"body.{field}" for field in _fields(sent["schema"], components) if _FIELD.search(field))


def _fields(
    schema: dict[str, Any], components: dict[str, Any], at: str = "", seen: tuple[str, ...] = ()
) -> Iterator[str]:
    """The paths of all fields: `coverageSources[].parentId`."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name not in seen:
            yield from _fields(components[name], components, at, (*seen, name))
    for kind in ("anyOf", "oneOf", "allOf"):
        for option in schema.get(kind, ()):
            yield from _fields(option, components, at, seen)
    if isinstance(schema.get("items"), dict):
        yield from _fields(schema["items"], components, f"{at}[]", seen)
    for name, field in schema.get("properties", {}).items():
        inner = f"{at}.{name}" if at else name
        yield inner
        yield from _fields(field, components, inner, seen)


def placed(body: dict[str, Any], field: str, value: object, *, many: bool) -> dict[str, Any]:
    """Return the body with a value at such a path; of lists on the way, in the first item. `many`: whether the value is
    a list's.
    """
    first, _, rest = field.partition(".")
    name = first.removesuffix("[]")
    if not rest:
        return body | {name: [value] if many else value}
    if first.endswith("[]"):
        items = list(body.get(name) or [{}])
        return body | {name: [placed(items[0], rest, value, many=many), *items[1:]]}
    return body | {name: placed(dict(body.get(name) or {}), rest, value, many=many)}
