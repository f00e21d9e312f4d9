"""A provider: its declaration, and the publisher it builds for a tenant's credentials."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

import httpx
from attrs import evolve, field, frozen

from contentgen_adapters.publishing.diagram_pictures import Draw
from contentgen_adapters.publishing.target import Target, usual_refusal
from contentgen_core.model.publishing_target import ProviderInfo, RemotePost
from contentgen_core.ports.publishing import Publisher, Refusal, TenantPublicArticles

ENTRY_POINTS: Final = "contentgen.publishing"
"""The entry point group in which other packages declare their `PROVIDER`."""


@frozen
class Connection:
    """The parts that a publisher is built from.

    `credentials`: complete, checked against the declaration, with defaults. `settings`: as stored. `client`: guarded;
    follows no redirects. `now`: the time in UTC. `secrets`: texts that no message may contain. `public_articles`:
    access to the platform's public articles on behalf of the tenant, if available. `draw`: makes pictures of diagrams,
    if that is possible here. `warnings`: the parts of the post that were left out so far, in sentences for a person.
    """

    credentials: Mapping[str, Any] = field(repr=False)
    settings: Mapping[str, Any]
    client: httpx.AsyncClient
    now: Callable[[], datetime]
    secrets: tuple[str, ...] = field(default=(), repr=False)
    public_articles: TenantPublicArticles | None = field(default=None, repr=False)
    draw: Draw | None = field(default=None, repr=False)
    warnings: list[str] = field(factory=list, init=False, eq=False, repr=False)

    def with_warnings(self, remote: RemotePost) -> RemotePost:
        """Return the remote post with the accumulated warnings, without duplicates."""
        return evolve(remote, warnings=tuple(dict.fromkeys(self.warnings)))

    def target(
        self,
        name: str,
        base: str,
        headers: Mapping[str, str] | None = None,
        refusal: Callable[[httpx.Response], Refusal] = usual_refusal,
    ) -> Target:
        """Return the service to call; for the parameters see `target.Target`."""
        return Target(name, self.client, base.rstrip("/"), headers or {}, refusal, self.secrets)


@frozen
class Provider:
    """A kind of target.

    `info`: its declaration. `build(connection)`: makes a publisher; may raise InvalidInput that names a field
    (`credentials.siteUrl`).
    """

    info: ProviderInfo
    build: Callable[[Connection], Publisher]

    def connect(
        self,
        credentials: Mapping[str, Any],
        settings: Mapping[str, Any],
        client: httpx.AsyncClient,
        now: Callable[[], datetime],
        public_articles: TenantPublicArticles | None = None,
        draw: Draw | None = None,
    ) -> Publisher:
        """Return a publisher for these credentials; for the parameters see `Connection`. Raises InvalidInput."""
        fields = self.info.credential_fields
        given = {**{f.name: f.default for f in fields if f.default is not None}, **credentials}
        secrets = tuple(str(given[f.name]) for f in fields if f.secret and given.get(f.name))
        return self.build(Connection(given, settings, client, now, secrets, public_articles, draw))
