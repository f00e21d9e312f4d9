"""Names of what a source does not follow, as they can be stored and shown."""

from __future__ import annotations

from contentgen_core.model.synced_source import MAX_KEY
from contentgen_core.policies.text.storable import is_storable


def readable_name(name: str) -> str:
    """The name with at most MAX_KEY characters, those escaped that no database holds."""
    return (name if is_storable(name) else ascii(name)[1:-1])[:MAX_KEY]
