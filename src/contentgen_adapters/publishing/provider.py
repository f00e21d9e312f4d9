"""What a provider is: a declaration, and how it becomes a publisher for one tenant's credentials."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

import httpx
from attrs import field, frozen

from contentgen_core.model.publishing_target import ProviderInfo
from contentgen_core.ports.publishing import Publisher

ENTRY_POINTS: Final = "contentgen.publishing"
"""The group under which other packages name their `PROVIDER`."""


@frozen
class Connection:
    """What a publisher works with. `credentials`: complete and checked against the declaration, defaults filled in;
    `settings` as stored. `client`: guarded (`outgoing`), follows no redirect. `now`: the time, in UTC."""

    credentials: Mapping[str, Any] = field(repr=False)
    settings: Mapping[str, Any]
    client: httpx.AsyncClient
    now: Callable[[], datetime]


@frozen
class Provider:
    """`build` may raise InvalidInput naming a field (`credentials.siteUrl`)."""

    info: ProviderInfo
    build: Callable[[Connection], Publisher]
