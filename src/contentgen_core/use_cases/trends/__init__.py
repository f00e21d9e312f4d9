"""Trends: what several sources speak of now."""
