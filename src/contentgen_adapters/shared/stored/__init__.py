"""Aggregates that every store keeps whole: a module declares one and has its repository."""
