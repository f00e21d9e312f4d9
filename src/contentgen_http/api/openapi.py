"""The OpenAPI document, generated from the declared operations and the wire structs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final

import msgspec

from contentgen_core.errors import ContentgenError, FieldError, InvalidInput
from contentgen_http.api.operation import EVENT_STREAM, Operation
from contentgen_http.server.errors import PROBLEM_JSON, rendering
from contentgen_http.wire.agent_events import LAST_EVENT_ID
from contentgen_http.wire.problem import Error

REF: Final = "#/components/schemas/{name}"
DESCRIPTION: Final = """\
Articles grounded in a knowledge base: every sentence of an article traces to a passage, and the article says which.

The recommended flow: check the coverage of a topic, plan the article, review the plan, have it written, follow it,
read it with its grounding receipt.

Every success is a 200. Errors are RFC 9457 problems with a stable `code`. Times are RFC 3339 in UTC. An optional value
that is absent is left out, never null.
"""

TAGS: Final = {
    "Articles": "Reading, changing and exporting articles.",
    "Generation": "From a topic to an article.",
    "Grounding": "Whether sources support what a text says.",
    "Voices": "How your articles are to read.",
    "Knowledge base": "What articles are written from: filling it, and looking into it.",
    "Documents": "Private documents: files and pages of your own.",
    "Strategy": "Which topics a niche covers, and how well it is looked after.",
    "Translation": "Articles, texts and documents in another language.",
    "Integrations": "The places that you publish to.",
    "Calendar": "What is planned, scheduled and published.",
    "Webhooks": "Addresses of yours that are told what happens.",
    "Niches": "The subjects to write about, and using them.",
    "Agents": "A niche in a country.",
    "Tenant": "Your plan, its quotas and your settings.",
    "Team": "Who belongs to your tenant, and who is invited.",
    "Account": "You, and API keys.",
    "Public": "For everybody: trends, public and free articles; no key is needed.",
    "Reviews": "What users say of the service: of the platform, and the same for users of all tenants.",
    "Agents' protocol": "The service as tools of an agent, by the Model Context Protocol.",
    "Service": "The service about itself; no key is needed.",
}

_PATH_PARAMETERS: Final = {
    "keyFile": "The key of a site at this very host, followed by .txt.",
    "id": "Its id; for a niche or an agent, its key too.",
    "taskId": "The task, as POST /writer/enrich-kb-topic answered it.",
    "articleId": "The article's id.",
    "nicheKey": "A niche's key, or an agent's key, which narrows to its country.",
    "provider": "A provider's id, as GET /integrations/providers lists it.",
    "number": "The number of a version.",
    "name": "Name of the file.",
    "executionId": "Id of a run, as GET /agents/{id}/executions lists it.",
    "messageId": "The `webhook-id` of a message.",
    "slug": "Its name in addresses.",
    "part": "A part of the site map, as GET /sitemap.xml names it.",
}
_PATH_SCHEMAS: Final[dict[str, dict[str, Any]]] = {"keyFile": {"type": "string", "pattern": r"^[0-9a-f]{32}\.txt$"}}
"""Of those that not every text can be."""
_RATE_HEADERS: Final = {
    "RateLimit-Limit": "Requests a minute that your plan allows.",
    "RateLimit-Remaining": "Requests left of them.",
    "RateLimit-Reset": "Seconds until all of them are available again.",
}
# Links: what to do next with an id in an answer, as (its expression, operation, parameter).
_ARTICLE_ID: Final = "$response.body#/articleId"
_NEXT: Final = {
    "generateArticle": ((_ARTICLE_ID, "getArticle", "id"), (_ARTICLE_ID, "getGenerationStatus", "articleId")),
    "generatePlan": (
        (_ARTICLE_ID, "getArticle", "id"),
        (_ARTICLE_ID, "getGenerationStatus", "articleId"),
        (_ARTICLE_ID, "editArticle", "id"),
        (_ARTICLE_ID, "exportPdf", "id"),
        (_ARTICLE_ID, "deleteArticle", "id"),
    ),
    "generateFromPlan": ((_ARTICLE_ID, "getArticle", "id"), (_ARTICLE_ID, "getGenerationStatus", "articleId")),
    "inviteMember": (("$response.body#/id", "changeRole", "id"), ("$response.body#/id", "removeMember", "id")),
    "createNiche": (
        ("$response.body#/id", "getNiche", "id"),
        ("$response.body#/id", "activateNiche", "id"),
        ("$response.body#/id", "editNiche", "id"),
        ("$response.body#/id", "deleteNiche", "id"),
    ),
    "createAgent": (("$response.body#/id", "getAgent", "id"), ("$response.body#/id", "toggleAgent", "id")),
    "submitReview": (
        ("$response.body#/id", "updateReview", "id"),
        ("$response.body#/id", "markReviewHelpful", "id"),
        ("$response.body#/id", "deleteReview", "id"),
    ),
    "createApiKey": (("$response.body#/id", "revokeApiKey", "id"),),
}
# Raised before an operation is reached; they have no class in the core.
_TOO_LARGE: Final = ("413", "too_large", "The body is larger than this operation accepts.")
_WRONG_TYPE: Final = ("415", "unsupported_media_type", "The body is not sent as application/json.")
_INTERNAL: Final = ("500", "internal_error", "Something went wrong on the side of the service.")


def document(version: str, operations: Iterable[tuple[str, str, Operation]]) -> bytes:
    """An OpenAPI 3.1 document as JSON. `operations`: (method, path template, operation) of each."""
    listed = sorted(operations, key=lambda declared: declared[2].position)
    schemas = _schemas(operation for _, _, operation in listed)
    paths: dict[str, dict[str, Any]] = {}
    for method, path, operation in listed:
        template, parameters = _path(path)
        paths.setdefault(template, {})[method.lower()] = _operation(operation, parameters, schemas)
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "Content Generation Service API",
                "version": version,
                "description": DESCRIPTION,
                "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
            },
            "servers": [{"url": "/", "description": "This service."}],
            "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
            "security": [{"apiKey": []}, {"bearer": []}],
            "paths": paths,
            "components": {
                "schemas": schemas.components,
                "securitySchemes": {
                    "apiKey": {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "Your API key."},
                    "bearer": {"type": "http", "scheme": "bearer", "description": "Your API key as a bearer token."},
                },
            },
        }
    )


class _Schemas:
    """The schemas of types, and the components that they refer to."""

    def __init__(self, types: list[Any]) -> None:
        schemas, self.components = msgspec.json.schema_components(types, ref_template=REF)
        self._types, self._schemas = types, schemas

    def of(self, kind: Any) -> dict[str, Any]:
        return self._schemas[self._types.index(kind)]


def _schemas(operations: Iterable[Operation]) -> _Schemas:
    types: list[Any] = [Error]
    for operation in operations:
        types += [kind for kind in (operation.answer, operation.body) if kind is not None]
    return _Schemas(list(dict.fromkeys(types)))


def _path(path: str) -> tuple[str, list[dict[str, Any]]]:
    """Litestar's `/writer/{id:str}` as OpenAPI's template and its parameters."""
    names = re.findall(r"\{(\w+):str\}", path)
    parameters = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": _PATH_PARAMETERS[name],
            "schema": _PATH_SCHEMAS.get(name, {"type": "string", "minLength": 1}),
        }
        for name in names
    ]
    return re.sub(r"\{(\w+):str\}", r"{\1}", path), parameters


def _operation(operation: Operation, path: list[dict[str, Any]], schemas: _Schemas) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.id,
        "summary": operation.summary,
        "description": operation.description,
        "tags": [operation.tag],
        "parameters": [*path, *_query(operation), *_headers(operation)],
        "responses": {"200": _success(operation, schemas), **_failures(operation)},
    }
    if operation.accepts is not None:
        described["responses"]["202"] = {"description": operation.accepts}
    for status in map(str, operation.own_errors):
        failure = described["responses"].setdefault(status, {"description": "An error of the protocol.", "content": {}})
        failure["content"][operation.media] = {"schema": schemas.of(operation.answer)}
    if operation.public:
        described["security"] = []
    if operation.body is not None:
        content: dict[str, Any] = {"schema": schemas.of(operation.body)}
        if operation.example is not None:
            content["examples"] = {"demo": {"summary": operation.example_of, "value": operation.example}}
        described["requestBody"] = {
            "required": not operation.optional_body,
            "description": f"At most {operation.max_body // 1024} KiB.",
            "content": {operation.body_media: content},
        }
    return described


def _query(operation: Operation) -> list[dict[str, Any]]:
    if operation.query is None:
        return []
    reference, components = msgspec.json.schema_components([operation.query], ref_template="{name}")
    struct = components[reference[0]["$ref"]]
    parameters = [_parameter(name, schema, components) for name, schema in struct["properties"].items()]
    required = struct.get("required", ())
    return [{**parameter, "required": True} if parameter["name"] in required else parameter for parameter in parameters]


def _parameter(name: str, schema: dict[str, Any], components: Mapping[str, Any]) -> dict[str, Any]:
    schema = dict(schema)
    described = {"name": name, "in": "query", "description": schema.pop("description")}
    if "$ref" in schema:  # inlines the enumeration of a parameter
        referred = components[schema.pop("$ref")]
        schema |= {key: value for key, value in referred.items() if key != "title"}
    return {**described, "schema": schema}


def _headers(operation: Operation) -> list[dict[str, Any]]:
    if operation.media == EVENT_STREAM and operation.query is not None:
        return [
            {
                "name": "Last-Event-ID",
                "in": "header",
                "description": "Id of the last event that was received: the stream goes on after it.",
                "schema": {"type": "string", "pattern": LAST_EVENT_ID},
            }
        ]
    if not operation.idempotent:
        return []
    return [
        {
            "name": "Idempotency-Key",
            "in": "header",
            "description": "Repeating the request with the same key within 24 hours answers with the same article and "
            "spends nothing; another request with it is a 409.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
        }
    ]


def _success(operation: Operation, schemas: _Schemas) -> dict[str, Any]:
    if operation.answer is not None:
        schema = schemas.of(operation.answer)
    elif operation.media == "application/json":
        schema = {"type": "object"}
    else:
        schema = {"type": "string"}
    shown: dict[str, Any] = {"schema": schema}
    if operation.media == EVENT_STREAM:  # OpenAPI 3.1 cannot describe the data of a single event
        shown = {"schema": {"type": "string"}, "x-event-data": schema}
    content = {operation.media: shown} | {media: {"schema": {"type": "string"}} for media in operation.other_media}
    described: dict[str, Any] = {"description": "Success.", "content": content}
    if not operation.public:
        described["headers"] = {
            name: {"description": text, "schema": {"type": "integer"}} for name, text in _RATE_HEADERS.items()
        }
    links = {
        target: {"operationId": target, "parameters": {parameter: place}}
        for place, target, parameter in _NEXT.get(operation.id, ())
    }
    return {**described, "links": links} if links else described


def _failures(operation: Operation) -> dict[str, Any]:
    """The error responses by status, each with an example of every code."""
    examples: dict[str, dict[str, Any]] = {}
    for kind in operation.errors:
        status = str(rendering(kind).status)
        examples.setdefault(status, {})[kind.code] = _example(kind)
    framework = [_INTERNAL] if operation.body is None else [_TOO_LARGE, _WRONG_TYPE, _INTERNAL]
    for status, code, detail in framework:
        title = HTTPStatus(int(status)).phrase
        examples.setdefault(status, {})[code] = _shown(int(status), title, code, detail)
    return {status: _failure(status, shown) for status, shown in sorted(examples.items())}


def _failure(status: str, examples: dict[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "description": " ".join(example["value"]["detail"] for example in examples.values()),
        "content": {PROBLEM_JSON: {"schema": {"$ref": REF.format(name="Error")}, "examples": examples}},
    }
    if status in ("429", "503"):
        described["headers"] = {
            "Retry-After": {"description": "Seconds to wait before asking again.", "schema": {"type": "integer"}}
        }
    return described


def _example(kind: type[ContentgenError]) -> dict[str, Any]:
    shown = rendering(kind)
    detail = " ".join((kind.__doc__ or shown.title).split())
    example = _shown(shown.status, shown.title, kind.code, detail)
    if issubclass(kind, InvalidInput):
        fault = FieldError("topic", "at most 500 characters")
        example["value"]["errors"] = [{"field": fault.field, "message": fault.message}]
    return example


def _shown(status: int, title: str, code: str, detail: str) -> dict[str, Any]:
    error = Error(
        type=f"urn:contentgen:error:{code}",
        title=title,
        status=status,
        detail=detail,
        code=code,
        request_id="5f0c2a9e4b7d41c3a8e61b90",
    )
    return {"summary": title, "value": msgspec.to_builtins(error)}
