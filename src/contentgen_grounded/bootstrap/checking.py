"""The settings looked at together, before anything is opened."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Final

from contentgen_grounded.settings import BadSetting, Settings

CHECKS: Final[dict[str, tuple[str, ...]]] = {
    "outgoing:address_guard": ("allowed_private_hosts",),
    "open_id:check_open_id": ("oidc_issuer",),
    "queue:check_redis_url": ("redis_url",),
    "stores:index_location": ("index_store",),
    "providers:mailer": ("smtp_url",),
    "writers:model_prices": (
        "model_input_price", "model_output_price", "model_cached_price", "model_cache_write_price",
    ),
    "writers:plan_prices": ("plan_model_input_price", "plan_model_output_price"),
    "options:site": ("site_colour", "site_dark_colour"),
    "providers:source_folders": ("source_folders",),
    "providers:trend_feeds": ("trends_feeds",),
}  # fmt: skip
"""What reads settings and needs nothing that is running, with the settings it reads. Imported only where one of them is
set: a start without them would take a second longer."""


def check_settings(settings: Settings) -> None:
    """Raise BadSetting with every fault that the settings alone show, a line each."""
    defaults, found = Settings(), []
    for check, names in CHECKS.items():
        if all(getattr(settings, name) == getattr(defaults, name) for name in names):
            continue
        try:
            resolve_name(f"{__package__}.{check}")(settings)
        except BadSetting as error:
            found.append(error.detail)
    if found:
        raise BadSetting("\n".join(found))
