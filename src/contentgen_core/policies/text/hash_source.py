"""Inline styles and scripts in a Content-Security-Policy."""

from __future__ import annotations

import base64
import hashlib


def hash_source(inline: str) -> str:
    """The hash source (`'sha256-…'`) by which a Content-Security-Policy allows one inline style or script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode('ascii')}'"
