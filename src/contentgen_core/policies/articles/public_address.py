"""The address of an article's public page."""

from __future__ import annotations

from urllib.parse import quote

from contentgen_core.model.article import PublicCategory


def address_of(base: str, slug: str, category: PublicCategory | None) -> str:
    """The address of an article's page. `base`: that of the service, without a trailing slash; empty for a path."""
    folder = "article" if category is PublicCategory.TREND_RADAR else "public/kb-articles"
    return f"{base}/{folder}/{quote(slug, safe='')}"
