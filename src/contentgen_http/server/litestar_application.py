"""Litestar, without what takes most of a second at each start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litestar import Controller, Litestar, Router
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin
from litestar.routes import HTTPRoute


class Application(Litestar):
    """An application whose handlers are made ready when their address is first asked for: Litestar reads the signatures
    of our seven hundred and makes models of them, most of which no process ever needs."""

    def __init__(self, route_handlers: Sequence[type[Controller]], **options: Any) -> None:
        super().__init__([], **options)
        for controller in route_handlers:
            Router.register(self, controller)
        for route in self.routes:
            assert isinstance(route, HTTPRoute)
            route.route_handler_map = _Handlers(self, route)
        self.asgi_router.construct_routing_trie()

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        """Without those for pydantic and attrs, of which no body is made here: Litestar imports both."""
        return [*plugins, MsgspecDIPlugin()]

    def complete(self) -> None:
        """Makes all handlers ready. Raises ImproperlyConfiguredException for one that cannot be."""
        for route in self.routes:
            assert isinstance(route, HTTPRoute)
            _ = route.route_handler_map["OPTIONS"]


class _Handlers(dict[Any, Any]):
    """The handlers of a route by method, as Litestar has them, until one of them is asked for."""

    def __init__(self, app: Litestar, route: HTTPRoute) -> None:
        super().__init__(
            {method: (handler, None) for handler in route.route_handlers for method in handler.http_methods}
        )
        self._app, self._route = app, route

    def __getitem__(self, method: str) -> Any:
        for handler in self._route.route_handlers:
            handler.on_registration(self._app)
        self._route.route_handler_map = {}
        self._route.create_handler_map()
        return self._route.route_handler_map[method]  # type: ignore[index]  # any of HTTP's
