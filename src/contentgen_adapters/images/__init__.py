"""Picture services: one file each, and the search that any of them becomes."""
