"""Read the options of the core from the settings."""

from __future__ import annotations

from datetime import timedelta

from contentgen_adapters.llm.extractive import writer as extractive
from contentgen_core.model.site import Site
from contentgen_core.ports.content_model import ContentModel
from contentgen_core.services import Options
from contentgen_core.use_cases.free_articles.from_link import FreeAllowance
from contentgen_grounded.bootstrap.open_id import open_id_rules
from contentgen_grounded.bootstrap.writers import has_batches, writing_costs
from contentgen_grounded.settings import BadSetting, Settings


def public_url(settings: Settings) -> str | None:
    return None if settings.public_url is None else settings.public_url.rstrip("/")


def site(settings: Settings) -> Site:
    """Raises BadSetting."""
    try:
        return Site(
            name=settings.site_name,
            author=settings.site_author,
            language=settings.site_language,
            logo=settings.site_logo,
            colour=settings.site_colour,
            dark_colour=settings.site_dark_colour,
        )
    except ValueError as error:
        raise BadSetting(f"CONTENTGEN_SITE_COLOUR or CONTENTGEN_SITE_DARK_COLOUR: {error}.") from error


def chosen_options(settings: Settings, model: ContentModel, background_transactions: int = 5) -> Options:
    """Return the options of the core that the settings choose. `background_transactions`: see `Options`."""
    without_model = model.name == extractive.NAME
    return Options(
        public_url=public_url(settings),
        site=site(settings),
        background_transactions=background_transactions,
        free_allowance=FreeAllowance(settings.free_articles_per_day, settings.free_articles_per_address),
        trend_searches=settings.trends_searches,
        trends_every=timedelta(minutes=settings.trends_every) if settings.trends_every else None,
        history_kept=timedelta(days=settings.history_days) if settings.history_days else None,
        curates_entities=not without_model,
        crosses_languages=not without_model,
        forecasts_by_writing=without_model,
        ignored_fields=extractive.IGNORED_FIELDS if without_model else frozenset(),
        provider_wait=timedelta(minutes=settings.model_wait),
        open_id=open_id_rules(settings),
        writing_costs=writing_costs(settings, of_a_model=not without_model, batches=has_batches(model)),
        calls_per_host=settings.calls_per_host,
    )
