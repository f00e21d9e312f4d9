"""Ranking of passages by relevance to a text."""
