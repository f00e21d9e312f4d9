"""OpenID Connect: people sign in at a provider, which confirms their identity."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from attrs import field, frozen

from contentgen_core.errors import ContentgenError


class Refusal(StrEnum):
    """The reason why a sign-in at the provider signs nobody in here."""

    EXPIRED = "expired"  # it was begun in another browser, too long ago, or ended before
    DENIED = "denied"  # the provider, or the person there, said no
    INVALID = "invalid"  # what the provider sent does not prove who it is
    NO_MAIL = "no-mail"  # it names no mail address, or does not vouch for it
    FOREIGN = "foreign"  # it may not vouch for addresses of this domain
    UNKNOWN = "unknown"  # the address is no member's


class OpenIdRefused(ContentgenError):
    """A sign-in by OpenID Connect signs nobody in; `reason` says why. `log_text` has what an operator needs to know."""

    code = "open_id_refused"

    def __init__(self, reason: Refusal, log_text: str = "") -> None:
        super().__init__(f"Nobody is signed in: {reason}.")
        self.reason = reason
        self._log_text = log_text

    @property
    def log_text(self) -> str:
        return f"sign-in by OpenID Connect refused, {self.reason}: {self._log_text}"


@frozen
class OpenIdRequest:
    """The data that a browser keeps while a person signs in at the provider. `state`: comes back with the answer;
    `nonce`: stands in the ID token; `verifier`: of PKCE, which only we and the provider's token endpoint see; `back`:
    the page to go on to."""

    state: str
    nonce: str = field(repr=False)
    verifier: str = field(repr=False)
    back: str


class OpenIdRequests(Protocol):
    """Requests as values of a cookie."""

    def begin(self, back: str) -> OpenIdRequest:
        """A request with secrets of its own, of 128 bits or more each."""
        ...

    def sign(self, request: OpenIdRequest) -> str:
        """A text for the person's own browser, which cannot be forged without the service's secret."""
        ...

    def read(self, text: str) -> OpenIdRequest | None:
        """The request of a text of the last ten minutes; None for any other."""
        ...


@frozen
class OpenIdPerson:
    """The identity that a provider confirmed. `email`: "" where it says none; `email_verified`: whether the provider
    confirms the address."""

    subject: str
    email: str
    email_verified: bool


class OpenIdProvider(Protocol):
    async def address(self, request: OpenIdRequest, redirect: str) -> str:
        """Return the address where the person signs in. `redirect`: our address to which the provider returns. Raises
        ProviderFailed."""
        ...

    async def person(self, code: str, request: OpenIdRequest, redirect: str) -> OpenIdPerson:
        """Return the person who signed in, for the code that came back. Raises ProviderFailed, OpenIdRefused."""
        ...
