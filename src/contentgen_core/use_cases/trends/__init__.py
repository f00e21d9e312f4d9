"""Trends: current topics with several sources."""
