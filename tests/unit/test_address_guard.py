"""The guard on outgoing addresses: what it refuses, and that nothing slips past it between looking and connecting."""

from __future__ import annotations

import ipaddress
import socket
import ssl
from collections.abc import Iterable
from typing import Any

import httpcore
import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from contentgen_adapters.shared.guarded_client import GuardedTransport, guarded_client
from contentgen_adapters.shared.http import Peer, send
from contentgen_adapters.shared.outgoing.errors import AddressRefused, UnknownHost
from contentgen_adapters.shared.outgoing.guard import AddressGuard, HostPort, parse_hosts
from contentgen_adapters.shared.outgoing.networks import why_refused
from contentgen_core.errors import ProviderFailed

PUBLIC, PUBLIC_V6 = "93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"
REFUSED = [
    "0.0.0.0", "10.0.0.1", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254", "169.254.169.254",
    "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.168.1.1", "198.18.0.1", "224.0.0.1", "240.0.0.1",
    "255.255.255.255", "168.63.129.16", "::", "::1", "fe80::1", "fc00::1", "fd00:ec2::254", "fd20:ce::254", "ff02::1",
    "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::1", "2002:7f00:1::",
    "2002:5db8:d70e::1", "2001:0:7f00:1::", "2001:db8::1", "fec0::1", "100::1", "5f00::1", "fe80::1%eth0",
    "2606:2800::1%eth0",
]  # fmt: skip


class Lines(httpcore.AsyncNetworkBackend):
    """A network on which every address answers the same, and which remembers who was called."""

    def __init__(self, dead: Iterable[str] = ()) -> None:
        self.called: list[tuple[str, int]] = []
        self.dead = set(dead)
        self.tls_names: list[str | None] = []

    async def connect_tcp(self, host: str, port: int, *_: Any, **__: Any) -> httpcore.AsyncNetworkStream:
        self.called.append((host, port))
        if host in self.dead:
            raise httpcore.ConnectError("nobody there")
        return Line(self)


