"""What goes wrong before a byte is sent, in httpx's hierarchy so that callers catch it with the rest."""

from __future__ import annotations

import httpx


class AddressRefused(httpx.TransportError):
    """The address is none that we call: no http(s), malformed, or one that leads into a private network. The message
    says which, for whoever entered it; trying again does not help."""


class UnknownHost(httpx.ConnectError):
    """The name of the host does not exist."""
