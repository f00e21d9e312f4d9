"""Publishing: integrations, publications and the calendar."""

from __future__ import annotations

from attrs import frozen

from contentgen_core.services.shared import Shared
from contentgen_core.use_cases.calendar.links import CalendarFeed
from contentgen_core.use_cases.calendar.read_calendar import ReadCalendar
from contentgen_core.use_cases.index_now.manage_index_now import ManageIndexNow
from contentgen_core.use_cases.integrations.manage_integrations import ManageIntegrations
from contentgen_core.use_cases.publishing.manage_publications import ManagePublications
from contentgen_core.use_cases.publishing.start import Publish
from contentgen_core.use_cases.publishing.verify import VerifyPublications
from contentgen_core.use_cases.publishing.withdraw import WithdrawPublication


@frozen(kw_only=True)
class Publishing:
    """Use cases on integrations, publications and the calendar."""

    integrations: ManageIntegrations
    publish: Publish
    publications: ManagePublications
    verify: VerifyPublications
    withdraw: WithdrawPublication
    index_now: ManageIndexNow
    calendar: ReadCalendar
    calendar_feed: CalendarFeed

    @classmethod
    def compose(cls, shared: Shared) -> Publishing:
        p, request, wait = shared.ports, shared.request_publication, shared.options.publish_wait
        calendar = ReadCalendar(p.unit_of_work, p.time_zones)
        return cls(
            integrations=ManageIntegrations(p.unit_of_work, p.targets, shared.connect, p.rate_limiter, p.clock, p.ids),
            publish=Publish(p.unit_of_work, p.targets, request, p.clock, wait_seconds=wait),
            publications=ManagePublications(p.unit_of_work, p.targets, request, p.clock),
            verify=VerifyPublications(
                p.unit_of_work, shared.background, p.targets, shared.connect, p.renderer, p.clock
            ),
            withdraw=WithdrawPublication(p.unit_of_work, p.targets, shared.connect, p.clock),
            index_now=ManageIndexNow(p.unit_of_work, p.clock, p.ids, p.new_salt, shared.options.public_url),
            calendar=calendar,
            calendar_feed=CalendarFeed(p.unit_of_work, calendar, p.key_maker, p.new_salt, p.clock),
        )
