"""Ended work that is kept for a time so that people can read it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum


class History(StrEnum):
    """runs: of agents that have ended; enrichments: with what their searches answered, without the documents made of
    it; translations: of texts and documents, without those that are articles; updates: of articles, that nobody has to
    decide any more; quotas: what was used in past windows."""

    RUNS = "runs"
    ENRICHMENTS = "enrichments"
    TRANSLATIONS = "translations"
    UPDATES = "updates"
    QUOTAS = "quotas"


def first_id(at: datetime) -> str:
    """Return the lower bound of ids made in this millisecond or later; all earlier ids sort before it. Ids are UUIDs of
    version 7, which begin with their time."""
    digits = f"{int(at.timestamp() * 1000):012x}"
    return f"{digits[:8]}-{digits[8:]}-7"
