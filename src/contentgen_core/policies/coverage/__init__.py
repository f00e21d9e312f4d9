"""Whether the passages found cover a topic."""
