"""Readers of source files: one module per file type, chosen by the catalog."""
