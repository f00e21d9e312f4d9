"""Insight: what was written in the last months, what it took, and where the time of an article went."""
