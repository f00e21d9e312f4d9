"""Noting which pages changed, in the transaction that records the change."""

from __future__ import annotations

from datetime import datetime

from contentgen_core.model.publication import Publication
from contentgen_core.policies.articles.announced import changed_addresses
from contentgen_core.ports.repositories.index_now import IndexNowSites
from contentgen_core.ports.unit_of_work import Transaction


async def note_pages(tx: Transaction, before: Publication, after: Publication, now: datetime) -> None:
    """Have search engines told, where readers see something else after this change."""
    if addresses := changed_addresses(before, after):
        await tx[IndexNowSites].note(after.tenant_id, addresses, now)
