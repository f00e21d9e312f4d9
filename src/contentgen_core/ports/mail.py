"""Mail to people."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from attrs import frozen

from contentgen_core.model.ids import InvitationId, SignInLinkId, TenantId
from contentgen_core.model.trend_alert import TrendAlertId


@frozen
class Mail:
    """A mail. `id`: the same for every attempt to send it, so that repetitions can be recognised. `text` is plain.
    `unsubscribe_url`: where a POST ends mail of this kind (RFC 8058), for subscriptions."""

    id: str
    to: str
    subject: str
    text: str
    unsubscribe_url: str | None = None


class Mailer(Protocol):
    """Sends mail, or logs it where no mail server is configured."""

    @property
    def delivers(self) -> bool:
        """Whether mail leaves the service at all."""
        ...

    async def send(self, mail: Mail) -> None:
        """Pass a mail to a server. Raises ProviderFailed, whose text never contains the mail's."""
        ...


class Addresses(Protocol):
    def normalise(self, text: str) -> str:
        """The normal form in which a mail address is stored and compared: ASCII, lower case, at most 254 characters.
        Raises InvalidInput for the field `email`."""
        ...


@frozen
class InvitationClaim:
    """The content of an invitation link's token. `mailed`: whether the link stands in the mail to the invited address,
    and nowhere else, so that whoever follows it reads that address' mail."""

    tenant_id: TenantId
    invitation_id: InvitationId
    nonce: str
    expires_at: datetime
    mailed: bool = False


class InvitationTokens(Protocol):
    def new_nonce(self) -> str:
        """Return a nonce of at least 128 random bits."""
        ...

    def sign(self, claim: InvitationClaim) -> str:
        """A token for the query of a link, which cannot be forged without the service's secret."""
        ...

    def read(self, token: str) -> InvitationClaim | None:
        """The content of a token; None for one that we did not sign. The caller checks whether it has expired."""
        ...


@frozen
class SignInClaim:
    """The content of a sign-in link's token."""

    tenant_id: TenantId
    link_id: SignInLinkId
    nonce: str
    expires_at: datetime


class SignInTokens(Protocol):
    def new_nonce(self) -> str:
        """Return a nonce of at least 128 random bits."""
        ...

    def sign(self, claim: SignInClaim) -> str:
        """A token for the query of a link, which cannot be forged without the service's secret."""
        ...

    def read(self, token: str) -> SignInClaim | None:
        """The content of a token; None for one that we did not sign. The caller checks whether it has expired."""
        ...


@frozen
class AlertSubscription:
    """A subscription whose address is not confirmed yet. It is stored in the token only."""

    email: str
    niche_keys: tuple[str, ...]
    min_score: float
    expires_at: datetime


class AlertTokens(Protocol):
    """Tokens of the links in mail about trends. One kind is not valid as the other."""

    def sign_subscription(self, wish: AlertSubscription) -> str:
        """Return a token that confirms a subscription."""

    def read_subscription(self, token: str) -> AlertSubscription | None:
        """The content of a token; None for one that we did not sign. The caller checks whether it has expired."""
        ...

    def sign_unsubscribe(self, alert_id: TrendAlertId) -> str:
        """Return a token that ends one subscription, at any time."""
        ...

    def read_unsubscribe(self, token: str) -> TrendAlertId | None:
        """The subscription that a token ends; None for one that we did not sign."""
