"""GET /agents/events: one hub a process reads what happened once for each tenant, and tells all of its open streams."""
