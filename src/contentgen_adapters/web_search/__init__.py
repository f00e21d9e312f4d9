"""Searching the web: one file a provider."""
