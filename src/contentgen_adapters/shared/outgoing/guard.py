"""Decides which addresses may be called, and resolves hosts to IP addresses that were checked."""

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
"""Resolves a host and port to IP addresses, best first. Raises OSError."""

SETTING: Final = "CONTENTGEN_ALLOWED_PRIVATE_HOSTS"
MAX_HOST: Final = 253  # characters of a name (RFC 1035)
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_FIRST_UNPRIVILEGED_PORT: Final = 1024
_PORTS: Final = 65_536
# Ports of other protocols above 1023: the bad ports of the Fetch standard, and databases and caches with line-based
# protocols, whose commands a crafted HTTP request can contain.
_OTHER_PROTOCOLS: Final = frozenset(
    {1719, 1720, 1723, 2049, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669}
    | {6679, 6697, 10080, 11211, 27017}
)
# Names that no public name server answers (RFC 6761, 6762 and 8375; .internal is reserved by ICANN for private use).
# So is one without a dot.
_PRIVATE_NAMES: Final = (".localhost", ".local", ".internal", ".home.arpa")
_NAME: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_-]{1,63})*")
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
_ENTRY: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s:\[\]/@]+):([0-9]{1,5})")


@frozen
class HostPort:
    """A host and a port. `host`: lower case, in ASCII (IDNA 2008), an IPv6 address without brackets."""

    host: str
    port: int


def parse_hosts(text: str) -> frozenset[HostPort]:
    """The hosts of a setting: `host:port`, comma-separated. Raises ValueError, whose text names the invalid entry."""
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
    """Resolves a host by the operating system. Raises OSError."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


class AddressGuard:
    """Refuses all addresses but those of public web servers and of hosts that the operator allows.

    `check` examines a URL; `addresses` resolves a host and examines each of its IP addresses. Connections must go to
    one of these (as in `shared.guarded_client`): a second resolution could return another address (DNS rebinding).

    `allowed_private_hosts`: see `parse_hosts`; matched as written, so that a name does not allow its IP address or the
    other way round. `resolve`: the resolver.
    """

    def __init__(self, allowed_private_hosts: Iterable[HostPort] = (), resolve: Resolve = system_resolve) -> None:
        self._allowed = frozenset(allowed_private_hosts)
        self._resolve = resolve

    def check(self, url: str | httpx.URL) -> HostPort:
        """The host and port of a URL. Raises AddressRefused for whatever can be refused without resolving the host."""
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
        """Whether the operator allows this host and port, whatever its IP address."""
        return target in self._allowed

    async def addresses(self, target: HostPort) -> list[str]:
        """Return the IP addresses to connect to. Raises AddressRefused if any of them is refused (a name with a public
        and a private address indicates an attack), UnknownHost, OSError.
        """
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
    """The host of a URL in the form in which it is resolved. Raises AddressRefused."""
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
    """Refuses privileged ports other than 80 and 443, since they belong to other protocols: a user could probe or even
    command a mail server through us. Unprivileged ports are common for webhooks (8080, 8443, …)."""
    if port in _DEFAULT_PORTS.values():
        return
    if not _FIRST_UNPRIVILEGED_PORT <= port < _PORTS or port in _OTHER_PROTOCOLS:
        raise AddressRefused(f"port {port} is no web server's")


def _check_literal(host: str) -> None:
    try:
        ip_address(host)
    except ValueError:
        if "." not in host or host.endswith(_PRIVATE_NAMES):
            raise AddressRefused(_refusal(host, "a name of private networks alone")) from None
        return
    _check_address(host, host)


def _check_address(host: str, address: str) -> None:
    try:
        reason = why_refused(address)
    except ValueError:
        reason = "malformed"
    if reason is not None:
        raise AddressRefused(_refusal(host, reason))


def _refusal(host: str, reason: str) -> str:
    return f"{host} is not public ({reason}); an operator can allow it in {SETTING}"
