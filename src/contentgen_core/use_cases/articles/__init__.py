"""Articles: from a topic to a published text, as far as a request goes."""
