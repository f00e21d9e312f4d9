"""Dramatiq on Redis, as the line in which jobs wait for one of many workers."""
