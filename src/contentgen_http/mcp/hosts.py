"""Whose requests are taken. A page of the web can send a browser to a service that only its user reaches, under a name
that the page's owner has lead there (DNS rebinding): Host and Origin then name that owner."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from attrs import frozen

from contentgen_core.errors import NotPermitted

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
ANY: Final = "*"


@frozen
class Hosts:
    """`known`: names and addresses, in lower case and without ports; None: any."""

    known: frozenset[str] | None

    @classmethod
    def of(cls, public_url: str | None, further: str) -> Hosts:
        """Loopback, the host of the public address, and further ones, comma-separated, `*` for any. Raises ValueError
        for what is no host."""
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
        hosts = [_host(f"//{value}") for name, value in named if name == b"host"]
        if not hosts or not self.known.issuperset(hosts):
            raise NotPermitted(
                "Requests for this host are not taken. Whoever runs the service lists it in "
                "CONTENTGEN_MCP_ALLOWED_HOSTS."
            )
        if not self.known.issuperset(_host(value) for name, value in named if name == b"origin"):
            raise NotPermitted("Requests of pages of this origin are not taken.")


def _host(address: str) -> str | None:
    try:
        host = urlsplit(address).hostname
    except ValueError:
        return None
    return host.rstrip(".").lower() if host else None
