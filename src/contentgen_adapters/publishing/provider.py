"""What a provider is: a declaration, and how it becomes a publisher for one tenant's credentials."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

import httpx
from attrs import field, frozen

from contentgen_adapters.publishing.target import Target, usual_refusal
from contentgen_core.model.publishing_target import ProviderInfo
from contentgen_core.ports.publishing import Publisher, Refusal, TenantPublicArticles

ENTRY_POINTS: Final = "contentgen.publishing"
"""The group under which other packages name their `PROVIDER`."""


@frozen
class Connection:
    """What a publisher works with. `credentials`: complete and checked against the declaration, defaults filled in;
    `settings` as stored. `client`: guarded (`outgoing`), follows no redirect. `now`: the time, in UTC. `secrets`: texts
    that no message may hold. `shelf`: the tenant's part of the platform's own public articles, where there are such."""

    credentials: Mapping[str, Any] = field(repr=False)
    settings: Mapping[str, Any]
    client: httpx.AsyncClient
    now: Callable[[], datetime]
    secrets: tuple[str, ...] = field(default=(), repr=False)
    shelf: TenantPublicArticles | None = field(default=None, repr=False)

    def target(
        self,
        name: str,
        base: str,
        headers: Mapping[str, str] | None = None,
        refusal: Callable[[httpx.Response], Refusal] = usual_refusal,
    ) -> Target:
        """Where calls go: see `target.Target`."""
        return Target(name, self.client, base.rstrip("/"), headers or {}, refusal, self.secrets)


@frozen
class Provider:
    """`build` may raise InvalidInput naming a field (`credentials.siteUrl`)."""

    info: ProviderInfo
    build: Callable[[Connection], Publisher]

    def connect(
        self,
        credentials: Mapping[str, Any],
        settings: Mapping[str, Any],
        client: httpx.AsyncClient,
        now: Callable[[], datetime],
        shelf: TenantPublicArticles | None = None,
    ) -> Publisher:
        """Raises InvalidInput."""
        fields = self.info.credential_fields
        given = {**{f.name: f.default for f in fields if f.default is not None}, **credentials}
        secrets = tuple(str(given[f.name]) for f in fields if f.secret and given.get(f.name))
        return self.build(Connection(given, settings, client, now, secrets, shelf))
