"""Articles: the requests from a topic to a published text."""