class Line(httpcore.AsyncMockStream):
    def __init__(self, network: Lines) -> None:
        super().__init__([b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n", b"hi"])
        self._network = network

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, *_: Any, **__: Any
    ) -> httpcore.AsyncNetworkStream:
        assert ssl_context.verify_mode is ssl.CERT_REQUIRED
        assert ssl_context.check_hostname
        self._network.tls_names.append(server_hostname)
        return self


class Names:
    """A name server whose answers a test writes down, one after the other; the last one stays."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


async def called(url: str, names: Names, *, allowed: str = "", dead: Iterable[str] = ()) -> Lines:
    """Where a GET really connects to. Raises what the client does."""
    network = Lines(dead)
    guard = AddressGuard(parse_hosts(allowed), names)
    async with guarded_client(guard, transport=GuardedTransport(guard, network)) as client:
        assert (await client.get(url)).text == "hi"
    return network


@pytest.mark.parametrize("address", REFUSED)
async def test_a_private_or_special_address_is_refused_as_a_literal_and_as_a_names_answer(address: str) -> None:
    assert why_refused(address) is not None
    literal = f"[{address}]" if ":" in address else address
    for url, names in ((f"http://{literal}/", Names([PUBLIC])), ("http://example.com/", Names([address]))):
        with pytest.raises((AddressRefused, httpx.InvalidURL)):
            await called(url, names)


@pytest.mark.parametrize("address", [PUBLIC, PUBLIC_V6, "::ffff:93.184.215.14", "64:ff9b::5db8:d70e", "1.1.1.1"])
async def test_a_public_address_is_called(address: str) -> None:
    assert why_refused(address) is None
    assert (await called("http://example.com/", Names([address]))).called == [(address, 80)]


@given(st.ip_addresses(v=4))
@example(ipaddress.IPv4Address("192.0.0.9"))
def test_an_ipv4_address_that_is_not_global_is_refused(address: ipaddress.IPv4Address) -> None:
    if not address.is_global or address.is_multicast or address.is_reserved:
        assert why_refused(str(address)) is not None


@given(st.ip_addresses(v=6))
def test_an_ipv6_address_that_is_not_global_unicast_is_refused(address: ipaddress.IPv6Address) -> None:
    carried = address.ipv4_mapped or (address in ipaddress.IPv6Network("64:ff9b::/96"))
    if not carried and (not address.is_global or address not in ipaddress.IPv6Network("2000::/3")):
        assert why_refused(str(address)) is not None


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_inside_an_ipv6_one_is_judged_as_itself(address: ipaddress.IPv4Address) -> None:
    for form in (f"::ffff:{address}", f"64:ff9b::{address}"):
        assert why_refused(form) == why_refused(str(address))
    sixtofour = ipaddress.IPv6Address(0x2002 << 112 | int(address) << 80 | 1)
    assert why_refused(str(sixtofour)) is not None


@given(st.integers(0, 2**32 - 1))
def test_no_other_notation_of_an_address_gets_past_the_guard(number: int) -> None:
    guard = AddressGuard(resolve=Names([PUBLIC]))
    a, b = number >> 24, number & 0xFFFFFF
    parts = ipaddress.IPv4Address(number).packed
    dotted = ".".join(map(str, parts))
    forms = [
        str(number), hex(number), f"0{number:o}", f"{a}.{b}", f"{a:#x}.{b}", ".".join(f"0{part:o}" for part in parts),
        ".".join(f"{part:#x}" for part in parts), f"{dotted}.1",
    ]  # fmt: skip
    for form in forms:
        with pytest.raises(AddressRefused):
            guard.check(f"http://{form}/")


@pytest.mark.parametrize(
    "url",
    [
        "", "example.com", "//example.com/", "ftp://example.com/", "file:///etc/passwd", "gopher://example.com/",
        "unix:///run/docker.sock", "http://", "http:///path", "http://user@example.com/", "http://u:p@example.com/",
        "http://example.com:0/", "http://example.com:22/", "http://example.com:25/", "http://example.com:6379/",
        "http://example.com:99999/", "http://exa mple.com/", "http://example.com\\@127.0.0.1/", "http://%31%32%37.0.0.1/",
        "http://127.0.0.1%2f@example.com/", "http://[::1", "http://[1.2.3.4]/", "http://１２７.0.0.1/",
        "http://127。0。0。1/", "http://①②⑦.0.0.1/", "http://.example.com/", "http://a..b/", "http://-/", "http://1.2.3.4.5/",
        "http://" + "a." * 130 + "com/", "http://example.com\x00.evil/", "http://localhost\r\nHost: x/",
    ],
)  # fmt: skip
def test_what_is_no_plain_web_address_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        AddressGuard().check(url)


@given(st.text(max_size=60) | st.from_regex(r"https?://[^/]{0,40}(/.{0,10})?", fullmatch=True))
def test_any_text_is_refused_or_leads_to_a_well_formed_public_host(url: str) -> None:
    try:
        target = AddressGuard().check(url)
    except AddressRefused:
        return
    assert target.host == target.host.lower()
    assert target.host.isascii()
    assert 0 < target.port < 65536
    try:
        assert why_refused(target.host) is None
    except ValueError:
        assert not target.host[-1].isdigit() or not target.host.rpartition(".")[2].isdigit()


def test_web_ports_and_free_ports_are_called() -> None:
    guard = AddressGuard()
    for url, port in (
        ("http://a.de/", 80),
        ("https://a.de/", 443),
        ("https://a.de:8443/", 8443),
        ("http://a.de:80/", 80),
    ):
        assert guard.check(url) == HostPort("a.de", port)


def test_international_names_are_checked_and_called_in_their_ascii_form() -> None:
    assert AddressGuard().check("https://bücher.example/").host == "xn--bcher-kva.example"
    assert AddressGuard().check("https://EXAMPLE.com./").host == "example.com"


async def test_one_private_address_among_public_ones_refuses_the_name() -> None:
    for addresses in ([PUBLIC, "10.0.0.1"], ["10.0.0.1", PUBLIC], [PUBLIC, PUBLIC_V6, "::1"]):
        with pytest.raises(AddressRefused):
            await called("http://example.com/", Names(addresses))


async def test_a_name_that_changes_its_answer_is_called_where_it_was_checked() -> None:
    names = Names([PUBLIC], ["127.0.0.1"])
    network = await called("https://rebinding.example.com/", names)
    assert network.called == [(PUBLIC, 443)]
    assert names.asked == ["rebinding.example.com"], "a second question could have had another answer"


async def test_a_name_that_turned_private_is_refused_at_the_next_connection() -> None:
    names, network = Names([PUBLIC], ["127.0.0.1"]), Lines()
    guard = AddressGuard(resolve=names)
    async with guarded_client(guard, transport=GuardedTransport(guard, network)) as client:
        await client.get("http://rebinding.example.com/")
        with pytest.raises(AddressRefused):
            await client.get("http://rebinding.example.com/")
    assert network.called == [(PUBLIC, 80)]


async def test_the_certificate_is_verified_against_the_name_not_the_address() -> None:
    assert (await called("https://bücher.example/", Names([PUBLIC]))).tls_names == ["xn--bcher-kva.example"]


async def test_the_next_address_is_tried_when_one_is_dead() -> None:
    network = await called("http://example.com/", Names([PUBLIC_V6, PUBLIC]), dead=[PUBLIC_V6])
    assert network.called == [(PUBLIC_V6, 80), (PUBLIC, 80)]
    with pytest.raises(httpx.ConnectError):
        await called("http://example.com/", Names([PUBLIC]), dead=[PUBLIC])


async def test_no_redirect_is_followed_and_no_proxy_of_the_environment_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(variable, "http://10.0.0.1:3128")
    network = await called("http://example.com/", Names([PUBLIC]))
    assert network.called == [(PUBLIC, 80)]
    async with guarded_client(AddressGuard()) as client:
        assert client.follow_redirects is False


async def test_an_unknown_name_and_a_failing_name_server_are_told_apart() -> None:
    def failing(code: int) -> AddressGuard:
        async def resolve(host: str, port: int) -> list[str]:
            raise socket.gaierror(code, "no")

        return AddressGuard(resolve=resolve)

    for code, kind in ((socket.EAI_NONAME, UnknownHost), (socket.EAI_AGAIN, httpx.ConnectError)):
        guard = failing(code)
        async with guarded_client(guard, transport=GuardedTransport(guard, Lines())) as client:
            with pytest.raises(httpx.ConnectError) as caught:
                await client.get("http://example.com/")
        assert type(caught.value) is kind


async def test_an_allowed_host_may_be_private_under_the_name_and_port_entered() -> None:
    hosts = "Intranet.local:8080, 10.0.0.5:9000,[::1]:80"
    assert (await called("http://intranet.local:8080/", Names(["10.1.1.1"]), allowed=hosts)).called == [
        ("10.1.1.1", 8080)
    ]
    assert (await called("http://10.0.0.5:9000/", Names(["10.0.0.5"]), allowed=hosts)).called == [("10.0.0.5", 9000)]
    assert (await called("http://[::1]/", Names(["::1"]), allowed=hosts)).called == [("::1", 80)]
    for url in ("http://intranet.local:8081/", "http://10.1.1.1:8080/", "http://10.0.0.5/", "http://other.local:8080/"):
        with pytest.raises(AddressRefused):
            await called(url, Names(["10.1.1.1"]), allowed=hosts)


@pytest.mark.parametrize(
    "text", ["intranet", "a:0", "a:70000", "http://a:80", "a:b", "::1:80", "u@a:80", "a b:80", "127.1:80"]
)
def test_a_host_that_is_no_host_and_port_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="is no host:port") as caught:
        parse_hosts(f"good.example:80,{text}")
    assert repr(text) in str(caught.value)


def test_no_hosts_are_no_hosts() -> None:
    assert parse_hosts("") == parse_hosts(" , ") == frozenset()


async def test_a_refused_address_is_a_final_failure_of_whoever_calls() -> None:
    guard = AddressGuard()
    async with guarded_client(guard, transport=GuardedTransport(guard, Lines())) as client:
        with pytest.raises(ProviderFailed, match="not public") as caught:
            await send(client, client.build_request("POST", "http://10.0.0.1/hook"), peer=Peer("webhook", "url"))
    assert caught.value.retryable is False
