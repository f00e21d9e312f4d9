"""Which IP addresses are public."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

_V4: Final = {
    IPv4Network(network): what
    for network, what in {
        "0.0.0.0/8": "this host",
        "10.0.0.0/8": "private",
        "100.64.0.0/10": "a provider's internal network",
        "127.0.0.0/8": "loopback",
        "169.254.0.0/16": "link-local, where clouds keep their metadata",
        "172.16.0.0/12": "private",
        "192.0.0.0/24": "reserved",
        "192.0.2.0/24": "for documentation",
        "192.88.99.0/24": "a 6to4 relay",
        "192.168.0.0/16": "private",
        "198.18.0.0/15": "for benchmarks",
        "198.51.100.0/24": "for documentation",
        "203.0.113.0/24": "for documentation",
        "168.63.129.16/32": "a cloud's internal service",  # a public address by its range, used for Azure's host
        "224.0.0.0/4": "multicast",
        "240.0.0.0/4": "reserved",  # with the broadcast address
    }.items()
}
_GLOBAL_UNICAST: Final = IPv6Network("2000::/3")
_V6: Final = {
    IPv6Network(network): what
    for network, what in {
        "2001::/23": "for protocols (Teredo among them)",
        "2001:db8::/32": "for documentation",
        "2002::/16": "6to4",
        "3fff::/20": "for documentation",
    }.items()
}
_NAT64: Final = IPv6Network("64:ff9b::/96")
_V4_MASK: Final = 0xFFFF_FFFF


def why_refused(address: str) -> str | None:
    """Return why an IP address is not public, such as "loopback"; None for a public one. Raises ValueError for another
    text.

    Lists the IANA special-purpose registries (RFC 6890 and its successors) itself, since those of the standard library
    differ between the supported Python versions. IPv6 is refused unless it is global unicast. An IPv4 address embedded
    in an IPv6 one is examined where IPv6-only hosts need it (NAT64, RFC 6052; mapped addresses), and refused otherwise
    (6to4, Teredo).
    """
    parsed = ip_address(address)
    if isinstance(parsed, IPv4Address):
        return _why_refused_v4(parsed)
    if parsed.ipv4_mapped is not None:
        return _why_refused_v4(parsed.ipv4_mapped)
    if parsed in _NAT64:
        return _why_refused_v4(IPv4Address(int(parsed) & _V4_MASK))
    return _why_refused_v6(parsed)


def _why_refused_v4(address: IPv4Address) -> str | None:
    return next((what for network, what in _V4.items() if address in network), None)


def _why_refused_v6(address: IPv6Address) -> str | None:
    if address.scope_id is not None:
        return "bound to one network card"
    if address not in _GLOBAL_UNICAST:
        return "loopback" if address.is_loopback else "private, local or reserved"
    return next((what for network, what in _V6.items() if address in network), None)
