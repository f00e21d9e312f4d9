"""Group requests by client network, for limits."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

SUBNET: Final = 64
"""Bits of an IPv6 network that usually belong to one customer, with any number of addresses (RFC 6177)."""


def client_network(address: str) -> str:
    """Return what a client's address counts as: an IPv6 address as its network of 64 bits, an IPv4 address, also one
    that is written as IPv6, as itself, and what is no address as it is."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is not None:
        parsed = parsed.ipv4_mapped
    bits = SUBNET if isinstance(parsed, IPv6Address) else parsed.max_prefixlen
    return str(ip_network(f"{str(parsed).partition('%')[0]}/{bits}", strict=False))  # without an interface
