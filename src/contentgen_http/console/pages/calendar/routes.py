"""/console/calendar: what is planned, scheduled and published, and moving what is scheduled."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from attrs import evolve, frozen
from litestar import Response, get, post

from contentgen_core.errors import Conflict, InvalidInput, NotFound
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.calendar import MAX_COUNTED, CalendarEntry, CalendarKind, CalendarQuery
from contentgen_core.model.ids import ArticleId, IntegrationId, PublicationId, TenantId
from contentgen_core.model.publication import Publication
from contentgen_core.model.tenant import Role
from contentgen_core.model.vocabulary import Language
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.calendar.read_calendar import MAX_ENTRIES
from contentgen_core.use_cases.publishing.start import PublishCommand
from contentgen_http.api.requests import path_id
from contentgen_http.console.errors import sentence, status_of
from contentgen_http.console.page import Page
from contentgen_http.console.pages.calendar.view import (
    LANES,
    LISTED_OF_DAY,
    SHOWN_OF_DAY,
    Span,
    View,
    shown_days,
    span_of,
    starts_of,
    weeks,
)
from contentgen_http.console.rendering import to
from contentgen_http.console.sent_once import sent_once
from contentgen_http.console.times import moment_of, typed
from contentgen_http.console.visit import Visit, local_address, texts_of

CALENDAR: Final = "/console/calendar"
FEED: Final = "/calendar.ics"
FILTERS: Final = ("view", "from", "niche", "language", "target")
MAX_TEXT: Final = 100
MAX_OF_LANE: Final = 5 * MAX_ENTRIES


@frozen
class Shown:
    """What a view shows. `numbers`: of all entries of a day in a lane; `full`: whether a lane may have more of them."""

    entries: Sequence[CalendarEntry]
    numbers: Mapping[tuple[date, CalendarKind], int] = MappingProxyType({})
    full: bool = False


@frozen
class Movable:
    """Something scheduled: an article, or a post that waits for its time at a target. `at`: when."""

    title: str
    at: datetime
    article_id: ArticleId
    publication: Publication | None = None

    @property
    def query(self) -> Mapping[str, str]:
        """What names it in an address."""
        return {"post": self.publication.id} if self.publication else {"article": self.article_id}


class CalendarPage(Page):
    @get("/calendar")
    async def calendar(self, request: Visit) -> Response[str]:
        asked = {name: request.query_params.get(name, "")[:MAX_TEXT] for name in FILTERS}
        zone, now = request.user.tenant.time_zone or "UTC", self.services.ports.clock.now()
        today = now.astimezone(ZoneInfo(zone)).date()
        span = span_of(asked["view"], asked["from"], today)
        start, end = span.moments(zone)
        query = CalendarQuery(
            start,
            end,
            asked["niche"] or None,
            Language(asked["language"]) if asked["language"] in set(Language) else None,
            IntegrationId(asked["target"]) if asked["target"] else None,
        )
        caller = request.user.caller
        read = self._listed if span.view is View.AGENDA else self._of_grid
        shown, targets, niches = await asyncio.gather(
            read(caller.tenant_id, query, span, zone),
            self.services.publishing.integrations.list(caller),
            self.services.agents.niches.activated(caller),
        )
        days = shown_days(span, shown.entries, zone, today, shown.numbers)
        chosen = {name: value for name, value in asked.items() if value and name != "from"}
        return self.show(
            request,
            "calendar/page.html",
            span=span,
            views=list(View),
            days=days,
            weeks=weeks(days) if span.view is not View.AGENDA else [],
            lanes=LANES,
            full=shown.full,
            most=MAX_OF_LANE,
            most_counted=MAX_COUNTED,
            listed_of_day=LISTED_OF_DAY if span.view is not View.AGENDA else MAX_OF_LANE,
            shown_of_day=SHOWN_OF_DAY,
            today=today,
            chosen=chosen,
            languages_of_articles=list(Language),
            language=query.language.value if query.language else "",
            targets=targets,
            names={each.id: each.name for each in targets},
            niches=niches,
            niche_names={each.niche_key: each.name for each in niches},
            may_move=caller.role.includes(Role.EDITOR),
            back=f"{CALENDAR}?{urlencode({**chosen, 'from': span.first.isoformat()})}",
            typed=typed,
        )

    async def _of_grid(self, tenant_id: TenantId, query: CalendarQuery, span: Span, zone: str) -> Shown:
        """The first entries of each day in each lane, and the number of all."""
        starts, by_day = starts_of(span, zone), self.services.publishing.calendar.by_day
        lanes = await asyncio.gather(*(by_day(tenant_id, query, lane, starts, LISTED_OF_DAY) for lane in LANES))
        numbers = {
            (day, lane): found.number
            for lane, days in zip(LANES, lanes, strict=True)
            for day, found in zip(span.days, days, strict=True)
        }
        return Shown([entry for days in lanes for day in days for entry in day.entries], numbers)

    async def _listed(self, tenant_id: TenantId, query: CalendarQuery, _: Span, __: str) -> Shown:
        """The first entries of each lane."""
        lanes = await asyncio.gather(*(self._lane(tenant_id, query, lane) for lane in LANES))
        full = any(len(found) >= MAX_OF_LANE for found in lanes)
        return Shown([entry for lane in lanes for entry in lane], full=full)

    async def _lane(self, tenant_id: TenantId, query: CalendarQuery, lane: CalendarKind) -> list[CalendarEntry]:
        """The first entries of a lane, MAX_OF_LANE at most."""
        entries: list[CalendarEntry] = []
        while len(entries) < MAX_OF_LANE:
            after = evolve(query, after=entries[-1].place) if entries else query
            found = await self.services.publishing.calendar(tenant_id, after, MAX_ENTRIES, {lane})
            entries += found
            if len(found) < MAX_ENTRIES:
                break
        return entries

    @get("/calendar/move")
    async def where(self, request: Visit) -> Response[Any]:
        """The form by which something scheduled gets another time."""
        asked = request.query_params
        movable = await self._movable(request, asked.get("article", ""), asked.get("post", ""))
        return self._form(request, movable, typed(movable.at, request.user.tenant.time_zone), asked.get("page", ""))

    @post("/calendar/move", status_code=200, slow=True)
    async def move(self, request: Visit) -> Response[Any]:
        """Give it the time `at`, or its own time of day on the day `day`. One that was moved meanwhile stays."""
        form = await self.form(request)
        movable = await self._movable(request, form.text("article"), form.text("post"))
        zone, back = request.user.tenant.time_zone, form.text("page")
        at = form.text("at") or _on_day(form.text("day"), movable.at, zone)
        seen = form.text("seen")
        if seen and seen != typed(movable.at, zone):
            t = texts_of(request)
            fault = t("calendar-moved-meanwhile", at=t.moment(movable.at, zone or "UTC"))
            return self._form(request, movable, at, back, fault=fault, status=409)
        try:
            await self._moved(request, movable, moment_of(at, zone))
        except (InvalidInput, Conflict) as error:
            fault = sentence(error, texts_of(request))
            return self._form(request, movable, at, back, fault=fault, status=status_of(error))
        return to(local_address(back, CALENDAR), "note-moved")

    @get("/calendar/subscribe")
    async def subscription(self, request: Visit) -> Response[str]:
        """With a secret address that was made just now, this once."""
        return await self.show_once(request, lambda said: self._subscription(request, said.get("address", "")))

    @post("/calendar/subscribe", status_code=200)
    @sent_once
    async def subscribe(self, request: Visit) -> Response[Any]:
        """Make a new secret address, or end the present one."""
        form = await self.form(request)
        feed = self.services.publishing.calendar_feed
        if form.text("do") == "revoke":
            await feed.delete_link(request.user.caller)
            return to(f"{CALENDAR}/subscribe", "note-link-revoked")
        token = await feed.create_link(request.user.caller)
        base = self.services.options.public_url or str(request.base_url).rstrip("/")
        return self.to_once(request, f"{CALENDAR}/subscribe", address=f"{base}{FEED}?token={token}")

    async def _subscription(self, request: Visit, address: str = "") -> Response[str]:
        link = await self.services.publishing.calendar_feed.link_of(request.user.caller)
        return self.show(request, "calendar/subscribe.html", link=link, address=address)

    async def _movable(self, request: Visit, article: str, post: str) -> Movable:
        """Raises NotFound, also for what is not scheduled (any more)."""
        caller = request.user.caller
        if post:
            id = PublicationId(path_id("publication", post))
            publication = await self.services.publishing.publications.get(caller, id)
            if publication.due_at is None or publication.article_id is None:
                raise NotFound("scheduled post", post)
            title = (await self.services.writing.articles.one(caller, publication.article_id)).title
            return Movable(title, publication.due_at, publication.article_id, publication)
        found = await self.services.writing.articles.one(caller, ArticleId(path_id("article", article)))
        if found.status is not ArticleStatus.SCHEDULED or found.scheduled_for is None:
            raise NotFound("scheduled article", article)
        return Movable(found.title, found.scheduled_for, found.id)

    async def _moved(self, request: Visit, movable: Movable, at: datetime) -> None:
        """Raises InvalidInput, Conflict, NotPermitted, NotFound."""
        caller, publication = request.user.caller, movable.publication
        if publication is None:
            await self.services.writing.edit(EditArticleCommand(caller, movable.article_id, scheduled_for=at))
            return
        asked = evolve(publication.request, scheduled_for=at)
        command = PublishCommand(caller, publication.integration_id, movable.article_id, asked, wait=False)
        await self.services.publishing.publish.to_integration(command)

    def _form(
        self, request: Visit, movable: Movable, at: str, back: str, *, fault: str = "", status: int = 200
    ) -> Response[str]:
        return self.show(
            request,
            "calendar/move.html",
            status=status,
            movable=movable,
            seen=typed(movable.at, request.user.tenant.time_zone),
            at=at,
            back=local_address(back, CALENDAR),
            fault=fault,
        )


def _on_day(day: str, at: datetime, zone: str | None) -> str:
    """The time of day of `at` on another day, as it is typed; "" for what is no day."""
    try:
        moved = date.fromisoformat(day)
    except ValueError:
        return ""
    return f"{moved.isoformat()}T{typed(at, zone).partition('T')[2]}"
