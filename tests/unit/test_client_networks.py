"""What counts as one client in a limit."""

from __future__ import annotations

from ipaddress import IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.policies.tenancy.client_networks import client_network
from contentgen_http.server.client_addresses import ClientAddresses

SUBNET = 0x20010DB8_0000_0001 << 64


@given(st.integers(0, 2**64 - 1))
def test_all_addresses_of_a_customers_network_are_one_client(host: int) -> None:
    assert client_network(str(IPv6Address(SUBNET + host))) == "2001:db8:0:1::/64"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2001:db8:0:1::1", "2001:db8:0:2::1"),
        ("192.0.2.1", "192.0.2.2"),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2"),
        ("unknown", "elsewhere"),
    ],
)
def test_others_are_others(one: str, other: str) -> None:
    assert client_network(one) != client_network(other)


def test_an_address_is_the_same_however_it_is_written() -> None:
    assert client_network("::ffff:192.0.2.1") == client_network("192.0.2.1")
    assert client_network("fe80::1%eth0") == client_network("fe80::2")


def test_a_request_is_counted_for_its_network_and_known_by_its_address() -> None:
    scope = {"client": ("2001:db8:0:1::5", 443), "headers": []}
    addresses = ClientAddresses(())
    assert addresses.network_of(scope) == "2001:db8:0:1::/64"
    assert addresses.of(scope) == "2001:db8:0:1::5"
