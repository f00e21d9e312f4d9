"""Texts for search engines, in the fields of the plugin that a WordPress site has for them.

WordPress has no such fields itself. A plugin's are filled where the REST API can write them, which the schema of the
post type tells: the plugin opens them, the site itself, or another plugin."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from contentgen_adapters.publishing.target import read_as
from contentgen_adapters.publishing.wordpress_api import WordPressApi
from contentgen_core.model.publishing_target import Post
from contentgen_core.ports.publishing import PublishFailed

_PLUGINS: Final = (
    ("_yoast_wpseo_title", "_yoast_wpseo_metadesc", "_yoast_wpseo_canonical"),
    ("rank_math_title", "rank_math_description", "rank_math_canonical_url"),
    ("_seopress_titles_title", "_seopress_titles_desc", "_seopress_robots_canonical"),
)
"""Title, description and canonical address: of Yoast SEO, Rank Math and SEOPress."""


class _Meta(msgspec.Struct):
    properties: Any = None  # PHP writes an empty object as a list


class _Properties(msgspec.Struct):
    meta: _Meta | None = None


class _Schema(msgspec.Struct):
    properties: _Properties | None = None


class _Described(msgspec.Struct):
    schema: _Schema | None = None


async def seo_meta(api: WordPressApi, post: Post) -> dict[str, str]:
    """Return the values of `meta`: empty for a field that is to be emptied; no values for a site that lacks such fields
    or does not describe them.
    """
    wanted = (
        post.meta_title or ("" if "metaTitle" in post.clears else None),
        post.meta_description or ("" if "metaDescription" in post.clears else None),
        post.canonical_url,
    )
    if all(value is None for value in wanted):
        return {}
    try:
        described = read_as(await api.call("OPTIONS", api.posts, reads=True), _Described)
    except PublishFailed:
        return {}
    schema = described.schema if described else None
    meta = schema.properties.meta if schema and schema.properties else None
    known = meta.properties if meta and isinstance(meta.properties, dict) else {}
    return {
        name: value
        for names in _PLUGINS
        for name, value in zip(names, wanted, strict=True)
        if value is not None and name in known
    }
