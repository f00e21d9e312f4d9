"""The applications of the tests are what the service makes."""

from __future__ import annotations

from collections.abc import Iterator
from types import MethodType
from typing import Any

from litestar import Litestar

from contentgen_http.app import create_app as create_from_nothing
from tests.support.house import open_house
from tests.support.prepared_app import create_app


async def test_each_application_is_as_the_service_makes_it_over_its_own_services() -> None:
    async with open_house() as one, open_house() as other:
        for house in (one, other, one):
            made, expected = create_app(house.services), create_from_nothing(house.services)
            assert sorted(_routes(made), key=_place) == sorted(_routes(expected), key=_place)
            assert made.asgi_router._plain_routes == expected.asgi_router._plain_routes
            assert made.asgi_router.route_mapping.keys() == expected.asgi_router.route_mapping.keys()
            assert {*_services(made)} == {id(house.services)}


async def test_no_application_has_controllers_guards_or_owners_of_another() -> None:
    async with open_house() as one, open_house() as other:
        first, second = create_app(one.services), create_app(other.services)
        assert not {*_own(first)} & {*_own(second)}


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
