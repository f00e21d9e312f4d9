"""Errors raised before a request is sent; subclasses of httpx's, so that callers catch them with the others."""

from __future__ import annotations

import httpx


class AddressRefused(httpx.TransportError):
    """The address must not be called: not http(s), malformed, or in a private network. The message gives the reason to
    the user who entered it; a retry does not help."""


class UnknownHost(httpx.ConnectError):
    """The host name does not exist."""


class NotReached(httpx.ConnectError):
    """Nothing was reached, and nothing is told of why: that a name has no address, that its address is a private one,
    or that nobody listens there would each say something of a network that is not the caller's."""

    def __init__(self) -> None:
        super().__init__("nothing answers at this address, or it is none of the public internet")
