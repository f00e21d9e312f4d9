"""The calendar on the wire."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Final

from msgspec import UNSET, Meta, UnsetType, field

from contentgen_core.errors import InvalidInput
from contentgen_core.model import calendar as model
from contentgen_core.model.calendar import MAX_RANGE, CalendarKind
from contentgen_core.model.ids import IntegrationId
from contentgen_core.model.vocabulary import Language
from contentgen_core.use_cases.calendar.links import MAX_TOKEN
from contentgen_core.use_cases.calendar.read_calendar import MAX_ENTRIES
from contentgen_http.wire.base import Answer, AnswerOf, Id, Moment, Query, absent_as_none, utc_input

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
USUAL: Final = timedelta(days=31)


class CalendarEntry(AnswerOf[model.CalendarEntry], kw_only=True):
    """Something with a time."""

    kind: Annotated[
        CalendarKind,
        Meta(
            description="planned (a run of agents by their schedule, or a plan that waits for its review since then), "
            "scheduled (an article or a post that is to be published then), or published."
        ),
    ]
    at: Annotated[datetime, Meta(description="When.")]
    title: Annotated[str | UnsetType, Meta(description="Title; absent for a run, whose topics are not known yet.")] = (
        UNSET
    )
    niche_key: Annotated[str | UnsetType, Meta(description="The niche.")] = UNSET
    language: Annotated[Language | UnsetType, Meta(description="Language of the article.")] = UNSET
    articles: Annotated[int | UnsetType, Meta(description="Of a run: how many articles it is to write.")] = UNSET
    article_id: Annotated[str | UnsetType, Meta(description="Id of the article.")] = UNSET
    publication_id: Annotated[str | UnsetType, Meta(description="Id of the publication.")] = UNSET
    integration_id: Annotated[str | UnsetType, Meta(description="Where it is published; absent: here alone.")] = UNSET
    provider: Annotated[str | UnsetType, Meta(description="Kind of that target.")] = UNSET
    url: Annotated[str | UnsetType, Meta(description="Address of the post.")] = UNSET


class Calendar(Answer, kw_only=True):
    """Entries in the order of their time."""

    entries: Annotated[list[CalendarEntry], Meta(description="As many as were asked for at most.")]
    after: Annotated[
        str | UnsetType, Meta(description="Send it as `after` for those that follow; absent at the end.")
    ] = UNSET

    @classmethod
    def of(cls, entries: list[model.CalendarEntry], limit: int) -> Calendar:
        last = entries[-1] if len(entries) == limit else None
        return cls(
            entries=[CalendarEntry.of(entry) for entry in entries],
            after=UNSET if last is None else f"{(last.at - EPOCH) // timedelta(microseconds=1)}-{last.id}",
        )


class CalendarRange(Query, kw_only=True):
    """What is to be shown."""

    start: Annotated[Moment | UnsetType, Meta(description="From then on; absent: now.")] = field(
        name="from", default=UNSET
    )
    end: Annotated[
        Moment | UnsetType,
        Meta(description=f"Before then, {MAX_RANGE.days} days later at most; absent: {USUAL.days} days later."),
    ] = field(name="to", default=UNSET)
    kind: Annotated[CalendarKind | UnsetType, Meta(description="Only entries of this kind.")] = UNSET
    niche: Annotated[Id | UnsetType, Meta(description="Only of the niche with this key.")] = UNSET
    language: Annotated[
        Language | UnsetType, Meta(description="Only articles in this language; without runs of agents.")
    ] = UNSET
    target: Annotated[Id | UnsetType, Meta(description="Only posts of the integration with this id.")] = UNSET
    after: Annotated[
        Annotated[str, Meta(pattern=r"^\d{1,17}-.+$", max_length=200)] | UnsetType,
        Meta(description="`after` of the answer that these are to follow, with the same range."),
    ] = UNSET
    limit: Annotated[Annotated[int, Meta(ge=1, le=MAX_ENTRIES)], Meta(description="The most of an answer.")] = 100

    def to_query(self, now: datetime) -> model.CalendarQuery:
        """Raises InvalidInput."""
        start = now if self.start is UNSET else utc_input("from", self.start)
        try:
            end = start + USUAL if self.end is UNSET else utc_input("to", self.end)
        except OverflowError as error:
            raise InvalidInput.of("from", "is outside the calendar") from error
        target = None if self.target is UNSET else IntegrationId(self.target)
        return model.CalendarQuery(
            start, end, absent_as_none(self.niche), absent_as_none(self.language), target, self._place()
        )

    def _place(self) -> tuple[datetime, str] | None:
        """Seventeen digits of microseconds are within the calendar."""
        if self.after is UNSET:
            return None
        microseconds, _, id = self.after.partition("-")
        return EPOCH + timedelta(microseconds=int(microseconds)), id


class CalendarLink(Answer, kw_only=True):
    """A secret address of the calendar, for calendar programs."""

    url: Annotated[str, Meta(description="Whoever has it sees the calendar, and nothing else. It is shown this once.")]


class FeedQuery(Query, kw_only=True):
    """Whose calendar."""

    token: Annotated[Annotated[str, Meta(min_length=1, max_length=MAX_TOKEN)], Meta(description="Of the link.")]
