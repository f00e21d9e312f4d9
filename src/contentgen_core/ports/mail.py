"""Mail to people."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from attrs import frozen

from contentgen_core.model.ids import InvitationId, TenantId
from contentgen_core.model.trend_alert import TrendAlertId


@frozen
class Mail:
    """`id`: the same for every attempt to send it, so that readers can tell a repetition. `text` is plain.
    `unsubscribe_url`: where a POST ends mail of this kind (RFC 8058), for mail that people subscribed to."""

    id: str
    to: str
    subject: str
    text: str
    unsubscribe_url: str | None = None


class Mailer(Protocol):
    @property
    def delivers(self) -> bool:
        """Whether mail leaves the service at all."""
        ...

    async def send(self, mail: Mail) -> None:
        """Hand a mail over to a server. Raises ProviderFailed, whose text never holds the mail's."""
        ...


class Addresses(Protocol):
    def normal(self, text: str) -> str:
        """The one spelling that a mail address is kept and compared in: ASCII, lower case, 254 characters at most.
        Raises InvalidInput, with the field `email`."""
        ...


@frozen
class InvitationClaim:
    """What the token of a link says, once its signature holds."""

    tenant_id: TenantId
    invitation_id: InvitationId
    nonce: str
    expires_at: datetime


class InvitationTokens(Protocol):
    def new_nonce(self) -> str:
        """At least 128 bits of randomness."""
        ...

    def sign(self, claim: InvitationClaim) -> str:
        """A token for the query of a link: whoever does not know the service's secret cannot make one."""
        ...

    def read(self, token: str) -> InvitationClaim | None:
        """None for what we did not sign. Whether it has expired, and still leads anywhere, is for the caller."""
        ...


@frozen
class AlertWish:
    """What somebody wants to be told of, before the address is confirmed: the token holds it, and nothing else does."""

    email: str
    niche_keys: tuple[str, ...]
    min_score: float
    expires_at: datetime


class AlertTokens(Protocol):
    """Of the links in mail about trends. Neither kind passes for the other."""

    def sign_wish(self, wish: AlertWish) -> str: ...

    def read_wish(self, token: str) -> AlertWish | None:
        """None for what we did not sign. Whether it has expired is for the caller."""
        ...

    def sign_end(self, alert_id: TrendAlertId) -> str:
        """It ends one subscription, at any time."""
        ...

    def read_end(self, token: str) -> TrendAlertId | None: ...
