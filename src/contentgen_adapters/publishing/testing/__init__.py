"""The contract of a publishing provider, as tests for its author to inherit.

Inherit from `ProviderContract` and define the fixture `vendor`: a small stand-in of the service, which stores posts as
the service does. No network is used.

    class TestMine(ProviderContract):
        @pytest.fixture
        def vendor(self) -> Vendor:
            return MyVendor()
"""

from contentgen_adapters.publishing.testing.contract import PostContract, ProviderContract
from contentgen_adapters.publishing.testing.vendor import (
    Fault,
    Vendor,
    VendorPost,
    Wire,
    a_post,
    broken_after,
    broken_before,
    connect,
    held_up,
    refused_connection,
    silent_after,
    silent_before,
)

__all__ = [
    "Fault",
    "PostContract",
    "ProviderContract",
    "Vendor",
    "VendorPost",
    "Wire",
    "a_post",
    "broken_after",
    "broken_before",
    "connect",
    "held_up",
    "refused_connection",
    "silent_after",
    "silent_before",
]
