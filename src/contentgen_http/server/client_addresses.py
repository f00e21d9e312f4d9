"""Whose request it is, where proxies stand between."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any

from attrs import frozen

from contentgen_core.policies.tenancy.client_networks import client_network

Network = IPv4Network | IPv6Network


def networks(text: str) -> tuple[Network, ...]:
    """Parses comma-separated IP addresses and networks. Raises ValueError."""
    return tuple(ip_network(part.strip(), strict=False) for part in text.split(",") if part.strip())


@frozen
class ClientAddresses:
    """Determines the IP address of clients. X-Forwarded-For is followed as long as the hops are trusted proxies.

    `trusted`: addresses of proxies.
    """

    trusted: tuple[Network, ...]

    def of(self, scope: Mapping[str, Any]) -> str:
        """The client's address of an ASGI scope."""
        client = scope.get("client")
        address = str(client[0]) if client else "unknown"
        if not self._trusts(address):
            return address
        for hop in reversed(_forwarded_for(scope["headers"])):
            address = hop
            if not self._trusts(hop):
                break
        return address

    def network_of(self, scope: Mapping[str, Any]) -> str:
        """What the client's address counts as in a limit: of an IPv6 address its network."""
        return client_network(self.of(scope))

    def is_https(self, scope: Mapping[str, Any]) -> bool:
        """Whether the client speaks HTTPS: with us, or with a trusted proxy, whose X-Forwarded-Proto says so."""
        if scope.get("scheme") == "https":
            return True
        client = scope.get("client")
        if not client or not self._trusts(str(client[0])):
            return False
        said = [value for name, value in scope["headers"] if name == b"x-forwarded-proto"]
        return bool(said) and said[-1].rpartition(b",")[2].strip().lower() == b"https"

    def _trusts(self, text: str) -> bool:
        if not self.trusted:
            return False
        try:
            address = ip_address(text)
        except ValueError:
            return False
        return any(address in network for network in self.trusted)


def _forwarded_for(headers: Iterable[tuple[bytes, bytes]]) -> list[str]:
    """The addresses in X-Forwarded-For, the nearest proxy's last, from the last invalid entry on."""
    hops: list[str] = []
    for name, value in headers:
        if name == b"x-forwarded-for":
            hops += (part.strip() for part in value.decode("latin-1").split(","))
    believed: list[str] = []
    for hop in reversed(hops):
        try:
            believed.append(str(ip_address(hop)))
        except ValueError:
            break
    return believed[::-1]
