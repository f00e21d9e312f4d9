"""Ids, hashes and defaults that all builders use."""

from __future__ import annotations

import hashlib
from typing import Any, Final

from contentgen_core.model.ids import TenantId
from contentgen_core.testing.runtime import SequentialIds

NICHE_KEY: Final = "home-energy"

_ids = SequentialIds()


def new_id() -> str:
    """An id that no other sample of this run has; later ones sort after earlier ones."""
    return _ids.new()


def short(id: str) -> str:
    return id.rpartition("-")[2].lstrip("0")


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def with_tenant(defaults: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    return {"tenant_id": changes.get("tenant_id") or TenantId(new_id())} | defaults | changes
