"""Entities: rules that find them in texts, and graphs of how they are connected."""
