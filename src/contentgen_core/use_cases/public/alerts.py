"""Subscribing to trends by mail: requested, confirmed from the address, ended at any time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from contentgen_core.errors import FieldError, InvalidInput
from contentgen_core.link_errors import LinkInvalid
from contentgen_core.model.trend_alert import MAX_NICHES, TrendAlert, TrendAlertId
from contentgen_core.ports.mail import Addresses, AlertSubscription, AlertTokens, Mail, Mailer
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.trend_alerts import TrendAlerts
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case

CONFIRM_WITHIN: Final = timedelta(hours=48)
CONFIRM_PATH: Final = "/public/trend-alerts/confirm?token="


@use_case
class RequestAlerts:
    """`base`: the public address of the service. Existing subscriptions are not read, so that nobody can find out about
    them, and nothing is stored: the subscription is in the link."""

    unit_of_work: UnitOfWork
    addresses: Addresses
    mailer: Mailer
    tokens: AlertTokens
    clock: Clock
    ids: Ids
    base: str

    async def __call__(self, email: str, niche_keys: Sequence[str], min_score: float) -> bool:
        """Send a mail with a link to confirm. Returns whether mail is delivered at all: False without a configured mail
        server. Raises InvalidInput, ProviderFailed."""
        subscription = AlertSubscription(
            self.addresses.normalise(email),
            tuple(dict.fromkeys(niche_keys)),
            min_score,
            self.clock.now() + CONFIRM_WITHIN,
        )
        await self._check(subscription.niche_keys)
        await self.mailer.send(self._letter(subscription))
        return self.mailer.delivers

    async def _check(self, niche_keys: tuple[str, ...]) -> None:
        if len(niche_keys) > MAX_NICHES:
            raise InvalidInput.of("nicheKeys", f"at most {MAX_NICHES}")
        faults = []
        async with self.unit_of_work() as tx:
            for place, key in enumerate(niche_keys):
                if await tx[Niches].find_preconfigured(key) is None:
                    faults.append(FieldError(f"nicheKeys[{place}]", "is no niche that trends are followed in"))
        if faults:
            raise InvalidInput(*faults)

    def _letter(self, subscription: AlertSubscription) -> Mail:
        link = f"{self.base}{CONFIRM_PATH}{self.tokens.sign_subscription(subscription)}"
        niches = ", ".join(subscription.niche_keys) or "all niches"
        return Mail(
            id=self.ids.new(),
            to=subscription.email,
            subject="Confirm your subscription to trends",
            text=f"Somebody, probably you, wants trends sent to this address: {niches}, from a score of "
            f"{subscription.min_score:g} on, at most one mail a day.\n\nTo confirm, open this link:\n\n{link}\n\n"
            f"It works until {subscription.expires_at:%Y-%m-%d %H:%M} UTC. If you did not ask for this, ignore it: "
            "your address is not kept.\n",
        )


@use_case
class ConfirmAlerts:
    unit_of_work: UnitOfWork
    tokens: AlertTokens
    clock: Clock
    ids: Ids

    async def __call__(self, token: str) -> TrendAlert:
        """Store the subscription; one that the address has is replaced. Raises LinkInvalid."""
        subscription = self.tokens.read_subscription(token)
        if subscription is None or subscription.expires_at <= self.clock.now():
            raise LinkInvalid
        alert = TrendAlert(
            TrendAlertId(self.ids.new()), subscription.email, subscription.niche_keys, subscription.min_score
        )
        async with self.unit_of_work() as tx:
            return await tx[TrendAlerts].put(alert)


@use_case
class UnsubscribeAlerts:
    unit_of_work: UnitOfWork
    tokens: AlertTokens

    async def __call__(self, token: str) -> None:
        """End a subscription. Idempotent. Raises LinkInvalid."""
        alert_id = self.tokens.read_unsubscribe(token)
        if alert_id is None:
            raise LinkInvalid
        async with self.unit_of_work() as tx:
            await tx[TrendAlerts].remove(alert_id)
