"""The service about itself: no key is needed for these."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from litestar import Controller, Request, Response
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_core.model.job import JobKind
from contentgen_core.ports.repositories.circuits import Circuits
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.public_articles import PublicArticleQuery
from contentgen_core.ports.repositories.trends import TrendQuery
from contentgen_core.ports.repositories.webhooks import WebhookDeliveries
from contentgen_grounded.version import VERSION
from contentgen_http.api.docs_page import PAGE, POLICY, asset
from contentgen_http.api.health import CHECK_SECONDS, capabilities, state_of, thread_is_free
from contentgen_http.api.operation import operation
from contentgen_http.public.addresses import accept_header, wants_page
from contentgen_http.public.representations import Representation, RepresentationCache, RepresentationResponse
from contentgen_http.public.site.pages import SHOWN_ON_HOME, TRENDS_ON_HOME, PublicSite
from contentgen_http.server.errors import problem, respond
from contentgen_http.services import Services
from contentgen_http.telemetry.context import trace_of
from contentgen_http.telemetry.exposition import CONTENT_TYPE_LATEST, Queue, exposition
from contentgen_http.telemetry.metrics_key import REFUSED, bears_key
from contentgen_http.wire.problem import ReadyPart
from contentgen_http.wire.service import Health, Readiness, Welcome

TAG: Final = "Service"
RETRY_READY: Final = 5.0
RETRY_HEALTH: Final = 30.0

AnyRequest = Request[Any, Any, Any]


class ServiceRoutes(Controller):
    services: Services
    document: Callable[[], bytes]
    representations: RepresentationCache
    site: PublicSite
    metrics_key: str | None = None
    no_jobs: bool = False
    process_fault: Callable[[], str | None] | None = None

    @operation("GET", "/", tag=TAG, answer=Welcome, other_media=("text/html",), public=True)
    async def get_welcome(self, request: AnyRequest) -> Welcome | RepresentationResponse:
        """Find your way.

        The addresses to start from. For a browser, the home of the public site, from where people sign in.
        """
        if wants_page(accept_header(request.scope["headers"])):
            return await self.representations.answer(request, ("home",), self._home)
        trace_of(request.scope).headers = ((b"vary", b"Accept"),)
        return Welcome(
            name="Contentgen",
            version=VERSION,
            console="/console",
            documentation="/docs",
            openapi="/openapi.json",
            health="/health",
            ready="/ready",
        )

    async def _home(self) -> Representation:
        public = self.services.public.read
        newest, languages, trends = await asyncio.gather(
            public.articles(PublicArticleQuery(limit=SHOWN_ON_HOME)),
            public.languages(),
            public.trends(TrendQuery(limit=TRENDS_ON_HOME)),
        )
        return await self.site.page(self.site.home, newest.articles, languages, trends)

    @operation("GET", "/health", tag=TAG, answer=Health, public=True, raises=(errors.Unavailable,))
    async def get_health(self) -> Health:
        """See whether the service's processes are alive.

        503 while one of them dies again and again: five times in a row, each time less than two minutes after its
        start. Asks nothing of the parts; see GET /ready for those.
        """
        if self.process_fault is not None and (fault := self.process_fault()) is not None:
            raise errors.Unavailable(fault, RETRY_HEALTH)
        return Health()

    @operation("GET", "/ready", tag=TAG, answer=Readiness, public=True, raises=(errors.Unavailable,))
    async def get_readiness(self, request: AnyRequest) -> Response[Any]:
        """See what this process can do.

        Each part with its state, and what can be done with them; 503 when a part is away. Parts are asked with a
        connection and threads of their own: requests under way, however many, do not make the answer a 503. A content
        model that gives no answers is a part, `model`, while it is away; it makes no 503, since articles wait for it.
        """
        parts = await state_of({**self.services.upkeep.checks, "threads": thread_is_free})
        if note := self.services.ports.embedder_note:
            parts["embeddings"] = ReadyPart(state="up", detail=note)
        if self.no_jobs:
            parts["jobs"] = ReadyPart(state="up", detail="none are done here: started with --no-jobs")
        can = capabilities(parts, no_jobs=self.no_jobs)
        away = [name for name, part in parts.items() if part.state != "up"]
        if outage := await self._model_outage():  # articles wait for it, so requests are as welcome as ever
            parts["model"] = outage
        if not away:
            return Response(Readiness(parts=parts, can=can), media_type="application/json")
        error = errors.Unavailable(f"Away: {', '.join(away)}.", RETRY_READY)
        body = problem(error, trace_of(request.scope).request_id)
        body.parts, body.can = parts, can
        return respond(body, {"Retry-After": str(int(RETRY_READY))})

    @operation(
        "GET", "/metrics", tag=TAG, answer=None, media="text/plain", public=True, raises=(errors.Unauthenticated,)
    )
    async def get_metrics(self, request: AnyRequest) -> Response[bytes]:
        """Read metrics.

        In Prometheus' text format, of all processes that share this address. Requests are labelled by route, never by
        id. With a key of the operator's, as Authorization: Bearer, where one is set.
        """
        if self.metrics_key and not bears_key(request.headers.get("authorization", ""), self.metrics_key):
            raise errors.Unauthenticated(REFUSED)
        queue = await self._queue()
        text = await asyncio.to_thread(exposition, self.services.telemetry.metrics, queue)
        return Response(text, media_type=CONTENT_TYPE_LATEST)

    async def _model_outage(self) -> ReadyPart | None:
        """The content model as a part, while it is away."""
        ports = self.services.ports
        try:
            async with asyncio.timeout(CHECK_SECONDS), (ports.watching_unit_of_work or ports.unit_of_work)() as tx:
                circuit = await tx[Circuits].get(ports.model.name)
        except (errors.ContentgenError, TimeoutError):  # which the database, as a part, tells
            return None
        if not circuit.is_open or circuit.since is None:
            return None
        detail = f"{circuit.provider} gives no answers since {circuit.since:%Y-%m-%d %H:%M} UTC: articles wait for it"
        return ReadyPart(state="away", detail=detail)

    async def _queue(self) -> Queue | None:
        now = self.services.ports.clock.now()
        try:
            async with self.services.ports.unit_of_work() as tx:
                due, changes = await tx[Jobs].due_by_kind(now), await tx[Knowledge].pending_changes()
                webhooks, oldest_webhook = await tx[WebhookDeliveries].backlog(now)
                model = await tx[Circuits].get(self.services.ports.model.name)
        except errors.ContentgenError:  # metrics of the process matter most when the database is away
            return None
        found = {kind: (count, (now - oldest).total_seconds()) for kind, (count, oldest) in due.items()}
        late = 0.0 if oldest_webhook is None else (now - oldest_webhook).total_seconds()
        kinds = {kind.value: found.get(kind, (0, 0.0)) for kind in JobKind}
        return Queue(kinds, changes, (webhooks, late), model_away=model.is_open)

    @operation("GET", "/openapi.json", tag=TAG, answer=None, media="application/json", public=True)
    async def get_openapi(self) -> Response[bytes]:
        """Read this interface description.

        OpenAPI 3.1.
        """
        return Response(await asyncio.to_thread(self.document), media_type="application/json")

    @operation("GET", "/docs", tag=TAG, answer=None, media="text/html", public=True)
    async def get_docs(self) -> Response[str]:
        """Read the API reference.

        A page for people, with a form to try each operation. It needs no other host.
        """
        return Response(PAGE, media_type="text/html", headers={"Content-Security-Policy": POLICY})

    @operation(
        "GET", "/docs/{name:str}", tag=TAG, answer=None, media="text/html", public=True, raises=(errors.NotFound,)
    )
    async def get_docs_file(self, request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
        """Read a file of the API reference.

        Its script, its styles and its icon.
        """
        found = await asyncio.to_thread(asset, name)
        if found is None:
            raise errors.NotFound("file", name[:100])
        headers = {"ETag": found.etag, "Cache-Control": "public, max-age=3600"}
        if request.headers.get("if-none-match") == found.etag:
            return Response(b"", status_code=304, media_type=found.media_type, headers=headers)
        return Response(found.content, media_type=found.media_type, headers=headers)
