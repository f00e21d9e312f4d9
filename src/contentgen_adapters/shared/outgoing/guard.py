"""The guard on outgoing addresses: which may be called, and at which internet addresses a host was found harmless."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Iterable
from ipaddress import ip_address
from typing import Final

import httpx
from attrs import frozen

from contentgen_adapters.shared.outgoing.errors import AddressRefused, UnknownHost
from contentgen_adapters.shared.outgoing.networks import why_refused

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""The internet addresses of a host and port, best first. Raises OSError."""

SETTING: Final = "CONTENTGEN_ALLOWED_PRIVATE_HOSTS"
MAX_HOST: Final = 253  # characters of a name (RFC 1035)
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_FIRST_FREE_PORT: Final = 1024
_PORTS: Final = 65_536
# Servers of other protocols above 1023: those that browsers refuse too (the Fetch standard's bad ports), and databases
# and caches that take commands line by line, which a crafted HTTP request can hold.
_OTHER_PROTOCOLS: Final = frozenset(
    {1719, 1720, 1723, 2049, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669}
    | {6679, 6697, 10080, 11211, 27017}
)
_NAME: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_-]{1,63})*")
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
_ENTRY: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s:\[\]/@]+):([0-9]{1,5})")


@frozen
class HostPort:
    """`host` in lower case, in its ASCII form (IDNA 2008), an IPv6 address without brackets."""

    host: str
    port: int


def parse_hosts(text: str) -> frozenset[HostPort]:
    """The hosts of a setting: `host:port`, comma-separated. Raises ValueError, which names the entry at fault."""
    entries = (entry.strip() for entry in text.split(","))
    return frozenset(_parse_host(entry) for entry in entries if entry)


def _parse_host(entry: str) -> HostPort:
    match = _ENTRY.fullmatch(entry)
    if match is None or not 0 < int(match[2]) < _PORTS:
        raise ValueError(f"{entry!r} is no host:port")
    try:
        return HostPort(_host(httpx.URL(f"http://{match[1]}")), int(match[2]))
    except (httpx.InvalidURL, AddressRefused) as exc:
        raise ValueError(f"{entry!r} is no host:port: {exc}") from exc


async def system_resolve(host: str, port: int) -> list[str]:
    """As the operating system resolves names."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


class AddressGuard:
    """Refuses addresses that are no public web servers', but for the hosts that the operator allows.

    `check` looks at a URL alone; `addresses` resolves a host and looks at every address it has. Whoever connects must
    connect to one of those (`client.GuardedTransport` does): asking the resolver a second time would let a name that
    changes its answer in between pass the check with one address and be called at another.
    """

    def __init__(self, allowed_private_hosts: Iterable[HostPort] = (), resolve: Resolve = system_resolve) -> None:
        """`allowed_private_hosts`: as entered, see `parse_hosts`; a name does not allow its address, or the other way
        round."""
        self._allowed = frozenset(allowed_private_hosts)
        self._resolve = resolve

    def check(self, url: str | httpx.URL) -> HostPort:
        """Where a URL leads to. Raises AddressRefused for what can be refused without asking a name server."""
        try:
            parsed = httpx.URL(url)
        except httpx.InvalidURL as exc:
            raise AddressRefused("not a valid address") from exc
        if parsed.scheme not in _DEFAULT_PORTS:
            raise AddressRefused("only http and https addresses are called")
        if parsed.userinfo:
            raise AddressRefused("an address with a user name or a password is not called")
        port = _DEFAULT_PORTS[parsed.scheme] if parsed.port is None else parsed.port
        target = HostPort(_host(parsed), port)
        if not self.is_allowed(target):
            _check_port(target.port)
            _check_literal(target.host)
        return target

    def is_allowed(self, target: HostPort) -> bool:
        """Whether the operator has allowed this very host and port, whatever its address."""
        return target in self._allowed

    async def addresses(self, target: HostPort) -> list[str]:
        """The addresses to connect to. Raises AddressRefused if any of them is refused, since a name with a public and
        a private address is no honest one; UnknownHost; OSError."""
        try:
            found = await self._resolve(target.host, target.port)
        except socket.gaierror as exc:
            if exc.errno in (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)):
                raise UnknownHost(f"there is no host {target.host}") from exc
            raise
        except UnicodeError as exc:
            raise AddressRefused("the name of the host is malformed") from exc
        if not found:
            raise UnknownHost(f"there is no host {target.host}")
        if not self.is_allowed(target):
            for address in found:
                _check_address(target.host, address)
        return found


def _host(url: httpx.URL) -> str:
    """The host as the name server is asked for it. Raises AddressRefused."""
    host = url.raw_host.decode("ascii").lower().removesuffix(".")
    if ":" in host:
        return _canonical(host)
    if not host or len(host) > MAX_HOST or not _NAME.fullmatch(host):
        raise AddressRefused("the name of the host is malformed")
    # `2130706433`, `127.1`, `0x7f.0.0.1`, `0177.0.0.1`: old notations that some resolvers read as 127.0.0.1
    return _canonical(host) if _NUMBER.fullmatch(host.rpartition(".")[2]) else host


def _canonical(literal: str) -> str:
    try:
        return str(ip_address(literal))
    except ValueError as exc:
        raise AddressRefused("the internet address is malformed") from exc


def _check_port(port: int) -> None:
    """Privileged ports other than the web's own belong to other protocols: calling them would let anybody probe, or
    even command, a stranger's mail server in our name. Above them webhooks and sites do live (8080, 8443, …)."""
    if port in _DEFAULT_PORTS.values():
        return
    if not _FIRST_FREE_PORT <= port < _PORTS or port in _OTHER_PROTOCOLS:
        raise AddressRefused(f"port {port} is no web server's")


def _check_literal(host: str) -> None:
    try:
        ip_address(host)
    except ValueError:
        return
    _check_address(host, host)


def _check_address(host: str, address: str) -> None:
    try:
        why = why_refused(address)
    except ValueError:
        why = "malformed"
    if why is not None:
        raise AddressRefused(f"{host} is not public ({why}); an operator can allow it in {SETTING}")
