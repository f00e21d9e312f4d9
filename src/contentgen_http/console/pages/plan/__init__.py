"""A plan that waits for its review."""
