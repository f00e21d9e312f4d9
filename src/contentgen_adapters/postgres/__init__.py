"""PostgreSQL: where everything lives that must not be lost or must be exact."""
