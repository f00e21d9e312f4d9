"""The use cases: one module each, with its command and its handler."""
