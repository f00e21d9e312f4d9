"""Comments on sentences of articles."""
