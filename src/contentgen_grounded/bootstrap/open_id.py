"""Signing in through a provider of OpenID Connect, as the settings choose it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from contentgen_core.model.ids import TenantId
from contentgen_core.ports.open_id import OpenIdProvider
from contentgen_core.ports.runtime import Clock
from contentgen_core.use_cases.sign_in.open_id import OpenIdRules
from contentgen_grounded.settings import BadSetting, Settings

if TYPE_CHECKING:
    from contentgen_adapters.shared.http import RequestHook


@asynccontextmanager
async def open_id_provider(
    settings: Settings, clock: Clock, request_hook: RequestHook | None = None
) -> AsyncIterator[OpenIdProvider | None]:
    """The provider of OpenID Connect, if one is set up, over a client whose every address passes the guard. Raises
    BadSetting."""
    if settings.oidc_issuer is None:
        yield None
        return
    # Here, since most services do without it.
    from contentgen_adapters.open_id.provider import HttpOpenIdProvider, OpenIdClient
    from contentgen_adapters.shared.guarded_client import guarded_client
    from contentgen_grounded.bootstrap.outgoing import address_guard

    client_id, guard = _client_id(settings, settings.oidc_issuer), address_guard(settings)
    us = OpenIdClient(settings.oidc_issuer.rstrip("/"), client_id, settings.oidc_client_secret)
    async with guarded_client(guard, read=10.0, request_hook=request_hook) as client:
        yield HttpOpenIdProvider(client, us, clock)


def check_open_id(settings: Settings) -> None:
    """Raise BadSetting where the settings of a provider do not go together."""
    if settings.oidc_issuer is not None:
        _client_id(settings, settings.oidc_issuer)


def _client_id(settings: Settings, issuer: str) -> str:
    """Return what the provider knows us as. Raises BadSetting where a setting that it needs is missing."""
    if settings.oidc_client_id is None:
        raise BadSetting("CONTENTGEN_OIDC_CLIENT_ID is needed with CONTENTGEN_OIDC_ISSUER.")
    if not open_id_rules(settings).domains:
        raise BadSetting(
            "CONTENTGEN_OIDC_DOMAINS is needed with CONTENTGEN_OIDC_ISSUER: the domains of the mail addresses that the "
            "provider may vouch for, or * for all."
        )
    from contentgen_grounded.bootstrap.outgoing import address_guard

    guard = address_guard(settings)
    if issuer.startswith("http:") and not guard.is_allowed(guard.check(issuer)):
        raise BadSetting("CONTENTGEN_OIDC_ISSUER: https is needed, except for a host of ALLOWED_PRIVATE_HOSTS.")
    return settings.oidc_client_id


def open_id_rules(settings: Settings) -> OpenIdRules:
    """Return the rules for whom the OpenID provider may sign in."""
    domains = frozenset(domain.strip().lower() for domain in settings.oidc_domains.split(",") if domain.strip())
    return OpenIdRules(domains, TenantId(settings.oidc_tenant) if settings.oidc_tenant else None)
