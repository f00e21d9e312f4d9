"""Protection against DNS rebinding: a web page can make a browser call a private service under a host name of its own.
Host and Origin are then foreign."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from attrs import frozen

from contentgen_core.errors import NotPermitted

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
ANY: Final = "*"

_AUTHORITY: Final = r"//(?:\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::[0-9]{1,5})?"
_HOST: Final = re.compile(_AUTHORITY, re.ASCII)
_ORIGIN: Final = re.compile(rf"[a-z][a-z0-9+.-]*:{_AUTHORITY}", re.ASCII | re.IGNORECASE)


@frozen
class AllowedHosts:
    """The accepted hosts. `known`: names and IP addresses, in lower case, without ports; None for any."""

    known: frozenset[str] | None

    @classmethod
    def of(cls, public_url: str | None, further: str) -> AllowedHosts:
        """Return the loopback hosts, that of the public address, and further ones.

        `further`: comma-separated; `*` accepts any. Raises ValueError for an invalid host.
        """
        names = [part.strip() for part in further.split(",") if part.strip()]
        if ANY in names:
            return cls(None)
        hosts = [_host(f"//{name}") for name in names]
        if None in hosts:
            raise ValueError(f"{names[hosts.index(None)]!r} is no host")
        public = [] if public_url is None else [_host(public_url)]
        return cls(LOOPBACK | {host for host in (*hosts, *public) if host is not None})

    def check(self, headers: Iterable[tuple[bytes, bytes]]) -> None:
        """Raises NotPermitted for a foreign or missing Host, and for a foreign Origin."""
        if self.known is None:
            return
        named = [(name, value.decode("latin-1")) for name, value in headers if name in (b"host", b"origin")]
        hosts = [_host_in(_HOST, f"//{value}") for name, value in named if name == b"host"]
        if not hosts or not self.known.issuperset(hosts):
            raise NotPermitted(
                "Requests for this host are not taken. Whoever runs the service lists it in "
                "CONTENTGEN_MCP_ALLOWED_HOSTS."
            )
        if not self.known.issuperset(_host_in(_ORIGIN, value) for name, value in named if name == b"origin"):
            raise NotPermitted("Requests of pages of this origin are not taken.")


def _host_in(form: re.Pattern[str], address: str) -> str | None:
    """The host of a header's value; None for one in another form than clients send, which others read otherwise."""
    return _host(address) if form.fullmatch(address) else None


def _host(address: str) -> str | None:
    try:
        host = urlsplit(address).hostname
    except ValueError:
        return None
    return host.rstrip(".").lower() if host else None
