"""Filling the knowledge base, keeping its index, and finding things in it."""
