"""How well the passages found cover a topic."""
