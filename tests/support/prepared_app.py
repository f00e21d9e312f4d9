"""Applications for the tests, without reading every route again for each.

Litestar copies our seven hundred handlers, looks at all routes again for each that is added, and parses the signatures
of those that are asked for. What comes of that depends on how a handler is declared only, so it is done for the first
application of a process. The next ones get copies, bound to controllers with their own services and guards, of the
routes that are asked for (tests/contract/test_prepared_app.py compares them). Installed programs make theirs alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import lru_cache
from types import MethodType
from typing import Any
from unittest.mock import patch

from attrs import define, field
from litestar import Controller, Litestar, Router
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, Empty, Method, RouteHandlerType

from contentgen_grounded.bootstrap.memory import memory_ports
from contentgen_http import app as application
from contentgen_http.server.litestar_application import Application
from contentgen_http.services import Services
from contentgen_http.telemetry.telemetry import Telemetry


def create_app(*arguments: Any, **options: Any) -> Litestar:
    """Create an application like contentgen_http.app.create_app."""
    with patch.object(application, "Application", PreparedLitestar):
        return application.create_app(*arguments, **options)


def prepare() -> None:
    """Make the first application now. All that this process and those forked from it make are like it."""
    application.Application = PreparedLitestar
    application.create_app(Services.observed(memory_ports(b"a secret that signs nothing, 32 bytes"), Telemetry()))


class PreparedLitestar(Application):
    """An application whose routes are copies of those of the first one with the same controllers, each made when it is
    first asked for: a test asks for a few of them."""

    _first: tuple[tuple[type[Controller], ...], Litestar] | None = None
    _bound: _Bound | None = None

    def __init__(self, route_handlers: Sequence[type[Controller]], **options: Any) -> None:
        super().__init__([], **options)
        declared = tuple(_declared(controller) for controller in route_handlers)
        first = PreparedLitestar._first
        if first is None or first[0] != declared:
            for controller in route_handlers:
                self.register(controller)
            assert all(isinstance(route, HTTPRoute) for route in self.routes)
            PreparedLitestar._first = declared, self
            return
        self._bound = _Bound(self, first[1], dict(zip(declared, route_handlers, strict=True)))
        self.asgi_router.handle_routing = lru_cache(1024)(self._bound.handle_routing)


def complete(app: Litestar) -> Litestar:
    """The application with all of its routes made."""
    if isinstance(app, PreparedLitestar) and app._bound is not None:
        app._bound.complete()
    elif isinstance(app, Application) and not isinstance(app, PreparedLitestar):
        app.complete()
    return app


@define(eq=False)
class _Bound:
    """Copies of the routes of `first` for one application, each part of them copied once."""

    app: Litestar
    first: Litestar
    controllers: dict[type[Controller], type[Controller]]
    _missing: dict[str, HTTPRoute] = field(init=False)
    _made: dict[type[Controller], Controller] = field(factory=dict)
    _routers: dict[int, Router] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._missing = {route.path_format: route for route in self.first.routes if isinstance(route, HTTPRoute)}

    def handle_routing(
        self, path: str, method: Method | None
    ) -> tuple[ASGIApp, RouteHandlerType, str, dict[str, Any], str]:
        """As ASGIRouter's. What is unknown is so to the first application, too, and refused by it."""
        *_, template = self.first.asgi_router.handle_routing(path=path, method=method)
        if template in self._missing:
            self.app.routes.append(self.route(self._missing.pop(template)))
            self.app.asgi_router.construct_routing_trie()
        return self.app.asgi_router._handle_routing(path, method)

    def complete(self) -> None:
        self.app.routes.extend(map(self.route, self._missing.values()))
        self._missing.clear()
        self.app.asgi_router.construct_routing_trie()

    def route(self, route: HTTPRoute) -> HTTPRoute:
        # Those with a controller first: the handler for OPTIONS that Litestar adds has the same router, but none.
        known = sorted(route.route_handlers, key=lambda handler: not isinstance(handler.fn, MethodType))
        handlers = {id(handler): self._handler(handler) for handler in known}
        copied = copy(route)
        copied.route_handlers = [handlers[id(handler)] for handler in route.route_handlers]
        copied.route_handler_map = {
            method: (handlers[id(handler)], model) for method, (handler, model) in route.route_handler_map.items()
        }
        return copied

    def _handler(self, handler: HTTPRouteHandler) -> HTTPRouteHandler:
        copied = copy(handler)
        assert isinstance(handler.owner, Router)
        if isinstance(handler.fn, MethodType):
            controller = self._controller(_declared(type(handler.fn.__self__)))
            copied._fn = MethodType(handler.fn.__func__, controller)
            copied.owner = self._router(handler.owner, controller)
        else:
            copied.owner = self._routers[id(handler.owner)]
        copied._resolved_guards = Empty
        return copied

    def _controller(self, declared: type[Controller]) -> Controller:
        if declared not in self._made:
            self._made[declared] = self.controllers[declared](owner=self.app)
        return self._made[declared]

    def _router(self, router: Router, controller: Controller) -> Router:
        if id(router) not in self._routers:
            copied = copy(router)
            copied.owner = self.app
            copied.guards = [*(controller.guards or ())]
            copied.exception_handlers = {**(controller.exception_handlers or {})}
            self._routers[id(router)] = copied
        return self._routers[id(router)]


def _declared(controller: type[Controller]) -> type[Controller]:
    """The class of whose parts an application has made its own."""
    return controller.__mro__[1]
