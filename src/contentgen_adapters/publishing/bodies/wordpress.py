"""A post's text as HTML that WordPress shows as it is."""

from __future__ import annotations

import re
from typing import Final

from contentgen_adapters.publishing.bodies.html import html
from contentgen_core.model.publishing_target import Post

_SHORTCODE: Final = re.compile(r"\[(?![\d\s\]])")


def wordpress_html(post: Post) -> str:
    """The HTML with `[` as an entity wherever WordPress could take it for a shortcode, in code and attributes too: it
    would be executed, and its text lost. `[1]` is none."""
    return _SHORTCODE.sub("&#091;", html(post))
