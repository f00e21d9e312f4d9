"""Coverage of a topic by the passages found."""
