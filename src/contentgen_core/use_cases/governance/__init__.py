"""The evaluation of a niche."""
