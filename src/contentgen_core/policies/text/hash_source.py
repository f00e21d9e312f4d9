"""Inline styles and scripts in a Content-Security-Policy."""

from __future__ import annotations

import base64
import hashlib


def hash_source(inline: str) -> str:
    """How a policy names the one inline style or script that it allows (`'sha256-…'`)."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode('ascii')}'"
