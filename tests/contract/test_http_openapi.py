"""The interface description: complete, and true."""

from __future__ import annotations

import jsonschema_rs
from litestar import Litestar
from litestar.routes import HTTPRoute

from contentgen_grounded.version import VERSION
from tests.support.described import OPERATIONS, PUBLIC, description, operations
from tests.support.http import open_api
from tests.support.prepared_app import complete

# Answers that a protocol of its own decides on.
OF_THE_PROTOCOL = {(path, status) for path in ("/mcp/sse", "/mcp") for status in ("202", "404", "406")}


NAMED = {"TeamMember", "Article", "ArticlePlan", "Error", "Agent", "Niche", "KbSource", "Review"}


def answered(app: Litestar) -> set[str]:
    """The operations of an application by method and path."""
    return {
        f"{method} {route.path.replace(':str', '')}"
        for route in complete(app).routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        if "operation" in handler.opt
        for method in handler.http_methods
    }


async def test_every_operation_of_this_version_is_described() -> None:
    async with open_api() as api:
        document = await description(api)
        assert answered(api.app) == OPERATIONS
    assert document["openapi"].startswith("3.1")
    assert document["info"]["version"] == VERSION
    assert document["info"]["title"]
    assert {f"{method} {path}" for method, path, _ in operations(document)} == OPERATIONS
    assert set(document["components"]["schemas"]) >= NAMED


async def test_every_operation_says_what_it_does_and_how_it_fails() -> None:
    async with open_api() as api:
        document = await description(api)
    tags = {tag["name"] for tag in document["tags"]}
    for method, path, operation in operations(document):
        name = f"{method} {path}"
        assert operation["summary"], name
        assert operation["description"], name
        assert set(operation["tags"]) <= tags, name
        responses = operation["responses"]
        assert "200" in responses, name
        expected = {"500"}
        if path not in PUBLIC:
            expected |= {"401", "429", "503"}
        if "requestBody" in operation:
            expected |= {"400", "413", "415"}
        if operation["parameters"] and any(p["in"] != "path" for p in operation["parameters"]):
            expected |= {"400"}
        if "{" in path:
            expected |= {"404"}
        assert expected <= set(responses), name
        assert ("security" in operation) == (path in PUBLIC), name
        for status, response in responses.items():
            assert response["description"], name
            if status != "200" and (path, status) not in OF_THE_PROTOCOL:
                content = response["content"]["application/problem+json"]
                assert content["schema"] == {"$ref": "#/components/schemas/Error"}
                assert content["examples"], name
        for media, content in operation.get("requestBody", {"content": {}})["content"].items():
            assert media == "multipart/form-data" or content["examples"], name


async def test_every_property_and_parameter_is_described() -> None:
    async with open_api() as api:
        document = await description(api)
    for name, schema in document["components"]["schemas"].items():
        if "enum" not in schema:
            assert schema.get("description"), name
        for field, prop in schema.get("properties", {}).items():
            assert prop.get("description") or "const" in prop or field == "type", f"{name}.{field}"
    for method, path, operation in operations(document):
        for parameter in operation["parameters"]:
            assert parameter["description"], f"{method} {path}: {parameter['name']}"


async def test_every_error_example_is_an_error() -> None:
    async with open_api() as api:
        document = await description(api)
    validator = jsonschema_rs.Draft202012Validator(
        {"$ref": "#/components/schemas/Error", "components": document["components"]}
    )
    codes = set()
    for _, _, operation in operations(document):
        for status, response in operation["responses"].items():
            problems = response.get("content", {}).get("application/problem+json", {})
            for code, example in problems.get("examples", {}).items():
                validator.validate(example["value"])
                assert (example["value"]["code"], str(example["value"]["status"])) == (code, status)
                codes.add(code)
    assert codes >= {"unauthenticated", "rate_limited", "quota_exceeded", "plan_restriction", "coverage_too_low",
                     "topic_already_generating", "not_found", "idempotency_key_reused", "too_large"}  # fmt: skip
