"""Web search: one file per provider."""
