"""The applications of the tests are what the service makes."""

from __future__ import annotations

from collections.abc import Iterator
from types import MethodType
from typing import Any

import pytest
from litestar import Litestar
from litestar.enums import HttpMethod
from litestar.exceptions import HTTPException
from litestar.types import Method

from contentgen_http.app import create_app as create_from_nothing
from tests.support.house import open_house
from tests.support.prepared_app import complete, create_app


async def test_each_application_is_as_the_service_makes_it_over_its_own_services() -> None:
    async with open_house() as one, open_house() as other:
        for house in (one, other, one):
            made, expected = complete(create_app(house.services)), complete(create_from_nothing(house.services))
            assert sorted(_routes(made), key=_place) == sorted(_routes(expected), key=_place)
            assert made.asgi_router._plain_routes == expected.asgi_router._plain_routes
            assert made.asgi_router.route_mapping.keys() == expected.asgi_router.route_mapping.keys()
            assert {*_services(made)} == {id(house.services)}


@pytest.mark.parametrize("reverse", [False, True])
async def test_whatever_is_asked_for_first_is_answered_by_the_same_handler(reverse: bool) -> None:
    async with open_house() as house:
        create_app(house.services)
        made, expected = create_app(house.services), create_from_nothing(house.services)
        assert not made.routes
        for path in sorted({*_paths(expected), "/nowhere", "/articles/one/nowhere/at/all"}, reverse=reverse):
            for method in HttpMethod:
                assert _answer(made, path, method.value) == _answer(expected, path, method.value)
        assert {route.path for route in made.routes} == {route.path for route in expected.routes}


async def test_no_application_has_controllers_guards_or_owners_of_another() -> None:
    async with open_house() as one, open_house() as other:
        first, second = complete(create_app(one.services)), complete(create_app(other.services))
        assert not {*_own(first)} & {*_own(second)}


def _paths(app: Litestar) -> Iterator[str]:
    """An address of each route."""
    return (route.path_format.replace("{", "a-").replace("}", "") for route in app.routes)


def _answer(app: Litestar, path: str, method: Method) -> tuple[object, ...]:
    try:
        asgi, handler, *placed = app.asgi_router.handle_routing(path=path, method=method)
    except HTTPException as refused:
        return refused.status_code, sorted((refused.headers or {}).get("allow", "").split(", "))
    assert handler.ownership_layers[0] is app
    return type(asgi), str(handler), *placed


def _routes(app: Litestar) -> Iterator[tuple[Any, ...]]:
    """All that decides about a request, without the objects that belong to the application."""
    for route in app.routes:
        for method, (handler, model) in route.route_handler_map.items():
            layers = handler.ownership_layers
            assert layers[0] is app
            yield (
                route.path,
                sorted(route.methods),
                method,
                str(handler),
                handler.opt,
                handler.status_code,
                handler.media_type,
                handler.resolve_request_max_body_size(),
                [(guard.__module__, guard.__qualname__) for guard in handler.resolve_guards()],
                [*handler.resolve_exception_handlers()],
                [type(layer) for layer in layers[1:]],
                [str(field) for field in handler.parsed_fn_signature.parameters.values()],
                [*model.expected_path_params],
                model.has_kwargs,
            )


def _place(route: tuple[Any, ...]) -> tuple[str, str]:
    path, _, method, *_ = route
    return path, method


def _services(app: Litestar) -> Iterator[int]:
    for route in app.routes:
        for handler, _ in route.route_handler_map.values():
            services = getattr(getattr(handler.fn, "__self__", None), "services", None)
            if services is not None:
                yield id(services)


def _own(app: Litestar) -> Iterator[int]:
    for route in app.routes:
        for handler, _ in route.route_handler_map.values():
            yield from map(id, (*handler.ownership_layers, *handler.resolve_guards()))
            if isinstance(handler.fn, MethodType):
                yield id(handler.fn.__self__)
