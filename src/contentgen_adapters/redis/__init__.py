"""Redis, for what may be lost: the minute's limits."""
