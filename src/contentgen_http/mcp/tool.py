"""The declaration of a tool: its name, description, arguments, answer and function."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import Any, Final

import msgspec
from attrs import frozen

from contentgen_core.errors import FieldError, InvalidInput, Unauthenticated
from contentgen_core.model.tenant import Caller
from contentgen_core.policies.text.storable import is_storable
from contentgen_http.api.body_faults import faults_of
from contentgen_http.services import Services
from contentgen_http.wire.base import Answer, Body

KEY_NEEDED: Final = (
    "This tool works for a tenant: it needs an API key. A user of the service makes one (POST /account/keys, or "
    "`contentgen keys create`); whoever set up this connection then adds the header X-API-Key: <key>, or "
    "Authorization: Bearer <key>."
)
_REF: Final = "#/$defs/{name}"


@frozen
class ToolContext:
    """The request's context for tools. `caller`: None without a key."""

    services: Services
    caller: Caller | None = None

    @property
    def tenant(self) -> Caller:
        """The caller. Raises Unauthenticated without a key."""
        if self.caller is None:
            raise Unauthenticated(KEY_NEEDED)
        return self.caller


@frozen(kw_only=True)
class Tool:
    """A tool.

    `arguments`, `answer`: structs. `run(context, arguments)`: the function. `with_key`: whether it needs a key; it is
    listed only for requests with one. `reads`: whether it changes nothing and uses no quota. `repeatable`: whether a
    repeated call has no further effect.
    """

    name: str
    title: str
    description: str
    arguments: type[Body]
    answer: type[Answer]
    run: Callable[[ToolContext, Any], Awaitable[Answer]]
    with_key: bool = False
    reads: bool = True
    repeatable: bool = True

    @property
    def input_schema(self) -> dict[str, Any]:
        return _schema(self.arguments)

    @property
    def output_schema(self) -> dict[str, Any]:
        return _schema(self.answer)

    async def __call__(self, context: ToolContext, arguments: Mapping[str, Any]) -> Answer:
        """Calls the tool. Raises InvalidInput for invalid arguments, and what its function raises."""
        return await self.run(context, self.parse_arguments(arguments))

    def parse_arguments(self, arguments: Mapping[str, Any]) -> Body:
        """Converts the arguments. Raises InvalidInput, which names the arguments at fault."""
        try:
            body: Body = msgspec.convert(arguments, self.arguments)
        except msgspec.ValidationError as error:
            raise InvalidInput(*faults_of(error, arguments, self.arguments)) from error
        odd = (name for name, value in arguments.items() if not _storable(value))
        faults = [FieldError(name, "must hold whole characters and no NUL") for name in odd]
        if faults:
            raise InvalidInput(*faults)
        return body


def _storable(value: object) -> bool:
    """Whether PostgreSQL accepts the texts in it, which must not hold NUL or a lone surrogate."""
    match value:
        case str():
            return is_storable(value)
        case list():
            return all(map(_storable, value))
        case dict():
            return all(map(_storable, value.values()))
        case _:
            return True


@cache
def _schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON Schema of a type, without references: not every client resolves them."""
    reference, components = msgspec.json.schema_components([kind], ref_template=_REF)
    whole: dict[str, Any] = _inline(reference[0], components)
    return whole


def _inline(schema: Any, components: Mapping[str, Any]) -> Any:
    match schema:
        case {"$ref": str(name), **others}:
            referred = _inline(components[name.removeprefix(_REF.format(name=""))], components)
            return {**referred, **_inline(others, components)}
        case dict():
            return {key: _inline(value, components) for key, value in schema.items()}
        case list():
            return [_inline(value, components) for value in schema]
        case _:
            return schema
