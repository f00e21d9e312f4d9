"""The available providers: those in `providers`, and those of other packages."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

import httpx
import structlog

from contentgen_adapters.publishing import providers
from contentgen_adapters.publishing.diagram_pictures import DiagramPainter
from contentgen_adapters.publishing.provider import ENTRY_POINTS, Provider
from contentgen_core.errors import NotFound
from contentgen_core.model.ids import TenantId
from contentgen_core.model.publishing_target import ProviderInfo
from contentgen_core.ports.publishing import Publisher, TenantPublicArticles

log = structlog.get_logger("contentgen.publishing")


@cache
def built_in() -> tuple[Provider, ...]:
    """The providers of this package, by module name."""
    modules = sorted(module.name for module in pkgutil.iter_modules(providers.__path__))
    return tuple(import_module(f"{providers.__name__}.{name}").PROVIDER for name in modules)


@cache
def declared_entry_points() -> tuple[EntryPoint, ...]:
    """The entry points that name providers of other packages. Finding them reads what all installed packages say."""
    return tuple(entry_points(group=ENTRY_POINTS))


@cache
def providers_of_other_packages() -> tuple[Provider, ...]:
    """The providers declared by entry points. One that cannot be loaded is logged and skipped."""
    found = []
    for point in declared_entry_points():
        try:
            provider = point.load()
        except Exception:
            log.exception("a publishing provider cannot be loaded", entry_point=point.value)
            continue
        if isinstance(provider, Provider):
            found.append(provider)
        else:
            log.error("an entry point names no Provider", entry_point=point.value)
    return tuple(found)


class ProviderCatalog:
    """The port `PublishingTargets`.

    `client`: from `shared.guarded_client`, for all providers. `now`: the time in UTC. `providers`: by default those of
    this package and of others; ValueError for two with the same id. `public_articles_of`: access to the platform's
    public articles on behalf of a tenant. `painter`: of diagrams.
    """

    def __init__(
        self,
        client: httpx.AsyncClient,
        now: Callable[[], datetime],
        providers: Iterable[Provider] | None = None,
        public_articles_of: Callable[[TenantId], TenantPublicArticles] | None = None,
        painter: DiagramPainter | None = None,
    ) -> None:
        self._painter = painter
        self._client, self._now, self._public_articles_of = client, now, public_articles_of
        self._providers: Final[dict[str, Provider]] = {}
        for provider in (*built_in(), *providers_of_other_packages()) if providers is None else providers:
            if provider.info.id in self._providers:
                raise ValueError(f"there are two publishing providers {provider.info.id!r}")
            self._providers[provider.info.id] = provider

    def all(self) -> Sequence[ProviderInfo]:
        return [self._providers[id].info for id in sorted(self._providers)]

    def get(self, provider: str) -> ProviderInfo:
        return self._provider(provider).info

    def connect(
        self, provider: str, credentials: Mapping[str, Any], settings: Mapping[str, Any], tenant_id: TenantId
    ) -> Publisher:
        public_articles = self._public_articles_of(tenant_id) if self._public_articles_of else None
        draw = partial(self._painter.draw, key=tenant_id) if self._painter else None
        return self._provider(provider).connect(credentials, settings, self._client, self._now, public_articles, draw)

    def _provider(self, provider: str) -> Provider:
        if provider not in self._providers:
            raise NotFound("publishing provider", provider)
        return self._providers[provider]
