"""GET /agents/events: one hub per process reads the events of each tenant once, for all of its open streams."""
