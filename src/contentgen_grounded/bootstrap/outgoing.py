"""Which addresses the service may call."""

from __future__ import annotations

from contentgen_adapters.shared.outgoing.guard import AddressGuard, parse_hosts
from contentgen_grounded.settings import BadSetting, Settings


def address_guard(settings: Settings) -> AddressGuard:
    """The guard of all calls to addresses that somebody entered or a search found. Raises BadSetting."""
    try:
        return AddressGuard(parse_hosts(settings.allowed_private_hosts))
    except ValueError as error:
        raise BadSetting(f"CONTENTGEN_ALLOWED_PRIVATE_HOSTS: {error}.") from error
