"""Public: what is readable without a key, and alerts by mail."""

from __future__ import annotations

from attrs import frozen

from contentgen_core.services.shared import Shared
from contentgen_core.use_cases.public.alerts import ConfirmAlerts, RequestAlerts, UnsubscribeAlerts
from contentgen_core.use_cases.public.clicks import CountClick
from contentgen_core.use_cases.public.moderate import ModeratePublicArticles
from contentgen_core.use_cases.public.read_public import ReadPublic


@frozen(kw_only=True)
class Public:
    """Use cases without a key."""

    read: ReadPublic
    moderate: ModeratePublicArticles
    count_click: CountClick
    request_alerts: RequestAlerts
    confirm_alerts: ConfirmAlerts
    unsubscribe_alerts: UnsubscribeAlerts

    @classmethod
    def compose(cls, shared: Shared) -> Public:
        p, base = shared.ports, shared.options.public_url or ""
        return cls(
            read=ReadPublic(p.unit_of_work, p.renderer, base),
            moderate=ModeratePublicArticles(p.unit_of_work, p.clock),
            count_click=CountClick(p.unit_of_work, p.clock, p.new_salt),
            request_alerts=RequestAlerts(p.unit_of_work, p.addresses, p.mailer, p.alert_tokens, p.clock, p.ids, base),
            confirm_alerts=ConfirmAlerts(p.unit_of_work, p.alert_tokens, p.clock, p.ids),
            unsubscribe_alerts=UnsubscribeAlerts(p.unit_of_work, p.alert_tokens),
        )
