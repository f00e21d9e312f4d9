"""Subscribing to trends by mail: asked for, confirmed by the address itself, ended at any time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from attrs import frozen

from contentgen_core.errors import FieldError, InvalidInput, LinkInvalid
from contentgen_core.model.trend_alert import MAX_NICHES, TrendAlert, TrendAlertId
from contentgen_core.ports.mail import Addresses, AlertSubscription, AlertTokens, Mail, Mailer
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import UnitOfWork

CONFIRM_WITHIN: Final = timedelta(hours=48)
CONFIRM_PATH: Final = "/public/trend-alerts/confirm?token="


@frozen
class RequestAlerts:
    """`base`: where people reach the service. Nothing is read of who is subscribed, so nothing can tell of it, and
    nothing is stored: the wish is in the link."""

    unit_of_work: UnitOfWork
    addresses: Addresses
    mailer: Mailer
    tokens: AlertTokens
    clock: Clock
    ids: Ids
    base: str

    async def __call__(self, email: str, niche_keys: Sequence[str], min_score: float) -> bool:
        """Whether a mail went out at all: not where no mail server is set up. Raises InvalidInput, ProviderFailed."""
        wish = AlertSubscription(
            self.addresses.normalise(email),
            tuple(dict.fromkeys(niche_keys)),
            min_score,
            self.clock.now() + CONFIRM_WITHIN,
        )
        await self._check(wish.niche_keys)
        await self.mailer.send(self._letter(wish))
        return self.mailer.delivers

    async def _check(self, niche_keys: tuple[str, ...]) -> None:
        if len(niche_keys) > MAX_NICHES:
            raise InvalidInput.of("nicheKeys", f"at most {MAX_NICHES}")
        faults = []
        async with self.unit_of_work() as tx:
            for place, key in enumerate(niche_keys):
                if await tx.niches.find_preconfigured(key) is None:
                    faults.append(FieldError(f"nicheKeys[{place}]", "is no niche that trends are followed in"))
        if faults:
            raise InvalidInput(*faults)

    def _letter(self, wish: AlertSubscription) -> Mail:
        link = f"{self.base}{CONFIRM_PATH}{self.tokens.sign_subscription(wish)}"
        niches = ", ".join(wish.niche_keys) or "all niches"
        return Mail(
            id=self.ids.new(),
            to=wish.email,
            subject="Confirm your subscription to trends",
            text=f"Somebody, probably you, wants trends sent to this address: {niches}, from a score of "
            f"{wish.min_score:g} on, at most one mail a day.\n\nTo confirm, open this link:\n\n{link}\n\n"
            f"It works until {wish.expires_at:%Y-%m-%d %H:%M} UTC. If you did not ask for this, ignore it: your "
            "address is not kept.\n",
        )


@frozen
class ConfirmAlerts:
    unit_of_work: UnitOfWork
    tokens: AlertTokens
    clock: Clock
    ids: Ids

    async def __call__(self, token: str) -> TrendAlert:
        """Confirming again, or anew for the same address, changes what it wants. Raises LinkInvalid."""
        wish = self.tokens.read_subscription(token)
        if wish is None or wish.expires_at <= self.clock.now():
            raise LinkInvalid
        alert = TrendAlert(TrendAlertId(self.ids.new()), wish.email, wish.niche_keys, wish.min_score)
        async with self.unit_of_work() as tx:
            return await tx.trend_alerts.put(alert)


@frozen
class EndAlerts:
    unit_of_work: UnitOfWork
    tokens: AlertTokens

    async def __call__(self, token: str) -> None:
        """What has ended already ends again. Raises LinkInvalid."""
        alert_id = self.tokens.read_unsubscribe(token)
        if alert_id is None:
            raise LinkInvalid
        async with self.unit_of_work() as tx:
            await tx.trend_alerts.remove(alert_id)
