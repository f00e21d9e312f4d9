"""The HTTP service as one ASGI application over the use cases."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache
from typing import Any, Final, TypeVar

from litestar import Controller, Litestar, Response
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler
from litestar.types import LifespanHook, Scope

from contentgen_grounded.version import VERSION
from contentgen_http.api.auth import CallerCache, tenant_gate
from contentgen_http.api.event_streams.hub import MOST_OF_TENANT, MOST_OPEN, EventHub
from contentgen_http.api.event_streams.keys import KeyWatch
from contentgen_http.api.json_answer import JsonAnswer
from contentgen_http.api.openapi import document
from contentgen_http.api.operation import Operation
from contentgen_http.console.application import console
from contentgen_http.console.rendering import NO_JOBS
from contentgen_http.mcp.endpoint import McpEndpoint
from contentgen_http.mcp.hosts import AllowedHosts
from contentgen_http.public.representations import RepresentationCache
from contentgen_http.public.site.pages import PublicSite
from contentgen_http.routes.account import AccountRoutes
from contentgen_http.routes.agent_events import AgentEventRoutes
from contentgen_http.routes.agents import AgentRoutes
from contentgen_http.routes.approval import ApprovalRoutes
from contentgen_http.routes.article_comments import ArticleCommentRoutes
from contentgen_http.routes.article_links import ArticleLinkRoutes
from contentgen_http.routes.article_updates import ArticleUpdateRoutes
from contentgen_http.routes.article_versions import ArticleVersionRoutes
from contentgen_http.routes.articles import ArticleRoutes
from contentgen_http.routes.budgets import BudgetRoutes
from contentgen_http.routes.calendar import CalendarFeedRoutes, CalendarRoutes
from contentgen_http.routes.conflicts import ConflictRoutes
from contentgen_http.routes.documents import DocumentRoutes
from contentgen_http.routes.enrichment import EnrichmentRoutes
from contentgen_http.routes.evidence import EvidenceRoutes, PublicKeyRoutes
from contentgen_http.routes.exports import ExportRoutes
from contentgen_http.routes.free_articles import DuplicateRoutes, FreeArticleRoutes
from contentgen_http.routes.freshness import FreshnessRoutes
from contentgen_http.routes.generation import GenerationRoutes
from contentgen_http.routes.grounding import GroundingRoutes
from contentgen_http.routes.index_now import IndexNowRoutes
from contentgen_http.routes.integrations import IntegrationRoutes
from contentgen_http.routes.invitations import InvitationRoutes
from contentgen_http.routes.knowledge import KnowledgeRoutes
from contentgen_http.routes.mcp import McpRoutes
from contentgen_http.routes.niches import NicheRoutes
from contentgen_http.routes.public_articles import PublicArticleRoutes
from contentgen_http.routes.public_trends import PublicTrendRoutes
from contentgen_http.routes.reviews import ReviewRoutes
from contentgen_http.routes.runs import RunRoutes
from contentgen_http.routes.search_queries import SearchQueryRoutes
from contentgen_http.routes.seo import SeoRoutes
from contentgen_http.routes.service import ServiceRoutes
from contentgen_http.routes.sources import SourceRoutes
from contentgen_http.routes.team import TeamRoutes
from contentgen_http.routes.tenants import TenantRoutes
from contentgen_http.routes.translation import TranslationRoutes
from contentgen_http.routes.trend_alerts import TrendAlertRoutes
from contentgen_http.routes.understanding import UnderstandingRoutes
from contentgen_http.routes.voices import VoiceRoutes
from contentgen_http.routes.webhooks import WebhookRoutes
from contentgen_http.server.client_addresses import ClientAddresses, networks
from contentgen_http.server.concurrency_limit import MAX_SLOW, RequestLimits
from contentgen_http.server.errors import exception_handlers
from contentgen_http.server.litestar_application import Application
from contentgen_http.server.outermost_layer import OutermostLayer
from contentgen_http.server.rate_limit import Limits
from contentgen_http.services import Services

FAILURES_PER_MINUTE: Final = 300
_HUB: Final = "event_hub"

TENANT_ROUTES: Final = (
    ArticleRoutes,
    DuplicateRoutes,
    ExportRoutes,
    GenerationRoutes,
    FreshnessRoutes,
    ArticleLinkRoutes,
    ArticleUpdateRoutes,
    ApprovalRoutes,
    ArticleVersionRoutes,
    EvidenceRoutes,
    ArticleCommentRoutes,
    GroundingRoutes,
    EnrichmentRoutes,
    TranslationRoutes,
    DocumentRoutes,
    SeoRoutes,
    SearchQueryRoutes,
    KnowledgeRoutes,
    ConflictRoutes,
    IntegrationRoutes,
    IndexNowRoutes,
    NicheRoutes,
    RunRoutes,
    AgentRoutes,
    TenantRoutes,
    BudgetRoutes,
    SourceRoutes,
    TeamRoutes,
    AccountRoutes,
    ReviewRoutes,
    VoiceRoutes,
    WebhookRoutes,
    CalendarRoutes,
)
ROUTES: Final = (
    *TENANT_ROUTES,
    AgentEventRoutes,
    UnderstandingRoutes,
    PublicTrendRoutes,
    PublicArticleRoutes,
    PublicKeyRoutes,
    TrendAlertRoutes,
    FreeArticleRoutes,
    InvitationRoutes,
    CalendarFeedRoutes,
    McpRoutes,
    ServiceRoutes,
)

C = TypeVar("C", bound=Controller)


def create_app(
    services: Services,
    *,
    trusted_proxies: str = "",
    failures_per_minute: int = FAILURES_PER_MINUTE,
    event_streams: int = MOST_OPEN,
    event_streams_of_tenant: int = MOST_OF_TENANT,
    slow_requests_of_tenant: int = MAX_SLOW,
    mcp_allowed_hosts: str = "",
    metrics_key: str | None = None,
    no_jobs: bool = False,
    process_fault: Callable[[], str | None] | None = None,
    on_startup: Sequence[LifespanHook] = (),
    on_shutdown: Sequence[LifespanHook] = (),
) -> Litestar:
    """The ASGI application. Opening and closing the services' resources is up to the caller or the hooks.

    `trusted_proxies`: addresses and networks, comma-separated, whose X-Forwarded-For is trusted. `failures_per_minute`:
    requests with invalid keys from one address. `event_streams`, `event_streams_of_tenant`: open at a time, of all
    tenants and of one. `slow_requests_of_tenant`: under way at a time. `mcp_allowed_hosts`: further hosts,
    comma-separated, allowed for /mcp. `metrics_key`: that GET /metrics asks for; None: it is open. `no_jobs`: whether
    nobody does jobs for this instance, which its pages and /ready say. `process_fault`: tells which process beside
    this one dies again and again, for /health. `on_startup`, `on_shutdown`: lifespan hooks.
    Raises ValueError for an invalid proxy or host.
    """
    limits = Limits(services.ports.rate_limiter, services.ports.clock, failures_per_minute, services.ports.unit_of_work)
    callers, addresses = CallerCache(services.people.authenticate, limits), ClientAddresses(networks(trusted_proxies))
    hub = _event_hub(services, event_streams, event_streams_of_tenant)
    requests = RequestLimits.of(slow_requests_of_tenant)
    mcp = McpEndpoint(
        services,
        callers,
        limits,
        addresses,
        requests,
        AllowedHosts.of(services.options.public_url, mcp_allowed_hosts),
        VERSION,
    )
    guards = [tenant_gate(callers, limits, addresses, requests)]
    representations = RepresentationCache(limits, addresses, requests)
    site = PublicSite(services.options.site, services.options.public_url or "")
    app = Application(
        route_handlers=[
            *(_bound(routes, guards=guards, services=services, limits=limits) for routes in TENANT_ROUTES),
            _bound(AgentEventRoutes, guards=guards, hub=hub, keys=KeyWatch(callers), addresses=addresses),
            _bound(UnderstandingRoutes, guards=guards, services=services, open_streams=Counter[str]()),
            _bound(FreeArticleRoutes, services=services, limits=limits, addresses=addresses),
            _bound(InvitationRoutes, services=services, limits=limits, addresses=addresses),
            _bound(CalendarFeedRoutes, services=services, limits=limits, addresses=addresses),
            _bound(PublicTrendRoutes, services=services, representations=representations, site=site),
            _bound(PublicArticleRoutes, services=services, representations=representations, site=site),
            _bound(PublicKeyRoutes, services=services, representations=representations),
            _bound(TrendAlertRoutes, services=services, limits=limits, addresses=addresses, mails=asyncio.Semaphore(2)),
            _bound(McpRoutes, endpoint=mcp),
            *console(services, limits, addresses, requests),
            _bound(
                ServiceRoutes,
                services=services,
                metrics_key=metrics_key,
                no_jobs=no_jobs,
                process_fault=None if process_fault is None else staticmethod(process_fault),
                document=staticmethod(description),  # half a second, for whoever asks first
                representations=representations,
                site=site,
            ),
        ],
        exception_handlers=exception_handlers(services.ports.clock),
        response_class=JsonAnswer,
        openapi_config=None,
        logging_config=None,
        on_startup=list(on_startup),
        on_shutdown=[hub.aclose, mcp.aclose, *on_shutdown],
        lifespan=[_identity_change_subscription(services, callers)],
        state=State({_HUB: hub, NO_JOBS: no_jobs}),
    )
    # Litestar's middleware runs after routing; this layer also logs and counts requests for unknown addresses.
    is_https = _https_check(services.options.public_url, addresses)
    app.asgi_handler = OutermostLayer(app.asgi_handler, services.telemetry, representations.ready, is_https)
    return app


def _event_hub(services: Services, most_open: int, most_of_tenant: int) -> EventHub:
    return EventHub(
        services.ports.unit_of_work,
        services.ports.agent_event_wake_ups,
        most_open=most_open,
        most_of_tenant=most_of_tenant,
        count=services.telemetry.metrics.event_streams.set,
    )


def _https_check(public_url: str | None, addresses: ClientAddresses) -> Callable[[Scope], bool]:
    """Tells whether a client comes by HTTPS: all do where the public address says so."""
    if public_url is not None and public_url.startswith("https:"):
        return lambda _: True
    return addresses.is_https


def _identity_change_subscription(
    services: Services, callers: CallerCache
) -> Callable[[Litestar], AbstractAsyncContextManager[None]]:
    """A lifespan that subscribes the cache of callers to changes of keys, users and plans."""

    @asynccontextmanager
    async def subscribed(_: Litestar) -> AsyncIterator[None]:
        if services.ports.identity_changes is None:
            yield
            return
        subscription = asyncio.create_task(services.ports.identity_changes.subscribe(callers))
        try:
            yield
        finally:
            subscription.cancel()
            await asyncio.gather(subscription, return_exceptions=True)

    return subscribed


def end_streams(app: Litestar) -> None:
    """Ends all event streams and refuses new ones: a server waits for open responses when it shuts down."""
    hub: EventHub = app.state[_HUB]
    hub.close()


@cache
def description() -> bytes:
    """The OpenAPI document as JSON. It depends on the declared operations only."""
    return document(VERSION, _operations())


def _operations() -> Iterator[tuple[str, str, Operation]]:
    """(method, path template, operation) of every declared operation."""
    for routes in ROUTES:
        for handler in vars(routes).values():
            if isinstance(handler, HTTPRouteHandler):
                for path in handler.paths:
                    yield next(iter(handler.http_methods)), path, handler.opt["operation"]


LARGEST_BODY: Final = max(operation.max_body for _, _, operation in _operations())


def _bound(routes: type[C], **parts: Any) -> type[C]:
    """The controller with its dependencies as class attributes: Litestar instantiates controllers itself, and injection
    would take time on every request."""
    return type(routes.__name__, (routes,), {**parts, **_options(routes)})


def _options(routes: type[Controller]) -> dict[str, HTTPRouteHandler]:
    """Handlers for OPTIONS: Litestar's own lists a single method where several share an address."""
    methods: dict[str, set[str]] = {}
    for handler in vars(routes).values():
        if isinstance(handler, HTTPRouteHandler):
            for path in handler.paths:
                methods.setdefault(path, {"OPTIONS"}).update(handler.http_methods)
    return {f"options_{n}": _option(path, *sorted(allowed)) for n, (path, allowed) in enumerate(methods.items())}


@cache
def _option(path: str, *allowed: str) -> HTTPRouteHandler:
    async def options(_: Controller) -> Response[bytes]:
        return Response(b"", media_type="text/plain", headers={"Allow": ", ".join(allowed)})

    return HTTPRouteHandler(path, http_method="OPTIONS", status_code=200)(options)
