"""Errors raised before a request is sent; subclasses of httpx's, so that callers catch them with the others."""

from __future__ import annotations

import httpx


class AddressRefused(httpx.TransportError):
    """The address must not be called: not http(s), malformed, or in a private network. The message gives the reason to
    the user who entered it; a retry does not help."""


class UnknownHost(httpx.ConnectError):
    """The host name does not exist."""
