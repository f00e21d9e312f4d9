"""Errors raised before a request is sent; subclasses of httpx's, so that callers catch them with the others."""

from __future__ import annotations

import httpx


class AddressRefused(httpx.TransportError):
    """The address must not be called: not http(s), malformed, or in a private network. The message gives the reason to
    the user who entered it; a retry does not help."""


class UnknownHost(httpx.ConnectError):
    """The host name does not exist."""


class NotReached(httpx.ConnectError):
    """No connection was made, and the reason is not told: that a name has no address, that its address is private, or
    that no server listens there would each reveal something about a network that is not the caller's.
    """

    def __init__(self) -> None:
        super().__init__("nothing answers at this address, or it is none of the public internet")
